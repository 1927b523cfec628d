// The noun audit entry: who did what to which resource, when, and with which outcome. core-2.8, choices-3.

export type AuditOutcome = 'success' | 'failure' | 'denied';

/** A row of the database's outbox that holds intents; it may be deleted once the lines of all of them are on disk. */
export interface IntentRow {
  readonly tenantId: string;
  readonly id: string;
  /** Number of its intents without a line yet. */
  pending: number;
}

/** Filled in by the store while a call runs. */
export interface IntentTrace {
  readonly rows: IntentRow[];
  /** The task that the call created or changed. */
  taskId?: string;
}

/** An audit entry before its call runs. */
export interface AuditIntent {
  /** UUIDv7; the entry's id. */
  readonly id: string;
  /** Milliseconds since 1970 by this process's clock: only the line's date, nothing is decided by it. */
  readonly at: number;
  /** The tenant whose audit contains it; `system` when it concerns no tenant. */
  readonly tenantId: string;
  /** The caller's subject (`service:<component>` of a system caller), else `anonymous`. */
  readonly actor: string;
  /** Name of the operation, e.g. `tasks.create`. */
  readonly action: string;
  /** A path without its query, or a method and its task. */
  readonly resource: string;
  /** Further facts; never a body, a token, a key or a prompt. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly ip: string | null;
  /** The sign-in session that the credential belongs to. */
  readonly sessionId: string | null;
  /** The chain that its line will be in. */
  readonly chain: string;
  readonly trace: IntentTrace;
}

export interface AuditEntry extends AuditIntent {
  readonly outcome: AuditOutcome;
}

/** The tenant of entries that concern no tenant; admins read it with a tenant override. choices-3. */
export const systemTenantId = 'system';
