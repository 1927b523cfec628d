// The rows of the list: those in sight are drawn, and the next page is read as one comes near to the end.
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useImperativeHandle, useRef, useState, type ReactNode, type Ref } from 'react';
import { useCodebaseName, useWorkerName } from '../../../data/fleet/fleet.ts';
import type { Task } from '../../../data/tasks/tasks.ts';
import { useDisplay } from '../../../display/display.ts';
import { useMedia } from '../../../parts/use-media.ts';
import { taskListWords as words } from '../../../words/tasks/en-tasks.ts';
import { TaskListHead, TaskRow } from './task-row.tsx';
import type { Selection } from '../selection/use-selection.ts';
import type { TaskList } from '../use-task-list.ts';

/** Heights of a row with its line. */
const heights = { normal: 33, dense: 29, narrow: 61 } as const;
/** Rows before the end at which the next page is read. */
const ahead = 40;
const overscan = 3;

export interface TaskRowsHandle {
  focusRow(index: number): void;
}

export interface TaskRowsProps {
  readonly ref: Ref<TaskRowsHandle>;
  readonly query: TaskList['query'];
  readonly tasks: readonly Task[];
  readonly selection: Selection;
  readonly current: number;
  readonly onCurrent: (index: number) => void;
}

export function TaskRows({ ref, query, tasks, selection, current, onCurrent }: TaskRowsProps): ReactNode {
  const workerName = useWorkerName();
  const codebaseName = useCodebaseName();
  const { density } = useDisplay();
  const list = useRef<HTMLDivElement>(null);
  const isWide = useMedia('(min-width: 1101px) and (pointer: fine)');
  const rows = useWindowVirtualizer({
    count: tasks.length,
    // Rows of a wide window have one height; measuring each would cost a layout a row.
    estimateSize: () => (isWide ? heights[density] : heights.narrow),
    overscan,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => tasks[index]?.id ?? index,
  });
  useEffect(() => rows.measure(), [rows, isWide, density]);
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= tasks.length - ahead) void fetchNextPage();
  }, [last, tasks.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  useImperativeHandle(ref, () => ({
    focusRow(index) {
      rows.scrollToIndex(index, { align: 'auto' });
      requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-row="${index}"]`)?.focus());
    },
  }));
  const pointed = usePointedRow(list);
  return (
    <div role="table" aria-label={words.tableName} aria-rowcount={hasNextPage ? -1 : tasks.length + 1}>
      {isWide ? <TaskListHead /> : null}
      <div ref={list} role="rowgroup" className="relative" style={{ height: rows.getTotalSize() }}>
        {items.map(({ key, index, start }) => {
          const task = tasks[index];
          return task === undefined ? null : (
            <TaskRow
              key={key}
              task={task}
              workerName={task.worker_id === null ? undefined : workerName(task.worker_id)}
              codebaseName={task.codebase_id === null ? undefined : codebaseName(task.codebase_id)}
              index={index}
              top={start - rows.options.scrollMargin}
              isWide={isWide}
              measure={isWide ? undefined : rows.measureElement}
              isSelected={selection.ids.has(task.id)}
              isCurrent={current === index}
              isPointed={pointed === index}
              onSelect={selection.toggle}
              onFocus={onCurrent}
            />
          );
        })}
      </div>
    </div>
  );
}

/** The row under the pointer, by one listener for all: its menu is drawn there alone. */
function usePointedRow(list: { readonly current: HTMLElement | null }): number {
  const [pointed, setPointed] = useState(-1);
  useEffect(() => {
    const element = list.current;
    const onOver = ({ target }: PointerEvent): void => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
      setPointed(row === null ? -1 : Number(row.dataset['index']));
    };
    const onLeave = (): void => setPointed(-1);
    element?.addEventListener('pointerover', onOver);
    element?.addEventListener('pointerleave', onLeave);
    return () => {
      element?.removeEventListener('pointerover', onOver);
      element?.removeEventListener('pointerleave', onLeave);
    };
  }, [list]);
  return pointed;
}
