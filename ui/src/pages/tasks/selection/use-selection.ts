// The tasks that are selected in the list: one by one, by ranges, or all that fit the filter.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Task } from '../../../data/tasks/tasks.ts';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** All that fit the filter, loaded or not. */
  readonly isAll: boolean;
  readonly toggle: (index: number, isSelected: boolean, range: boolean) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
}

export function useSelection(tasks: readonly Task[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const last = useRef(0);
  const list = useRef(tasks);
  useEffect(() => {
    list.current = tasks;
  }, [tasks]);
  const toggle = useCallback((index: number, isSelected: boolean, range: boolean) => {
    const [from, to] = range ? [Math.min(last.current, index), Math.max(last.current, index)] : [index, index];
    last.current = index;
    setAll(false);
    setIds((before) => {
      const after = new Set(before);
      for (const { id } of list.current.slice(from, to + 1)) {
        if (isSelected) after.add(id);
        else after.delete(id);
      }
      return after;
    });
  }, []);
  const selectAll = useCallback(() => {
    setAll(true);
    setIds(new Set(list.current.map(({ id }) => id)));
  }, []);
  const clear = useCallback(() => {
    setAll(false);
    setIds(new Set());
  }, []);
  return useMemo(() => ({ ids, isAll, toggle, selectAll, clear }), [ids, isAll, toggle, selectAll, clear]);
}
