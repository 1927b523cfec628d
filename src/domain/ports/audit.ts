// The port of the audit for the request pipeline and the loops: a change is on disk before it is answered, a read soon
// after.
import type { AuditEntry, AuditIntent } from '../model/audit-entry.ts';
import type { SystemCaller } from '../model/access/caller.ts';

export interface AuditTrail {
  /** Id of this replica's chain, which its lines go to. */
  readonly chain: string;
  /** @throws DomainError unavailable (audit_unavailable) while lines cannot be written: changes are refused up front */
  mustBeWritable(): void;
  /**
   * Settles when the line is on disk.
   * @throws DomainError unavailable (audit_unavailable) when it cannot be written now; it is written later
   */
  record(entry: AuditEntry): Promise<void>;
  /** For calls that change nothing: written with the next lines. */
  note(entry: AuditEntry): void;
  /** The call changed nothing and gets no line: its intent may be deleted. */
  discard(intent: AuditIntent): void;
  /** A call without a valid credential: one entry per minute and address, with a count. choices-3. */
  recordRefusal(address: string, code: string): void;
}

/** A change that a component of the service is about to make. */
export interface LoopChange {
  readonly action: string;
  readonly resource: string;
}

/** The outcome: `changed` has the entry's metadata, or is undefined when nothing changed. */
export interface LoopOutcome<T> {
  readonly value: T;
  readonly changed: Readonly<Record<string, unknown>> | undefined;
}

/** For the service's own components: their changes are audited as calls are, their reads are not. */
export interface LoopAudit {
  /**
   * Audits a change in the name of the caller.
   * @param work gets the caller with the audit intent, which the store commits together with the change
   * @throws DomainError unavailable (audit_unavailable) while lines cannot be written; what `work` throws
   */
  change<T>(
    caller: SystemCaller,
    about: LoopChange,
    work: (caller: SystemCaller) => Promise<LoopOutcome<T>>,
  ): Promise<T>;
}
