// What one run owes the service, kept on disk while the service does not take it, and no longer.
import type { Release, WorkerEvent } from '../../contracts/worker.ts';
import type { NewSpoolRecord, Spool } from './spool.ts';

export interface SpoolEntry {
  /** Writes what is owed now, in place of what was. */
  write(events: readonly WorkerEvent[], release: Release | null): Promise<void>;
  /** Nothing is owed any more. */
  settle(): Promise<void>;
  /** What is owed will never be taken. @returns the file in which it is kept */
  deadLetter(events: readonly WorkerEvent[], release: Release, reason: string): Promise<string | undefined>;
}

/**
 * The place of one lease in the spool. Calls are carried out one after the other.
 * @param state `parked`: there is something of this lease in the spool already
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
