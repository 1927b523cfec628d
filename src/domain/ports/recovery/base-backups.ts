// The port of base backups: copies of the whole cluster in BACKUP_DIR, and the log of changes between them.

export interface BaseBackup {
  /** Its folder's name, in the order of time. */
  readonly id: string;
  /** ISO 8601. The backup can be recovered to any moment after its end that the log reaches. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** The timeline of the log when the backup began. */
  readonly timeline: number;
  readonly startLsn: string;
  readonly endLsn: string;
  readonly bytes: number;
}

export interface LogArchiving {
  /** Why the newest attempt to store the log failed; undefined: it did not. */
  readonly problem: string | undefined;
  /** Bytes of the log that wait for room in BACKUP_DIR, on the disk of the database. */
  readonly waitingBytes: number;
  /** True: the log is dropped, because too much of it waited. */
  readonly isDropping: boolean;
}

export interface BaseBackups {
  /**
   * Makes BACKUP_DIR ready and has the log stored there.
   * @returns true: it was not stored there until now, so earlier backups end before a gap
   * @throws the system's error, and the driver's
   */
  prepare(): Promise<boolean>;
  /** How the log is stored. @throws the driver's error */
  archiving(): Promise<LogArchiving>;
  /** Stores no log any more, so that the disk of the database does not fill up. @throws the driver's error */
  dropLog(): Promise<void>;
  /** Whole ones, oldest first. @throws the system's error */
  list(): Promise<BaseBackup[]>;
  /** @throws the driver's error when it could not be taken whole */
  take(signal: AbortSignal): Promise<BaseBackup>;
  /** Removes these, half made ones, and the log that none of the others needs; compresses the log. @throws the system's error */
  tidy(remove: readonly BaseBackup[]): Promise<void>;
}
