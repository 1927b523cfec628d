// The columns of a comparison: tasks, or attempts of one task, each with its files.
import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { attemptsQuery, type Attempt } from '../../data/tasks/attempts.ts';
import { changesQuery, type FileChange } from '../../data/tasks/changes.ts';
import { isEnded, taskQuery, type Task } from '../../data/tasks/tasks.ts';
import type { UnansweredQuery } from '../../parts/states/waiting.tsx';
import type { CompareSearch } from './compare-search.ts';

export interface ComparedColumn {
  readonly key: string;
  readonly task: Task;
  /** Undefined: the task as it is. */
  readonly attempt: Attempt | undefined;
  /** The branch and the result of the task are those of this column. */
  readonly isNewest: boolean;
  readonly files: readonly FileChange[];
}

export interface ComparedColumns {
  readonly columns: readonly ComparedColumn[];
  /** A call without an answer, one that failed before others; undefined once all have answered. */
  readonly unanswered: UnansweredQuery | undefined;
}

const most = 4;

/** The asked ids, each once. */
export function idsOf(text: string | undefined): readonly string[] {
  return [...new Set((text ?? '').split(',').filter((id) => id !== ''))].slice(0, most);
}

export function useColumns({ ids, task, attempts }: CompareSearch): ComparedColumns {
  const taskIds = task === undefined ? idsOf(ids) : [task];
  const tasks = useQueries({ queries: taskIds.map((id) => taskQuery(id)) });
  const all = useQuery({ ...attemptsQuery(task ?? ''), enabled: task !== undefined });
  const wanted = useMemo(() => {
    const numbers = idsOf(attempts).map(Number);
    return task === undefined ? undefined : (all.data ?? []).filter(({ place }) => numbers.includes(place));
  }, [task, attempts, all.data]);
  const slots =
    wanted === undefined
      ? taskIds.map((id) => ({ id, attempt: undefined }))
      : wanted.map((attempt) => ({ id: task ?? '', attempt }));
  const changes = useQueries({ queries: slots.map(({ id, attempt }) => changesQuery(id, attempt?.run_id)) });
  const queries = [...tasks, ...changes, ...(task === undefined ? [] : [all])];
  const columns = slots.flatMap(({ id, attempt }, index): ComparedColumn[] => {
    const found = tasks[taskIds.indexOf(id)]?.data;
    const files = changes[index]?.data;
    if (found === undefined || files === undefined) return [];
    const isNewest = attempt === undefined || attempt.place === all.data?.length;
    return [{ key: attempt?.run_id ?? id, task: found, attempt, isNewest, files }];
  });
  const open = queries.filter(({ data }) => data === undefined);
  return { columns, unanswered: open.find(({ isError }) => isError) ?? open[0] };
}

/** Milliseconds from the beginning to the end; undefined while there is no end. */
export function durationOf({ task, attempt }: ComparedColumn): number | undefined {
  const from = attempt?.started_at ?? task.started_at;
  const to = attempt === undefined ? task.completed_at : attempt.ended_at;
  return from === null || to === null ? undefined : Date.parse(to) - Date.parse(from);
}

export function usageOf({ task, attempt }: ComparedColumn): Task['usage'] {
  return attempt === undefined ? task.usage : attempt.usage;
}

/** The last line of the result that counts tests that passed or failed. */
export function testsSaid({ task, isNewest }: ComparedColumn): string | undefined {
  if (!isNewest) return undefined;
  return task.result
    ?.split('\n')
    .findLast((line) => /\b\d+ (?:tests? )?(?:passed|failed|passing|failing)\b/i.test(line));
}

/** The tasks of the other columns that have not ended. */
export function restOf(columns: readonly ComparedColumn[], taken: ComparedColumn): readonly Task[] {
  const others = columns.map(({ task }) => task).filter((task) => task.id !== taken.task.id && !isEnded(task));
  return [...new Map(others.map((task) => [task.id, task])).values()];
}

export interface FileRow {
  readonly path: string;
  /** One for each column; undefined where it did not change the file. */
  readonly changes: readonly (FileChange | undefined)[];
  /** The number of each column's version among the different ones, from 1. */
  readonly versions: readonly (number | undefined)[];
  readonly verdict: 'equal' | 'different' | 'partial';
}

/** All changed files, in the order in which the columns name them. */
export function fileRows(columns: readonly ComparedColumn[]): readonly FileRow[] {
  const byPath = columns.map(({ files }) => new Map(files.map((file) => [file.path, file])));
  const paths = [...new Set(columns.flatMap(({ files }) => files.map(({ path }) => path)))];
  return paths.map((path) => {
    const changes = byPath.map((files) => files.get(path));
    const hashes = [...new Set(changes.flatMap((change) => change?.hash ?? []))];
    const versions = changes.map((change) => (change === undefined ? undefined : hashes.indexOf(change.hash) + 1));
    const verdict = changes.includes(undefined) ? 'partial' : hashes.length === 1 ? 'equal' : 'different';
    return { path, changes, versions, verdict };
  });
}
