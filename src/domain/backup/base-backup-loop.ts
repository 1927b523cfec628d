// The loop backup: takes base backups, keeps what recovery needs, and says when it cannot. platform-6.
//
// The service goes on whatever the state of BACKUP_DIR. The log that cannot be stored waits on the disk of the database; when
// too much of it waits it is dropped, and the next base backup closes the gap.
import type { BaseBackup, BaseBackups } from '../ports/recovery/base-backups.ts';
import { isBaseDue, superfluousBases } from './retention.ts';

export interface BaseBackupLoopDeps {
  readonly bases: BaseBackups;
  readonly everyHours: number;
  readonly keepDays: number;
  /** Bytes of the log that may wait on the disk of the database. */
  readonly maxWaitingBytes: number;
  readonly now: () => number;
  readonly log: (line: string, details?: unknown) => void;
}

export interface BackupState {
  /** Why there is no good backup of this moment; undefined: all is well. */
  readonly problem: string | undefined;
  /** Milliseconds since 1970 of the end of the newest whole base backup; undefined: there is none. */
  readonly lastGoodAt: number | undefined;
}

/** A failed base backup is tried again after this long. */
const retryMs = 60_000;

/** Disposing it ends a base backup that is being taken. */
export class BaseBackupLoop implements AsyncDisposable {
  readonly #deps: BaseBackupLoopDeps;
  readonly #stop = new AbortController();
  /** The base backup that is being taken: it may take an hour, and the log is looked after meanwhile. */
  #taking: Promise<void> | undefined;
  #state: BackupState = { problem: undefined, lastGoodAt: undefined };
  /** A base backup is due whatever the age of the newest one is: the log has a gap after it. */
  #hasGap = false;
  #failedAtMs: number | undefined;
  /** While base backups fail: why. */
  #failure: string | undefined;

  constructor(deps: BaseBackupLoopDeps) {
    this.#deps = deps;
  }

  get state(): BackupState {
    return this.#state;
  }

  /** @throws what keeps the log from being stored; the state says it too */
  async tick(): Promise<void> {
    try {
      await this.#work();
    } catch (error) {
      this.#set(error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  /** Settles when the base backup that is being taken is whole, or failed. */
  async settled(): Promise<void> {
    await this.#taking;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#taking;
  }

  async #work(): Promise<void> {
    const { bases, now } = this.#deps;
    await this.#limitLog();
    if (await bases.prepare()) {
      this.#hasGap = true;
      this.#deps.log('the log is stored in BACKUP_DIR from now on; a base backup follows');
    }
    const known = await bases.list();
    this.#state = { ...this.#state, lastGoodAt: endOf(known.at(-1)) };
    if (this.#taking === undefined) {
      // A half made base backup is left by a killed service.
      await bases.tidy(superfluousBases(known, now(), this.#deps.keepDays));
      if (this.#isDue(known)) {
        this.#taking = this.#take().finally(() => {
          this.#taking = undefined;
        });
      }
    }
    const { problem } = await bases.archiving();
    this.#set(problem === undefined ? this.#failure : `The log cannot be stored in BACKUP_DIR: ${problem}`);
  }

  /** First of all, for BACKUP_DIR may be the reason why everything else fails. */
  async #limitLog(): Promise<void> {
    const { bases, maxWaitingBytes, log } = this.#deps;
    const { waitingBytes, isDropping, problem } = await bases.archiving();
    if (isDropping || problem === undefined || waitingBytes <= maxWaitingBytes) return;
    await bases.dropLog();
    log('BACKUP_DIR has not taken the log for long; dropping it until it does, so that the disk does not fill up', {
      bytes: waitingBytes,
    });
  }

  #isDue(known: readonly BaseBackup[]): boolean {
    const { now, everyHours } = this.#deps;
    if (this.#failedAtMs !== undefined && now() - this.#failedAtMs < retryMs) return false;
    return this.#hasGap || isBaseDue(known, now(), everyHours);
  }

  /** Never rejects: the state says why it failed. */
  async #take(): Promise<void> {
    const { bases, now, log } = this.#deps;
    try {
      const base = await bases.take(this.#stop.signal);
      this.#hasGap = false;
      this.#failedAtMs = undefined;
      this.#failure = undefined;
      this.#state = { ...this.#state, lastGoodAt: endOf(base) };
      log('base backup taken', { id: base.id, bytes: base.bytes });
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#failedAtMs = now();
      this.#failure = `The last base backup failed: ${error instanceof Error ? error.message : String(error)}`;
      this.#set(this.#failure);
      log('could not take a base backup; will retry in a minute', error);
    }
  }

  #set(problem: string | undefined): void {
    this.#state = { ...this.#state, problem };
  }
}

function endOf(base: BaseBackup | undefined): number | undefined {
  return base === undefined ? undefined : Date.parse(base.endedAt);
}
