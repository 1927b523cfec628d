// How long tasks waited although a worker that may serve them had a free slot: read from the log of the tasks and their
// runs, so by the database's clock.
import type { Database } from '../../support/database/invariant.ts';
import { intervalsAtCapacity, overlap, without, type Interval } from './intervals.ts';

/** Between one run and the next a slot is free for less. */
const shortMs = 100;

/** A task from when it could be claimed to when it was. */
interface Wait extends Interval {
  readonly taskId: string;
  /** The one worker it is for; undefined: any. */
  readonly workerId: string | undefined;
}

export interface AvoidableWaitsOptions {
  /** Slots of each worker. */
  readonly slots: number;
  /** From when all workers are there to when all tasks are done. */
  readonly observed: Interval;
  /** Stretches in which something was broken, or the machine stood still. */
  readonly holes: readonly Interval[];
}

export interface AvoidableWaits {
  /** The longest time that a task waited beside a free worker, in milliseconds. */
  readonly longestMs: number;
  /** Each that waited for longer than the bound. */
  readonly tooLong: string[];
  /** Tasks that waited outside of every hole from beginning to end. */
  readonly judged: number;
}

/** @param boundMs how long a task may wait beside a free worker, in one piece */
export async function readAvoidableWaits(
  db: Database,
  boundMs: number,
  options: AvoidableWaitsOptions,
): Promise<AvoidableWaits> {
  const { slots, observed, holes } = options;
  const waits = await readPending(db);
  const runs = await db.query<Interval & { worker_id: string }>(
    `select worker_id, ${msOf('started_at')} as from, ${msOf('coalesce(ended_at, now())')} as to from task_runs`,
  );
  const workers = await db.query<{ worker_id: string }>('select worker_id from workers');
  const runsOf = Map.groupBy(runs, (run) => run.worker_id);
  const tooLong: string[] = [];
  let longestMs = 0;
  for (const { worker_id: workerId } of workers) {
    // Slots by the runs that the database knows of: one of a worker that was killed counts until it is put back.
    const busy = intervalsAtCapacity(runsOf.get(workerId) ?? [], slots);
    const free = without(observed, [...busy, ...holes]).filter(({ from, to }) => to - from > shortMs);
    for (const wait of waits) {
      if (wait.workerId !== undefined && wait.workerId !== workerId) continue;
      const waitedMs = Math.max(0, ...free.map((span) => overlap(span, wait)));
      longestMs = Math.max(longestMs, waitedMs);
      if (waitedMs > boundMs)
        tooLong.push(`task ${wait.taskId} waited ${Math.round(waitedMs)} ms beside worker ${workerId}`);
    }
  }
  const isWithin = (atMs: number, { from, to }: Interval): boolean => from <= atMs && atMs <= to;
  const untouched = waits.filter(
    (wait) =>
      isWithin(wait.from, observed) && !holes.some((hole) => isWithin(wait.from, hole) || overlap(hole, wait) > 0),
  );
  return { longestMs, tooLong, judged: untouched.length };
}

/** A hold keeps one worker off a task: none was ever given back here, or the rule would be another. */
async function readPending(db: Database): Promise<Wait[]> {
  const rows = await db.query<Interval & { task_id: string; worker_id: string | null; held_back: boolean }>(
    `select * from (
       select e.task_id, t.target_worker_id as worker_id, t.held_back, e.data->>'status' as status, ${msOf('e.at')} as from,
         ${msOf('coalesce(lead(e.at) over (partition by e.task_id order by e.seq), now())')} as to
       from task_events e join tasks t on t.tenant_id = e.tenant_id and t.id = e.task_id where e.type = 'status'
     ) x where status = 'pending' and not held_back`,
  );
  return rows.map(({ task_id: taskId, worker_id, from, to }) => ({
    taskId,
    workerId: worker_id ?? undefined,
    from,
    to,
  }));
}

function msOf(time: string): string {
  return `(extract(epoch from ${time}) * 1000)::float8`;
}

/** Now, in milliseconds by the database's clock. */
export async function databaseMs(db: Database): Promise<number> {
  const [row] = await db.query<{ ms: number }>(`select ${msOf('clock_timestamp()')} as ms`);
  if (row === undefined) throw new Error('the database does not know the time');
  return row.ms;
}
