// The spool entry of one attempt: its undelivered events and release, on disk only while the service does not take
// them.
import type { Release, WorkerEvent } from '../../contracts/worker.ts';
import type { NewSpoolRecord, Spool } from './spool.ts';

/** The spool entry of one lease. Calls run one after the other. */
export class SpoolEntry {
  readonly #spool: Pick<Spool, 'put' | 'settle' | 'deadLetter'>;
  readonly #lease: Pick<NewSpoolRecord, 'task_id' | 'title' | 'lease_token'>;
  #isStored: boolean;
  #last: Promise<unknown> = Promise.resolve();

  /** @param state `stored`: the spool has an entry for this lease already */
  constructor(
    spool: Pick<Spool, 'put' | 'settle' | 'deadLetter'>,
    { task_id, title, lease_token }: Pick<NewSpoolRecord, 'task_id' | 'title' | 'lease_token'>,
    state: 'empty' | 'stored' = 'empty',
  ) {
    this.#spool = spool;
    this.#lease = { task_id, title, lease_token };
    this.#isStored = state === 'stored';
  }

  /** Writes the pending events and release, replacing the entry. */
  write(events: readonly WorkerEvent[], release: Release | null): Promise<void> {
    return this.#enqueue(async () => {
      this.#isStored = true;
      await this.#spool.put({ ...this.#lease, events: [...events], release });
    });
  }

  /** Removes the entry: everything was delivered. */
  settle(): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#isStored) await this.#spool.settle(this.#lease.lease_token);
      this.#isStored = false;
    });
  }

  /** The service will never take the entry. @returns the dead-letter file */
  deadLetter(events: readonly WorkerEvent[], release: Release, reason: string): Promise<string | undefined> {
    return this.#enqueue(() => {
      this.#isStored = false;
      return this.#spool.deadLetter({ ...this.#lease, events: [...events], release }, reason);
    });
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
