// The current PRD beside its chat, with lint marks at their places; it can be edited as text.
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { lintPrd, versionQuery, type PrdChat } from '../../data/runs/prd-chats.ts';
import { Button } from '../../parts/controls/button.tsx';
import { LintList } from '../../parts/prd/lint-list.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { useLack } from '../../session/use-me.ts';
import { runWords } from '../../words/runs/en-runs.ts';
import { prdWords as words } from '../../words/runs/en-prd.ts';
import { readPrd } from './prd-document.ts';
import { findingsOfWhole, marksOf } from './prd-marks.ts';
import { PrdStories } from './prd-stories.tsx';
import { PrdText } from './prd-text.tsx';
import { PrdHead } from './prd-head.tsx';

export function PrdColumn({ chat }: { readonly chat: PrdChat }): ReactNode {
  const [isEditing, setEditing] = useState(false);
  const lack = useLack('ralph:write');
  const query = useQuery(versionQuery(chat.id, chat.version));
  return (
    <section aria-labelledby="prd-now" className="min-w-0 border-line max-lg:border-t">
      <div className="flex flex-wrap items-baseline gap-x-3 px-(--page) pt-4">
        <h2 id="prd-now" className="font-semibold">
          {words.prd}
        </h2>
        {chat.version === 0 ? null : <span className="text-sm text-soft">{words.versionOf(chat.version)}</span>}
        {chat.version === 0 ? null : (
          <span className={`text-sm font-semibold ${chat.ready ? 'text-ok' : 'text-ask'}`}>
            {chat.ready ? words.ready : words.notReady}
          </span>
        )}
        {isEditing ? null : (
          <Button kind="quiet" disabledReason={lack} onClick={() => setEditing(true)} className="ms-auto">
            {words.editText}
          </Button>
        )}
      </div>
      {isEditing ? (
        <PrdText chat={chat} prd={query.data?.prd} onDone={() => setEditing(false)} />
      ) : chat.version === 0 ? (
        <p className="p-(--page) text-soft">{words.noPrd}</p>
      ) : (
        <Answer query={query}>{({ prd }) => <LintedPrd chat={chat} prd={prd} />}</Answer>
      )}
    </section>
  );
}

interface LintedPrdProps {
  readonly chat: PrdChat;
  readonly prd: Readonly<Record<string, unknown>>;
}

function LintedPrd({ chat, prd }: LintedPrdProps): ReactNode {
  // A version keeps its warnings alone; errors, too, belong at their places.
  const { data: lint } = useQuery({
    queryKey: ['prd-version', chat.id, chat.version, 'lint'],
    queryFn: () => lintPrd(prd),
    staleTime: Infinity,
  });
  const document = readPrd(prd);
  const marks = marksOf(lint);
  const whole = findingsOfWhole(lint);
  return (
    <div className="grid gap-4 p-(--page)">
      <LintList label={runWords.lintErrorsLabel} kind="error" findings={whole.errors} />
      <LintList label={words.wholeLint} kind="warning" findings={whole.warnings} />
      <PrdHead document={document} />
      <PrdStories stories={document.stories} marks={marks} />
    </div>
  );
}
