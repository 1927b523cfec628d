// The anatomy of every part of the inspector: calls, request, answer side by side; the history below.
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { inspectorWords as words } from '../../words/service/en-inspector.ts';
import { CallList } from './call-list.tsx';
import type { Callable } from './calls/callable.ts';
import { HistoryList } from './history-list.tsx';
import { useReopened } from './history.ts';
import type { InspectorPart } from './inspector-search.ts';
import { Workspace } from './workspace.tsx';

export interface CallPanelProps {
  readonly part: InspectorPart;
  readonly calls: readonly Callable[];
  /** The mode of the calls: a new value starts their requests again. */
  readonly mode?: string;
  /** Stands above the three columns. */
  readonly above?: ReactNode;
}

export function CallPanel({ part, calls, mode = '', above }: CallPanelProps): ReactNode {
  const search = useSearch({ strict: false });
  const call = calls.find(({ id }) => id === search.call) ?? calls[0];
  const reopened = useReopened(part, call?.id ?? '');
  const { version, binding, era } = search;
  const own = { version, binding, era };
  return (
    <>
      {above === undefined ? null : <div className="grid gap-3 border-b border-line p-(--page)">{above}</div>}
      <div className="lg:grid lg:grid-cols-[280px_minmax(0,1fr)_minmax(0,1fr)]">
        <CallList part={part} calls={calls} current={call} search={own} />
        {call === undefined ? (
          <p className="p-(--page) text-soft">{words.noCall}</p>
        ) : (
          <Workspace
            key={`${mode} ${call.id} ${reopened?.key ?? ''}`}
            part={part}
            call={call}
            search={own}
            reopened={reopened}
          />
        )}
      </div>
      <HistoryList />
    </>
  );
}
