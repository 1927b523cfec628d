// The list of calls: grouped, with a search. On a phone it is folded behind the name of the open call.
import { Link } from '@tanstack/react-router';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { useActions } from '../../keys/actions.ts';
import { buttonClass } from '../../parts/controls/button.tsx';
import { TextField } from '../../parts/controls/field.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { inspectorWords as words } from '../../words/service/en-inspector.ts';
import type { Callable } from './calls/callable.ts';
import type { InspectorPart, InspectorSearch } from './inspector-search.ts';

export interface CallListProps {
  readonly part: InspectorPart;
  readonly calls: readonly Callable[];
  readonly current: Callable | undefined;
  readonly search: InspectorSearch;
}

export function CallList({ part, calls, current, search }: CallListProps): ReactNode {
  const [wanted, setWanted] = useState('');
  const [isOpen, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useActions(
    useMemo(
      () => [
        {
          id: 'search-calls',
          label: words.search,
          keys: '/',
          group: 'page' as const,
          run: () => {
            setOpen(true);
            requestAnimationFrame(() => field.current?.focus());
          },
        },
      ],
      [],
    ),
  );
  const found = calls.filter((call) => fits(call, wanted));
  const groups = Map.groupBy(found, ({ group }) => group);
  return (
    <section aria-label={words.callsTitle} className="min-w-0 border-line p-(--page) lg:border-e">
      <h2 className="mb-2 font-semibold">{words.callsTitle}</h2>
      <button
        type="button"
        aria-expanded={isOpen}
        className={`${buttonClass()} w-full lg:hidden`}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="min-w-0 grow truncate text-start font-mono text-mono">{current?.label ?? words.pickCall}</span>
        <span aria-hidden>{isOpen ? '−' : '+'}</span>
      </button>
      <div className={isOpen ? 'mt-2' : 'hidden lg:block'}>
        <TextField
          label={words.search}
          hideLabel
          type="search"
          placeholder={words.search}
          inputRef={field}
          value={wanted}
          onChange={setWanted}
        />
        <nav
          aria-label={words.callsTitle}
          tabIndex={0}
          className="mt-2 lg:sticky lg:top-16 lg:max-h-[calc(100dvh-14rem)] lg:overflow-y-auto"
        >
          {found.length === 0 ? <p className="py-2 text-soft">{words.noCall}</p> : null}
          {[...groups].map(([group, members]) => (
            <CallGroup
              key={group}
              name={group}
              calls={members}
              current={current}
              part={part}
              search={search}
              onPick={() => setOpen(false)}
            />
          ))}
        </nav>
      </div>
    </section>
  );
}

function fits({ label, summary, group }: Callable, wanted: string): boolean {
  const text = `${group} ${label} ${summary}`.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

interface CallGroupProps extends CallListProps {
  readonly name: string;
  readonly onPick: () => void;
}

function CallGroup({ name, calls, current, part, search, onPick }: CallGroupProps): ReactNode {
  return (
    <>
      <h3 className="mt-3 mb-1 text-xs font-semibold text-soft">
        <FreeText text={name} />
      </h3>
      <ul>
        {calls.map((call) => (
          <li key={call.id}>
            <Link
              to="/v1/monitor/inspector/$part"
              params={{ part }}
              search={{ ...search, call: call.id }}
              aria-current={call === current ? 'true' : undefined}
              className="flex min-h-(--row) items-center border-s-2 py-1 border-transparent px-2 font-mono text-mono -outline-offset-2 hover:bg-sunk aria-[current=true]:border-accent aria-[current=true]:bg-sunk"
              onClick={onPick}
            >
              <FreeText text={call.label} className="min-w-0 break-all" />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
