// The reads of the overview: bounded lists of tasks by state, waiting tasks by route, the figures of the last day.
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { operations } from '../../../../src/client/api.ts';
import { api, dataOf } from '../../api/api.ts';
import { serviceNow } from '../../api/clock.ts';
import type { AnswerOf } from '../../api/answer-of.ts';
import type { Task } from '../../data/tasks/tasks.ts';

type ListQuery = NonNullable<operations['tasks.list']['parameters']['query']>;

/** Without a frame of the stream the lists are read again this often: silence makes no frame. */
const readMs = 15_000;
const mostRunning = 100;
const mostEnded = 20;
const mostStuck = 20;

/** @param query made again for each read: it may hold times */
function useTasks(name: string, query: () => ListQuery): UseQueryResult<readonly Task[]> {
  return useQuery({
    queryKey: ['overview', name],
    queryFn: async () => (await dataOf(api().GET('/v1/agent/tasks', { params: { query: query() } }))).tasks,
    refetchInterval: readMs,
  });
}

function inMinutes(minutes: number): string {
  return new Date(serviceNow() + minutes * 60_000).toISOString();
}

/** Those that are silent longest come first. */
export function useTasksAtWork(): readonly Task[] {
  const { data } = useTasks('running', () => ({ status: 'running', steps: true, limit: mostRunning }));
  return useMemo(() => data?.toSorted((a, b) => lastWordOf(a).localeCompare(lastWordOf(b))) ?? [], [data]);
}

function lastWordOf({ last_event_at, started_at, created_at }: Task): string {
  return last_event_at ?? started_at ?? created_at;
}

export function useTasksJustEnded(): readonly Task[] {
  const { data } = useTasks('ended', () => ({
    status: ['completed', 'failed', 'cancelled'],
    sort: 'updated',
    steps: true,
    limit: mostEnded,
  }));
  return data ?? [];
}

const silentMinutes = 5;
const deadlineMinutes = 10;

export type SlowReason = 'silent' | 'paused' | 'attempts' | 'deadline';

/** Tasks that are slow, each once, with all reasons. */
export function useSlowTasks(): readonly { readonly task: Task; readonly reasons: readonly SlowReason[] }[] {
  const limit = mostStuck;
  const lists = {
    silent: useTasks('silent', () => ({
      status: 'running',
      silent_since: inMinutes(-silentMinutes),
      steps: true,
      limit,
    })).data,
    paused: useTasks('paused', () => ({ status: 'running', paused: true, steps: true, limit })).data,
    attempts: useTasks('attempts', () => ({ status: ['pending', 'running'], attempt_min: 2, steps: true, limit })).data,
    deadline: useTasks('deadline', () => ({
      status: ['pending', 'running'],
      deadline_before: inMinutes(deadlineMinutes),
      steps: true,
      limit,
    })).data,
  };
  const found = new Map<string, { task: Task; reasons: SlowReason[] }>();
  for (const reason of ['silent', 'paused', 'attempts', 'deadline'] as const) {
    for (const task of lists[reason] ?? []) {
      const entry = found.get(task.id) ?? { task, reasons: [] };
      entry.reasons.push(reason);
      found.set(task.id, entry);
    }
  }
  return [...found.values()];
}

export type WaitingRoute = AnswerOf<'monitor.waiting'>['routes'][number];

/** The routes whose tasks a worker does not take in a moment. */
export function useWaitingRoutes(mayRead: boolean): readonly WaitingRoute[] {
  const { data } = useQuery({
    queryKey: ['waiting'],
    queryFn: () => dataOf(api().GET('/v1/monitor/waiting')),
    refetchInterval: readMs,
    enabled: mayRead,
  });
  return data?.routes.filter(({ waiting_reason }) => waiting_reason !== 'claimable') ?? [];
}

const healthMs = 30_000;

export function useHealth(): AnswerOf<'monitor.service_health'> | undefined {
  return useQuery({
    queryKey: ['service-health'],
    queryFn: () => dataOf(api().GET('/v1/monitor/service-health')),
    refetchInterval: healthMs,
  }).data;
}

const dayMs = 24 * 3_600_000;
const stepSeconds = 900;
const historyMs = 5 * 60_000;

export function useLastDay(): UseQueryResult<AnswerOf<'monitor.history'>['points']> {
  return useQuery({
    queryKey: ['history', 'day'],
    queryFn: async () => {
      const query = { from: new Date(serviceNow() - dayMs).toISOString(), step: stepSeconds };
      return (await dataOf(api().GET('/v1/monitor/history', { params: { query } }))).points;
    },
    refetchInterval: historyMs,
  });
}

/** False while the tenant has no task at all; undefined as long as that is not known. */
export function useHasTasks(): boolean | undefined {
  return useQuery({
    queryKey: ['overview', 'any'],
    queryFn: async () => {
      const query = { limit: 1, steps: true };
      return (await dataOf(api().GET('/v1/agent/tasks', { params: { query } }))).tasks.length > 0;
    },
  }).data;
}
