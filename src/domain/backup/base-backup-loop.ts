// The loop backup: takes base backups, keeps what recovery needs, and says when it cannot. platform-6.
//
// Whatever BACKUP_DIR is like, the service goes on. The log that cannot be stored waits on the disk of the database; when
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

export class BaseBackupLoop {
  readonly #deps: BaseBackupLoopDeps;
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

  /** @throws what keeps the log or a base backup from being stored; the state says it too */
  async tick(signal: AbortSignal): Promise<void> {
    try {
      await this.#work(signal);
    } catch (error) {
      this.#set(error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { bases, now } = this.#deps;
    await this.#limitLog();
    if (await bases.prepare()) {
      this.#hasGap = true;
      this.#deps.log('the log is stored in BACKUP_DIR from now on; a base backup follows');
    }
    const known = await bases.list();
    this.#state = { ...this.#state, lastGoodAt: endOf(known.at(-1)) };
    if (this.#isDue(known)) known.push(await this.#take(signal));
    this.#state = { ...this.#state, lastGoodAt: endOf(known.at(-1)) };
    await bases.tidy(superfluousBases(known, now(), this.#deps.keepDays));
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

  async #take(signal: AbortSignal): Promise<BaseBackup> {
    const { bases, now, log } = this.#deps;
    try {
      const base = await bases.take(signal);
      this.#hasGap = false;
      this.#failedAtMs = undefined;
      this.#failure = undefined;
      log('base backup taken', { id: base.id, bytes: base.bytes });
      return base;
    } catch (error) {
      this.#failedAtMs = now();
      this.#failure = `The last base backup failed: ${error instanceof Error ? error.message : String(error)}`;
      throw error;
    }
  }

  #set(problem: string | undefined): void {
    this.#state = { ...this.#state, problem };
  }
}

function endOf(base: BaseBackup | undefined): number | undefined {
  return base === undefined ? undefined : Date.parse(base.endedAt);
}
