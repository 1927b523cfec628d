// What one run owes the service, kept on disk while the service does not take it, and no longer.
import type { Release, WorkerEvent } from '../../contracts/worker.ts';
import type { OwedNow, Spool } from './spool.ts';

export interface Parking {
  /** Writes what is owed now, in place of what was. */
  park(events: readonly WorkerEvent[], release: Release | null): Promise<void>;
  /** Nothing is owed any more. */
  settle(): Promise<void>;
  /** What is owed will never be taken. @returns the file in which it is kept */
  bury(events: readonly WorkerEvent[], release: Release, reason: string): Promise<string | undefined>;
}

/**
 * The place of one lease in the spool. Calls are carried out one after the other.
 * @param state `parked`: there is something of this lease in the spool already
 */
export function createParking(
  spool: Pick<Spool, 'put' | 'settle' | 'bury'>,
  { task_id, title, lease_token }: Pick<OwedNow, 'task_id' | 'title' | 'lease_token'>,
  state: 'empty' | 'parked' = 'empty',
): Parking {
  const lease = { task_id, title, lease_token };
  let last: Promise<unknown> = Promise.resolve();
  let parked = state === 'parked';

  function next<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  }

  return {
    park: (events, release) =>
      next(async () => {
        parked = true;
        await spool.put({ ...lease, events: [...events], release });
      }),
    settle: () =>
      next(async () => {
        if (parked) await spool.settle(lease_token);
        parked = false;
      }),
    bury: (events, release, reason) =>
      next(() => {
        parked = false;
        return spool.bury({ ...lease, events: [...events], release }, reason);
      }),
  };
}
