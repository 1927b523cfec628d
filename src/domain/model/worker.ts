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
  /** Since when it is given nothing more; null: it is not drained. */
  readonly drainedAt: string | null;
  readonly agentsMissing: readonly MissingAgent[];
  /** Bytes at its registration; null: it did not say. */
  readonly diskFree: number | null;
  /** Name and version of its operating system; empty: it did not say. */
  readonly os: string;
}

/** An agent that a worker could run if something were different there. */
export interface MissingAgent {
  readonly name: string;
  readonly reason: string;
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
  readonly agentsMissing?: readonly MissingAgent[] | undefined;
  readonly diskFree?: number | undefined;
  readonly os?: string | undefined;
}
