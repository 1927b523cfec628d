// The spool entry of one attempt: its undelivered events and release, on disk only while the service does not take
// them.
import type { Release, WorkerEvent } from '../../contracts/worker.ts';
import type { NewSpoolRecord, Spool } from './spool.ts';

export interface SpoolEntry {
  /** Writes the pending events and release, replacing the entry. */
  write(events: readonly WorkerEvent[], release: Release | null): Promise<void>;
  /** Removes the entry: everything was delivered. */
  settle(): Promise<void>;
  /** The service will never take the entry. @returns the dead-letter file */
  deadLetter(events: readonly WorkerEvent[], release: Release, reason: string): Promise<string | undefined>;
}

/**
 * The spool entry of one lease. Calls run one after the other.
 * @param state `parked`: the spool has an entry for this lease already
 */
export function createSpoolEntry(
  spool: Pick<Spool, 'put' | 'settle' | 'deadLetter'>,
  { task_id, title, lease_token }: Pick<NewSpoolRecord, 'task_id' | 'title' | 'lease_token'>,
  state: 'empty' | 'parked' = 'empty',
): SpoolEntry {
  const lease = { task_id, title, lease_token };
  let last: Promise<unknown> = Promise.resolve();
  let isStored = state === 'parked';

  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  }

  return {
    write: (events, release) =>
      enqueue(async () => {
        isStored = true;
        await spool.put({ ...lease, events: [...events], release });
      }),
    settle: () =>
      enqueue(async () => {
        if (isStored) await spool.settle(lease_token);
        isStored = false;
      }),
    deadLetter: (events, release, reason) =>
      enqueue(() => {
        isStored = false;
        return spool.deadLetter({ ...lease, events: [...events], release }, reason);
      }),
  };
}
