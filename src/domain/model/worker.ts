// The noun worker: a program on some machine that claims and runs tasks.

export type WorkerStatus = 'active' | 'offline' | 'unregistered';

export interface Worker {
  readonly workerId: string;
  /** The subject of the credential that registered it. */
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
  /** Codebases that it holds. */
  readonly codebaseIds: readonly string[];
  readonly registeredAt: string;
  readonly lastHeartbeatAt: string;
  readonly tasksCompleted: number;
  /** Folders below which callers may name codebases on it, `*` for all; undefined: it declared none. choices-3. */
  readonly codebaseRoots: readonly string[] | undefined;
}

/** A worker's description of itself, from its registration. */
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
