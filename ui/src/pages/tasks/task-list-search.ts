// The address of the list of tasks, and the filter of the service that it means.
import type { operations } from '../../../../src/client/api.ts';
import { serviceNow } from '../../api/clock.ts';
import { flagOf, matching, oneOf, someOf, textOf, type RawSearch } from '../../search.ts';

export interface TaskListSearch {
  /** Statuses, separated by commas. */
  readonly status?: string | undefined;
  readonly q?: string | undefined;
  readonly codebase?: string | undefined;
  readonly worker?: string | undefined;
  readonly agent?: string | undefined;
  /** The name that tasks are for: that of an agent or a worker. */
  readonly target?: string | undefined;
  readonly by?: string | undefined;
  /** A span such as `2d`, `6h`, `30m`. */
  readonly since?: string | undefined;
  /** First and last day on which tasks ended, in UTC: `2026-01-01..2026-01-31`. */
  readonly ended?: string | undefined;
  readonly conversation?: string | undefined;
  readonly run?: string | undefined;
  readonly error?: string | undefined;
  readonly steps?: true | undefined;
  readonly sort?: 'updated' | 'priority' | undefined;
}

export const statuses = ['pending', 'running', 'needs_input', 'completed', 'failed', 'cancelled'] as const;
export type Status = (typeof statuses)[number];

export function taskListSearch(raw: RawSearch): TaskListSearch {
  return {
    status: someOf(raw['status'], statuses),
    q: textOf(raw['q']),
    codebase: textOf(raw['codebase']),
    worker: textOf(raw['worker']),
    agent: textOf(raw['agent']),
    target: textOf(raw['target']),
    by: textOf(raw['by']),
    since: matching(raw['since'], /^\d{1,4}[mhd]$/),
    ended: matching(raw['ended'], /^\d{4}-\d{2}-\d{2}\.\.\d{4}-\d{2}-\d{2}$/),
    conversation: textOf(raw['conversation']),
    run: textOf(raw['run']),
    error: textOf(raw['error']),
    steps: flagOf(raw['steps']),
    sort: oneOf(raw['sort'], ['updated', 'priority'] as const),
  };
}

function isStatus(value: string): value is Status {
  return statuses.some((status) => status === value);
}

export const tabs = {
  open: 'pending,running,needs_input',
  questions: 'needs_input',
  failed: 'failed',
  completed: 'completed',
  all: undefined,
} as const;

export type Tab = keyof typeof tabs;
export const tabNames = ['open', 'questions', 'failed', 'completed', 'all'] as const satisfies readonly Tab[];

export function tabOf({ status }: TaskListSearch): Tab | undefined {
  return tabNames.find((tab) => tabs[tab] === status);
}

export type TaskFilter = NonNullable<operations['tasks.list']['parameters']['query']>;

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** The filter of `GET /v1/agent/tasks`. */
export function taskFilterOf(search: TaskListSearch): TaskFilter {
  return {
    status: search.status?.split(',').filter(isStatus),
    q: search.q,
    codebase_id: search.codebase,
    worker_id: search.worker,
    agent_type: search.agent,
    target_agent: search.target,
    created_by: search.by,
    ...endedBetween(search.ended),
    created_after: search.since === undefined ? undefined : startOf(search.since),
    conversation_id: search.conversation,
    ralph_run_id: search.run,
    error_code: search.error,
    steps: search.steps,
    sort: search.sort,
  };
}

const dayMs = 86_400_000;

/** Both days included. */
function endedBetween(days: string | undefined): Pick<TaskFilter, 'ended_after' | 'ended_before'> {
  const [from = '', to = ''] = days?.split('..') ?? [];
  const [begin, end] = [Date.parse(from), Date.parse(to) + dayMs];
  if (Number.isNaN(begin) || Number.isNaN(end)) return {};
  return { ended_after: new Date(begin).toISOString(), ended_before: new Date(end).toISOString() };
}

/** The beginning of the span, on a whole minute: the filter is the key of the answers that are kept. */
function startOf(since: string): string {
  const unit = since.at(-1);
  const ms = unit === 'm' || unit === 'h' || unit === 'd' ? unitMs[unit] : 0;
  const start = serviceNow() - Number.parseInt(since, 10) * ms;
  return new Date(Math.floor(start / 60_000) * 60_000).toISOString();
}

/** True when nothing narrows the list. */
export function isUnfiltered(search: TaskListSearch): boolean {
  return Object.entries(search).every(([key, value]) => key === 'tenant' || value === undefined);
}
