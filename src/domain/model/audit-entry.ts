// One line of the audit: who did what to what, when, and what came of it. core-2.8, choices-3.

export type AuditOutcome = 'success' | 'failure' | 'denied';

/** A row of the database's outbox that holds intents: it may go once the lines of all of them are on disk. */
export interface IntentRow {
  readonly tenantId: string;
  readonly id: string;
  /** Calls in it whose line is still to come. */
  pending: number;
}

/** What the store notes about a call while it runs. */
export interface IntentTrace {
  readonly rows: IntentRow[];
  /** The task that the call made or changed. */
  taskId?: string;
}

/** What is known of a call before it runs. */
export interface AuditIntent {
  /** UUIDv7; the entry's id. */
  readonly id: string;
  /** Milliseconds since 1970, of this process's clock: it dates the line, it decides nothing. */
  readonly at: number;
  /** The tenant whose view has it; `system` where it concerns none. */
  readonly tenantId: string;
  /** Subject of the caller, `service:<loop>` for the service itself, `anonymous` without a credential. */
  readonly actor: string;
  /** Name of the operation, e.g. `tasks.create`. */
  readonly action: string;
  /** What it is about: a path without its query, or a method and its task. */
  readonly resource: string;
  /** Facts beside it; never a body, a token, a key, a prompt. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly ip: string | null;
  /** Of the sign-in session that the credential belongs to. */
  readonly sessionId: string | null;
  /** The chain that will have its line. */
  readonly chain: string;
  readonly trace: IntentTrace;
}

export interface AuditEntry extends AuditIntent {
  readonly outcome: AuditOutcome;
}

/** The tenant of what concerns no tenant; admins read it by crossing to it. choices-3. */
export const systemTenantId = 'system';
