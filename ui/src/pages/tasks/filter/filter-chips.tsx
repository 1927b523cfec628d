// The filters in use as chips: each drops one.
import { useNavigate } from '@tanstack/react-router';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { FreeText } from '../../../parts/marks/free-text.tsx';
import { cleanTitle } from '../../../text/clean.ts';
import { taskListWords as words } from '../../../words/tasks/en-tasks.ts';
import type { TaskListSearch } from '../task-list-search.ts';
import { filterFacts, useFilterThings } from './filter-facts.ts';

/** @param hideStatus where tabs show the status */
export function FilterChips({
  search,
  hideStatus = false,
}: {
  readonly search: TaskListSearch;
  readonly hideStatus?: boolean;
}): ReactNode {
  const navigate = useNavigate();
  const things = useFilterThings();
  const facts = filterFacts(search, things).filter(({ filter }) => !hideStatus || filter !== 'status');
  if (facts.length === 0) return null;
  return (
    <ul aria-label={words.chips} className="flex flex-wrap gap-2">
      {facts.map(({ filter, text }) => (
        <li key={filter}>
          <button
            type="button"
            aria-label={words.drop(cleanTitle(text))}
            className="inline-flex min-h-7 max-w-80 items-center gap-1.5 rounded-sm border border-line bg-paper px-2 text-sm hover:border-edge pointer-coarse:min-h-(--control)"
            onClick={() => void navigate({ to: '/v1/monitor/tasks', search: { ...search, [filter]: undefined } })}
          >
            <span className="truncate">
              <FreeText text={text} />
            </span>
            <X size={14} strokeWidth={1.75} aria-hidden className="shrink-0 text-soft" />
          </button>
        </li>
      ))}
    </ul>
  );
}
