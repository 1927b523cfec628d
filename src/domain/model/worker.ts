// The noun worker: a program on some machine that takes tasks.

export type WorkerStatus = 'active' | 'offline' | 'unregistered';

export interface Worker {
  readonly workerId: string;
  /** The credential it registered with. */
  readonly subject: string;
  readonly name: string;
  readonly status: WorkerStatus;
  readonly capabilities: readonly string[];
  readonly hostname: string;
  readonly version: string;
  readonly agents: readonly string[];
  readonly models: readonly string[];
  readonly slots: number;
  /** How many tasks it runs now. */
  readonly running: number;
  /** Codebases it holds. */
  readonly codebaseIds: readonly string[];
  readonly registeredAt: string;
  readonly lastHeartbeatAt: string;
  readonly tasksCompleted: number;
  /** Folders below which callers may name codebases on it, `*` for all; undefined: it did not say. choices-3. */
  readonly codebaseRoots: readonly string[] | undefined;
}

/** What a worker says of itself when it registers. */
export interface WorkerProfile {
  readonly name: string;
  readonly capabilities: readonly string[];
  readonly hostname: string;
  readonly version: string;
  readonly agents: readonly string[];
  readonly models: readonly string[];
  readonly slots: number;
  readonly codebaseRoots?: readonly string[] | undefined;
}
