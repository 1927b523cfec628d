// The last calls: each can be pinned, and opened again to be changed and sent.
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../../parts/controls/button.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { inspectorWords as words } from '../../words/service/en-inspector.ts';
import { StatusText } from './answer-head.tsx';
import { reopen, togglePin, useHistory, type PastCall } from './history.ts';

export function HistoryList(): ReactNode {
  const calls = useHistory();
  return (
    <section aria-labelledby="inspector-history" className="border-t border-line p-(--page)">
      <h2 id="inspector-history" className="mb-2 font-semibold">
        {words.historyTitle}
      </h2>
      {calls.length === 0 ? (
        <p className="text-soft">{words.historyEmpty}</p>
      ) : (
        <ul className="border-t border-line">
          {calls.map((call) => (
            <PastCallRow key={call.id} call={call} />
          ))}
        </ul>
      )}
    </section>
  );
}

function PastCallRow({ call }: { readonly call: PastCall }): ReactNode {
  const navigate = useNavigate();
  const { part, search, draft, answer } = call;
  const edit = (): void => {
    reopen({ part, call: search.call ?? '', draft, answer });
    void navigate({ to: '/v1/monitor/inspector/$part', params: { part }, search });
  };
  return (
    <li className="flex min-h-(--row) flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-1">
      <span className="w-16 text-sm">
        <StatusText status={call.status} />
      </span>
      <span className="min-w-0 grow basis-40">
        <FreeText text={call.label} className="font-mono text-mono" />
      </span>
      <span className="text-sm text-soft">{words.time(call.ms)}</span>
      <span className="text-sm text-soft">
        <Ago at={call.at} />
      </span>
      <span className="flex gap-1">
        <Button kind="quiet" pressed={call.isPinned} onClick={() => togglePin(call.id)}>
          {call.isPinned ? words.unpin : words.pin}
        </Button>
        <Button kind="quiet" onClick={edit}>
          {words.edit}
        </Button>
      </span>
    </li>
  );
}
