// One row of the list of tasks: a line of columns in a wide window, two lines in a narrow one.
import { Link } from '@tanstack/react-router';
import { memo, type ReactNode, type Ref } from 'react';
import { isEnded, tokensOf, type Task } from '../../../data/tasks/tasks.ts';
import { FreeText } from '../../../parts/marks/free-text.tsx';
import { Age, Ago } from '../../../parts/marks/time.tsx';
import { costText, TaskMark } from '../../../parts/task/task-state.tsx';
import { cleanTitle } from '../../../text/clean.ts';
import { number } from '../../../words/catalogue.ts';
import { taskWords } from '../../../words/tasks/en-task.ts';
import { taskListWords as words } from '../../../words/tasks/en-tasks.ts';
import { RowMenu } from './row-menu.tsx';

/** The columns of the rows and of the head: they are one grid. */
const wideGrid =
  'grid grid-cols-[28px_104px_minmax(0,1fr)_minmax(0,180px)_80px_56px_130px_minmax(0,120px)_32px] items-center gap-x-3 px-(--page)';
const narrowGrid = 'grid grid-cols-[28px_minmax(0,1fr)_auto_44px] items-center gap-x-2 px-(--page)';

export interface TaskRowProps {
  readonly task: Task;
  /** Names of its worker and codebase: the list finds them once for all rows. */
  readonly workerName: string | undefined;
  readonly codebaseName: string | undefined;
  readonly index: number;
  /** Pixels from the top of the list. */
  readonly top: number;
  readonly isWide: boolean;
  readonly isSelected: boolean;
  readonly isCurrent: boolean;
  /** The pointer is over the row. */
  readonly isPointed: boolean;
  readonly measure: Ref<HTMLDivElement> | undefined;
  readonly onSelect: (index: number, isSelected: boolean, range: boolean) => void;
  readonly onFocus: (index: number) => void;
}

export const TaskRow = memo(function TaskRow(props: TaskRowProps): ReactNode {
  const { index, top, isWide, isSelected, isCurrent, measure, onFocus } = props;
  return (
    <div
      ref={measure}
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={`absolute inset-x-0 top-0 border-b border-line hover:bg-sunk aria-selected:bg-sunk ${isWide ? `${wideGrid} h-[calc(var(--row)+1px)]` : `${narrowGrid} min-h-15 py-1.5`} ${isCurrent ? 'bg-sunk' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
      onFocus={() => onFocus(index)}
    >
      {isWide ? <WideCells {...props} /> : <NarrowCells {...props} />}
    </div>
  );
});

function WideCells(props: TaskRowProps): ReactNode {
  const { task, workerName, isCurrent, isPointed } = props;
  const tokens = tokensOf(task);
  return (
    <>
      <SelectCell {...props} />
      <TaskMark task={task} role="cell" />
      <TitleCell {...props} />
      <div role="cell" dir="auto" className="truncate text-sm text-soft">
        {placeOf(task, workerName)}
      </div>
      <div role="cell" className="text-sm text-soft">
        <RowTime task={task} />
      </div>
      <div role="cell" className="text-sm text-soft">
        {task.attempt > 0 ? `${task.attempt}/${task.max_attempts}` : ''}
      </div>
      <div role="cell" className="truncate text-sm text-soft">
        {tokens === undefined ? null : `${number(tokens)} · `}
        {costText(task)}
      </div>
      <div role="cell" dir="auto" className="truncate text-sm text-soft">
        {cleanTitle(task.created_by)}
      </div>
      <div role="cell">{isCurrent || isPointed ? <RowMenu task={task} /> : null}</div>
    </>
  );
}

function NarrowCells(props: TaskRowProps): ReactNode {
  const { task, workerName, codebaseName } = props;
  return (
    <>
      <SelectCell {...props} />
      <TitleCell {...props} codebaseName={undefined} />
      <div role="cell" className="text-sm text-soft">
        <RowTime task={task} />
      </div>
      <div role="cell" className="row-span-2 justify-self-end">
        <RowMenu task={task} />
      </div>
      <div role="cell" className="col-span-2 col-start-2 flex min-w-0 items-center gap-2 text-sm">
        <TaskMark task={task} />
        <bdi dir="auto" className="min-w-0 truncate text-soft">
          {[codebaseName, placeOf(task, workerName)].filter(Boolean).join(' · ')}
        </bdi>
      </div>
    </>
  );
}

function SelectCell({ task, index, isSelected, onSelect, isWide }: TaskRowProps): ReactNode {
  return (
    <div role="cell" className={isWide ? 'flex' : 'row-span-2 flex'}>
      <input
        type="checkbox"
        aria-label={taskWords.selectTask(task.title)}
        className="size-4 accent-(--accent) pointer-coarse:size-6"
        checked={isSelected}
        onChange={(event) =>
          onSelect(index, event.target.checked, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)
        }
      />
    </div>
  );
}

function TitleCell({ task, index, codebaseName }: TaskRowProps): ReactNode {
  return (
    <div role="cell" className="flex min-w-0 items-baseline gap-2">
      <Link
        to="/v1/monitor/tasks/$id"
        params={{ id: task.id }}
        data-row={index}
        dir="auto"
        className="min-w-0 truncate rounded-sm py-0.5 hover:underline"
      >
        {cleanTitle(task.title === '' ? taskWords.untitled : task.title)}
      </Link>
      {codebaseName === undefined ? null : (
        <bdi dir="auto" className="max-w-40 shrink-0 truncate text-xs text-soft">
          {codebaseName}
        </bdi>
      )}
      {task.step === undefined ? null : (
        <span className="shrink-0 text-xs text-soft">
          <FreeText text={words.stepOf(task.step.story_id ?? '', task.step.kind)} />
        </span>
      )}
    </div>
  );
}

function RowTime({ task }: { readonly task: Task }): ReactNode {
  return isEnded(task) && task.started_at !== null ? (
    <Age since={task.started_at} until={task.completed_at} />
  ) : (
    <Ago at={task.created_at} />
  );
}

function placeOf({ agent_type, target_agent }: Task, workerName: string | undefined): string {
  return cleanTitle([agent_type ?? target_agent ?? '', workerName].filter(Boolean).join(' @ '));
}

const columns = ['select', 'state', 'title', 'agent', 'age', 'attempt', 'cost', 'by', 'actions'] as const;
const namelessColumns: readonly string[] = ['select', 'actions'];

export function TaskListHead(): ReactNode {
  return (
    <div
      role="row"
      aria-rowindex={1}
      className={`${wideGrid} sticky top-12 z-10 min-h-8 border-b border-edge bg-ground text-xs text-soft`}
    >
      {columns.map((column) => (
        <div key={column} role="columnheader" className="whitespace-nowrap">
          {namelessColumns.includes(column) ? (
            <span className="sr-only">{words.columns[column]}</span>
          ) : (
            words.columns[column]
          )}
        </div>
      ))}
    </div>
  );
}
