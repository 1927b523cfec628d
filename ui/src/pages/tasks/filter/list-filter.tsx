// The filter of the list: words in a field, the same as menus behind a button, and the filters in use as chips to drop.
import { useNavigate } from '@tanstack/react-router';
import { SlidersHorizontal } from 'lucide-react';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { Button } from '../../../parts/controls/button.tsx';
import { TextField } from '../../../parts/controls/field.tsx';
import { taskListWords as words } from '../../../words/tasks/en-tasks.ts';
import { taskListSearch, type TaskListSearch } from '../task-list-search.ts';
import { FilterChips } from './filter-chips.tsx';
import { useFilterThings } from './filter-facts.ts';
import { filterWords, parseFilterWords } from './filter-words.ts';

const FilterSheet = lazy(async () => ({ default: (await import('./filter-sheet.tsx')).FilterSheet }));

export interface ListFilterProps {
  readonly search: TaskListSearch;
  /** How many tasks fit, as text. */
  readonly fitting: string | undefined;
}

export function ListFilter({ search, fitting }: ListFilterProps): ReactNode {
  const navigate = useNavigate();
  const things = useFilterThings();
  const current = filterWords(search, things);
  const [text, setText] = useState(current);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setText(current), [current]);
  return (
    <div className="grid gap-2 px-(--page) py-3">
      <form
        role="search"
        data-filter
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void navigate({ to: '/v1/monitor/tasks', search: taskListSearch(parseFilterWords(text, things)) });
        }}
      >
        <TextField
          className="min-w-0 flex-1"
          label={words.filter}
          hideLabel
          type="search"
          value={text}
          onChange={setText}
          placeholder={words.filterPlaceholder}
        />
        <Button type="submit">{words.apply}</Button>
        <Button label={words.filtersTitle} onClick={() => setOpen(true)}>
          <SlidersHorizontal size={16} strokeWidth={1.75} aria-hidden />
          <span className="hidden md:inline">{words.filtersTitle}</span>
        </Button>
      </form>
      <FilterChips search={search} hideStatus />
      {isOpen ? (
        <Suspense>
          <FilterSheet search={search} fitting={fitting} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
