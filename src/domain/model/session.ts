// The noun session: a conversation of a worker's agent in a codebase, as the worker uploaded it. core-2.7.

export interface Session {
  readonly sessionId: string;
  readonly codebaseId: string;
  readonly workerId: string | null;
  readonly title: string;
  readonly agent: string | null;
  readonly startedAt: string | null;
  readonly lastActivityAt: string;
  readonly messageCount: number;
  readonly toolUsage: Record<string, number>;
  readonly metadata: Record<string, unknown>;
}

export interface SessionMessage {
  readonly messageId: string;
  readonly role: string;
  readonly summary: string;
  readonly at: string;
  readonly toolUsage: Record<string, number>;
}
