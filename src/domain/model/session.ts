// The noun session: what a worker tells of its agents' conversations in a codebase. core-2.7.

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
