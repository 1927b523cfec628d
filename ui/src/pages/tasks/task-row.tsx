// One row of the list of tasks; on a phone it has two lines.
import { Link } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import { isEnded, tokensOf, type Task } from '../../data/tasks.ts';
import { CheckBox } from '../../parts/controls/field.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Age, Ago } from '../../parts/marks/time.tsx';
import { TaskCost, TaskMark } from '../../parts/task/task-state.tsx';
import { taskWords } from '../../words/en-task.ts';
import { taskListWords as words } from '../../words/en-tasks.ts';
import { number } from '../../words/catalogue.ts';

/** The columns of the row and of the head: they are one grid. */
export const rowGrid =
  'grid grid-cols-[28px_minmax(0,1fr)_auto] gap-x-3 px-(--page) lg:grid-cols-[28px_104px_minmax(0,1fr)_180px_90px_56px_130px_110px]';

export interface TaskRowProps {
  readonly task: Task;
  /** Names of its worker and codebase: the list finds them once for all rows. */
  readonly workerName: string | undefined;
  readonly codebaseName: string | undefined;
  readonly index: number;
  readonly isSelected: boolean;
  readonly isCurrent: boolean;
  readonly onSelect: (index: number, isSelected: boolean, range: boolean) => void;
  readonly onFocus: (index: number) => void;
}

export const TaskRow = memo(function TaskRow(props: TaskRowProps): ReactNode {
  const { task, workerName, codebaseName, index, isSelected, isCurrent, onSelect, onFocus } = props;
  const tokens = tokensOf(task);
  const agent = task.agent_type ?? task.target_agent ?? '';
  const place = [agent, workerName].filter(Boolean).join(' @ ');
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={`${rowGrid} min-h-(--row) items-center border-b border-line py-1 ${isCurrent ? 'bg-sunk' : ''} aria-selected:bg-sunk`}
      onFocus={() => onFocus(index)}
    >
      <div role="cell" className="row-span-2 lg:row-span-1">
        <CheckBox
          label={taskWords.selectTask(task.title)}
          hideLabel
          checked={isSelected}
          onChange={(checked, range) => onSelect(index, checked, range)}
        />
      </div>
      <div role="cell" className="order-3 col-start-2 text-sm lg:order-none lg:col-auto">
        <TaskMark task={task} />
      </div>
      <div role="cell" className="order-1 flex min-w-0 items-baseline gap-2 lg:order-none">
        <Link
          to="/v1/monitor/tasks/$id"
          params={{ id: task.id }}
          data-row={index}
          className="min-w-0 truncate rounded-sm py-0.5 hover:underline"
        >
          <FreeText text={task.title === '' ? taskWords.untitled : task.title} />
        </Link>
        {codebaseName === undefined ? null : (
          <span className="hidden max-w-40 truncate text-xs text-soft md:inline">
            <FreeText text={codebaseName} />
          </span>
        )}
        {task.step === undefined ? null : (
          <span className="hidden text-xs text-soft md:inline">
            {words.stepOf(task.step.story_id ?? '', task.step.kind)}
          </span>
        )}
      </div>
      <div role="cell" className="hidden min-w-0 truncate text-sm text-soft lg:block">
        <FreeText text={place} />
      </div>
      <div role="cell" className="order-2 text-sm text-soft lg:order-none">
        {isEnded(task) && task.started_at !== null ? (
          <Age since={task.started_at} until={task.completed_at} />
        ) : (
          <Ago at={task.created_at} />
        )}
      </div>
      <div role="cell" className="hidden text-sm text-soft lg:block">
        {task.attempt > 0 ? `${task.attempt}/${task.max_attempts}` : ''}
      </div>
      <div role="cell" className="hidden truncate text-sm text-soft lg:block">
        {tokens === undefined ? null : `${number(tokens)} · `}
        <TaskCost task={task} />
      </div>
      <div role="cell" className="hidden truncate text-sm text-soft lg:block">
        <FreeText text={task.created_by} />
      </div>
    </div>
  );
});

export function TaskListHead(): ReactNode {
  const columns = ['select', 'state', 'title', 'agent', 'age', 'attempt', 'cost', 'by'] as const;
  return (
    <div
      role="row"
      aria-rowindex={1}
      className={`${rowGrid} sticky top-12 z-10 hidden min-h-8 items-center border-b border-edge bg-ground text-xs text-soft lg:grid`}
    >
      {columns.map((column) => (
        <div key={column} role="columnheader" className="whitespace-nowrap">
          <span className={column === 'select' ? 'sr-only' : ''}>{words.columns[column]}</span>
        </div>
      ))}
    </div>
  );
}
