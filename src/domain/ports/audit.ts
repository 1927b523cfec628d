// What the hallway and the loops ask of the audit: a change is on disk before it is answered, the rest soon after.
import type { AuditEntry } from '../model/audit-entry.ts';

export interface AuditTrail {
  /** @throws DomainError unavailable (audit_unavailable) while lines cannot be written: changes are refused up front */
  mustBeWritable(): void;
  /**
   * Settles when the line is on disk.
   * @throws DomainError unavailable (audit_unavailable) when it cannot be written now; it will be when that is mended
   */
  record(entry: AuditEntry): Promise<void>;
  /** For what changes nothing: written with the next lines. */
  note(entry: AuditEntry): void;
}
