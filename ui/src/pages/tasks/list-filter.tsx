// The filter of the list: words in a field, the same as menus, and the filters of now as chips to drop.
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { codebasesQuery } from '../../data/fleet.ts';
import { Button } from '../../parts/controls/button.tsx';
import { SelectField, TextField } from '../../parts/controls/field.tsx';
import { useMe } from '../../session/use-me.ts';
import { taskListWords as words } from '../../words/en-tasks.ts';
import { filterWords, parseFilterWords } from './filter-words.ts';
import { taskListSearch, type TaskListSearch } from './task-list-search.ts';

export function ListFilter({ search }: { readonly search: TaskListSearch }): ReactNode {
  const navigate = useNavigate();
  const current = filterWords(search);
  const [text, setText] = useState(current);
  useEffect(() => setText(current), [current]);
  const mayRead = useMe()?.permissions.includes('codebases:read') === true;
  const { data: codebases = [] } = useQuery({ ...codebasesQuery(), enabled: mayRead });
  const go = (next: TaskListSearch): void => void navigate({ to: '/v1/monitor/tasks', search: next });
  return (
    <div className="flex flex-wrap items-end gap-2 px-(--page) py-3">
      <form
        role="search"
        data-filter
        className="flex min-w-60 flex-1 gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          go(taskListSearch(parseFilterWords(text)));
        }}
      >
        <TextField
          className="flex-1"
          label={words.filter}
          hideLabel
          type="search"
          value={text}
          onChange={setText}
          placeholder={words.filterPlaceholder}
        />
        <Button type="submit">{words.apply}</Button>
      </form>
      <SelectField
        className="w-40"
        label={words.codebase}
        hideLabel
        value={search.codebase ?? ''}
        onChange={(codebase) => go({ ...search, codebase: codebase === '' ? undefined : codebase })}
        choices={[
          { value: '', label: words.anyCodebase },
          ...codebases.map(({ codebase_id, name }) => ({ value: codebase_id, label: name })),
        ]}
      />
      <SelectField
        className="w-44"
        label={words.sortLabel}
        hideLabel
        value={search.sort ?? 'created'}
        onChange={(sort) => go({ ...search, sort: sort === 'created' ? undefined : sort })}
        choices={(['created', 'updated', 'priority'] as const).map((sort) => ({
          value: sort,
          label: words.sort[sort],
        }))}
      />
    </div>
  );
}
