// One entry of the audit: all of it, with its hash and the one before, and the ways from here.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button, buttonClass } from '../../parts/controls/button.tsx';
import { CopyMenu } from '../../parts/controls/copy-menu.tsx';
import { Dialog, DialogActions } from '../../parts/controls/dialog.tsx';
import { JsonTree } from '../../parts/json-tree.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { ExactTime } from '../../parts/marks/time.tsx';
import { stringifySearch } from '../../search.ts';
import { shellQuote } from '../../text/curl.ts';
import { commonWords } from '../../words/en-common.ts';
import { auditWords as words } from '../../words/service/en-audit.ts';
import { queryBodyOf, type AuditEntry } from './audit-query.ts';
import type { AuditFilter } from './audit-search.ts';
import { OutcomeMark } from './audit-table.tsx';

export interface AuditEntryPanelProps {
  readonly entry: AuditEntry;
  readonly filter: AuditFilter;
  readonly onClose: () => void;
}

export function AuditEntryPanel({ entry, filter, onClose }: AuditEntryPanelProps): ReactNode {
  const request = textIn(entry, 'request_id');
  const task = textIn(entry, 'task_id');
  // Exactly the time of the entry: `to` is exclusive.
  const around = {
    actor: entry.actor,
    action: entry.action,
    from: entry.timestamp,
    to: new Date(Date.parse(entry.timestamp) + 1).toISOString(),
  };
  return (
    <Dialog title={words.entryTitle(entry.seq)} open onClose={onClose} wide>
      <Facts entry={entry} request={request} task={task} />
      <h3 className="mt-4 mb-1 text-sm font-semibold">{words.metadata}</h3>
      <JsonTree value={entry.metadata} />
      <DialogActions>
        {task === undefined ? null : (
          <Link to="/v1/monitor/tasks/$id" params={{ id: task }} className={buttonClass()}>
            {words.openTask}
          </Link>
        )}
        {request === undefined ? null : (
          <Link to="/v1/monitor/audit" search={{ request }} className={buttonClass()}>
            {words.sameRequest}
          </Link>
        )}
        <Link to="/v1/monitor/audit" search={{ actor: entry.actor }} className={buttonClass()}>
          {words.sameActor}
        </Link>
        <CopyMenu
          link={`/v1/monitor/audit${stringifySearch({ ...filter, entry: entry.id })}`}
          id={entry.id}
          call={{ method: 'POST', path: '/v1/audit/query', body: queryBodyOf(around) }}
          command={commandOf(around)}
          json={entry}
        />
        <Button onClick={onClose}>{commonWords.close}</Button>
      </DialogActions>
    </Dialog>
  );
}

function commandOf(around: { actor: string; action: string; from: string; to: string }): string {
  const flags = Object.entries(around).map(([name, value]) => `--${name} ${shellQuote(value)}`);
  return `switchyard audit export ${flags.join(' ')}`;
}

function mono(text: string): ReactNode {
  return <FreeText text={text} className="font-mono text-mono break-all" />;
}

function textIn({ metadata }: AuditEntry, key: string): string | undefined {
  const value = metadata[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function Facts({
  entry,
  request,
  task,
}: {
  readonly entry: AuditEntry;
  readonly request: string | undefined;
  readonly task: string | undefined;
}): ReactNode {
  const facts: readonly (readonly [string, ReactNode])[] = [
    [words.facts.at, <ExactTime key="at" at={entry.timestamp} />],
    [words.facts.outcome, <OutcomeMark key="outcome" outcome={entry.outcome} />],
    [words.facts.actor, mono(entry.actor)],
    [words.facts.action, mono(entry.action)],
    [words.facts.resource, mono(entry.resource)],
    [words.facts.credential, mono(textIn(entry, 'credential') ?? commonWords.none)],
    [words.facts.request, mono(request ?? commonWords.none)],
    [words.facts.task, mono(task ?? commonWords.none)],
    [words.facts.ip, mono(entry.ip ?? commonWords.none)],
    [words.facts.session, mono(entry.session_id ?? commonWords.none)],
    [words.facts.hash, mono(entry.hash)],
    [words.facts.previous, mono(entry.prev_hash)],
  ];
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
