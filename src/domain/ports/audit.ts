// What the hallway and the loops ask of the audit: a change is on disk before it is answered, the rest soon after.
import type { AuditEntry, AuditIntent } from '../model/audit-entry.ts';
import type { TenantScope } from './store/queue.ts';

export interface AuditTrail {
  /** Id of the chain that the lines go to: this replica's. */
  readonly chain: string;
  /** @throws DomainError unavailable (audit_unavailable) while lines cannot be written: changes are refused up front */
  mustBeWritable(): void;
  /**
   * Settles when the line is on disk.
   * @throws DomainError unavailable (audit_unavailable) when it cannot be written now; it will be when that is mended
   */
  record(entry: AuditEntry): Promise<void>;
  /** For what changes nothing: written with the next lines. */
  note(entry: AuditEntry): void;
  /** Nothing came of it and no line will: what the store kept of it may go. */
  discard(intent: AuditIntent): void;
  /** A call without a valid credential: one entry a minute and address, with a count. choices-3. */
  recordRefusal(address: string, code: string): void;
}

/** What a loop is about to change. */
export interface LoopChange {
  readonly loop: string;
  readonly tenantId: string;
  readonly action: string;
  readonly resource: string;
}

/** What came of it: `metadata` where it changed something, undefined where it found nothing to change. */
export interface LoopOutcome<T> {
  readonly value: T;
  readonly changed: Readonly<Record<string, unknown>> | undefined;
}

/** For the service's own loops: what they change is audited as a call is, what they only look at is not. */
export interface LoopAudit {
  /** @throws DomainError unavailable (audit_unavailable) while lines cannot be written; what `work` throws */
  change<T>(about: LoopChange, work: (tenant: TenantScope) => Promise<LoopOutcome<T>>): Promise<T>;
}
