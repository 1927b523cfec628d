// All filters of the list as menus: a dialog, on a phone a sheet. Each choice applies at once.
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { taskProblems } from '../../../data/tasks/task-problems.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { Dialog, DialogActions } from '../../../parts/controls/dialog.tsx';
import { CheckBox, SelectField, TextField, type Choice } from '../../../parts/controls/field.tsx';
import { useMe } from '../../../session/use-me.ts';
import { commonWords } from '../../../words/en-common.ts';
import { taskListWords as words } from '../../../words/tasks/en-tasks.ts';
import { statuses, tabs, type TaskListSearch } from '../task-list-search.ts';
import { useFilterThings } from './filter-facts.ts';

const spans = ['1h', '1d', '7d', '30d'] as const;
const sorts = ['created', 'updated', 'priority'] as const;

export interface FilterSheetProps {
  readonly search: TaskListSearch;
  /** How many tasks fit, as text. */
  readonly fitting: string | undefined;
  readonly onClose: () => void;
}

export function FilterSheet({ search, fitting, onClose }: FilterSheetProps): ReactNode {
  const navigate = useNavigate();
  const { codebases, workers, agents } = useFilterThings();
  const subject = useMe()?.subject;
  const set = (change: Partial<TaskListSearch>): void =>
    void navigate({ to: '/v1/monitor/tasks', search: { ...search, ...change }, replace: true });
  const menu = (
    name: 'status' | 'codebase' | 'worker' | 'agent' | 'by' | 'since' | 'error',
    choices: readonly Choice<string>[],
  ): ReactNode => (
    <SelectField
      label={words.filters[name]}
      value={search[name] ?? ''}
      onChange={(value) => set({ [name]: value === '' ? undefined : value })}
      choices={[{ value: '', label: words.any }, ...withCurrent(choices, search[name])]}
    />
  );
  return (
    <Dialog title={words.filtersTitle} open onClose={onClose} wide>
      <div className="grid gap-4 md:grid-cols-3">
        {menu('status', [
          { value: tabs.open, label: words.tabs.open },
          ...statuses.map((status) => ({ value: status, label: commonWords.states[status] })),
        ])}
        {menu('codebase', codebases.map(toChoice))}
        {menu('worker', workers.map(toChoice))}
        {menu(
          'agent',
          agents.map((agent) => ({ value: agent, label: agent })),
        )}
        {menu('by', subject === undefined ? [] : [{ value: subject, label: words.me }])}
        {menu(
          'since',
          spans.map((span) => ({ value: span, label: words.sinceOf(span) })),
        )}
        {menu(
          'error',
          Object.keys(taskProblems)
            .toSorted()
            .map((code) => ({ value: code, label: code })),
        )}
        <SearchField search={search} onSearch={(q) => set({ q })} />
        <SelectField
          label={words.sortLabel}
          value={search.sort ?? 'created'}
          onChange={(sort) => set({ sort: sort === 'created' ? undefined : sort })}
          choices={sorts.map((sort) => ({ value: sort, label: words.sort[sort] }))}
        />
      </div>
      <p className="mt-4">
        <CheckBox
          label={words.withSteps}
          checked={search.steps === true}
          onChange={(checked) => set({ steps: checked ? true : undefined })}
        />
      </p>
      <DialogActions>
        <Button kind="quiet" onClick={() => void navigate({ to: '/v1/monitor/tasks', search: {}, replace: true })}>
          {words.dropAll}
        </Button>
        <Button kind="primary" onClick={onClose}>
          {words.show(fitting)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function SearchField({
  search,
  onSearch,
}: {
  readonly search: TaskListSearch;
  readonly onSearch: (q: string | undefined) => void;
}): ReactNode {
  const [text, setText] = useState(search.q ?? '');
  return (
    <TextField
      label={words.filters.q}
      type="search"
      value={text}
      onChange={setText}
      onBlur={() => onSearch(text.trim() === '' ? undefined : text.trim())}
    />
  );
}

function toChoice({ id, name }: { readonly id: string; readonly name: string }): Choice<string> {
  return { value: id, label: name };
}

/** The value of the address is a choice too, such as a worker that is gone. */
function withCurrent(choices: readonly Choice<string>[], current: string | undefined): readonly Choice<string>[] {
  if (current === undefined || choices.some(({ value }) => value === current)) return choices;
  return [...choices, { value: current, label: current }];
}
