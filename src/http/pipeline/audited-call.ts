// One call of an operation: its audit entry, written when the call ends, and the limits that it holds until then.
import type { ServerResponse } from 'node:http';
import type { CallSlot } from '../../domain/limits/calls-in-flight.ts';
import type { OpenStreams } from '../../domain/limits/open-streams.ts';
import type { AuditIntent, AuditOutcome } from '../../domain/model/audit-entry.ts';
import type { Caller } from '../../domain/model/access/caller.ts';
import { DomainError } from '../../domain/model/errors.ts';
import type { AuditTrail } from '../../domain/ports/audit.ts';
import type { MakeId } from '../../lib/uuid7.ts';
import type { OperationRef, InboundRequest } from './inbound-request.ts';
import { RpcError } from '../wire/rpc-envelope.ts';

interface CallDeps {
  readonly trail: AuditTrail;
  readonly streams: OpenStreams;
  readonly makeId: MakeId;
  readonly now: () => number;
}

export class AuditedCall {
  /** The caller. For a change it carries the audit intent that the store commits with the change. */
  readonly caller: Caller;
  readonly #trail: AuditTrail;
  readonly #intent: AuditIntent;
  readonly #changes: boolean;
  readonly #streams: OpenStreams;
  #ended = false;
  #isOpen = false;
  #slot: CallSlot | undefined;

  constructor(deps: CallDeps, caller: Caller, request: InboundRequest, operation: OperationRef) {
    this.#trail = deps.trail;
    this.#streams = deps.streams;
    this.#changes = operation.changes;
    this.#intent = buildIntent(deps, caller, request, operation);
    this.caller = operation.changes ? { ...caller, intent: this.#intent, traceparent: request.traceparent } : caller;
  }

  /** False for a call that only reads. */
  get changes(): boolean {
    return this.#changes;
  }

  /** Hands the call its in-flight slot. It is released when the call ends, or waits as a stream. */
  holdSlot(slot: CallSlot): void {
    this.#slot = slot;
  }

  /**
   * Counts the call among the streams of its credential until its connection closes. Repeated calls count once: an operation
   * that changes something calls this before the change, and the code that sends the stream calls it again.
   * @throws DomainError limited
   */
  countAsStream(response: ServerResponse): void {
    if (this.#isOpen) return;
    const close = this.#streams.open(this.caller);
    this.#isOpen = true;
    // The connection may have closed already: `close` is not emitted again.
    if (response.closed) close();
    else response.once('close', close);
  }

  /**
   * Waits for something outside this call. Meanwhile the call counts as an open stream and holds no in-flight slot.
   * @throws DomainError limited
   */
  async awaitExternal<T>(response: ServerResponse, work: () => Promise<T>): Promise<T> {
    this.countAsStream(response);
    this.#slot?.release();
    try {
      return await work();
    } finally {
      if (!this.#ended) this.#slot?.reacquire();
    }
  }

  /**
   * Records success. For a change it resolves once the audit entry is on disk: send the answer only then.
   * @throws DomainError unavailable when the entry cannot be written
   */
  async succeeded(): Promise<void> {
    if (this.#ended) return;
    this.#end();
    const entry = { ...this.#intent, outcome: 'success' as const };
    if (this.#changes) await this.#trail.record(entry);
    else this.#trail.note(entry);
  }

  /** Ends a call that only read, without an entry: an earlier entry of the same reader stands for it. */
  folded(): void {
    if (this.#changes) throw new Error('a change has an audit entry of its own');
    if (!this.#ended) this.#end();
  }

  #end(): void {
    this.#ended = true;
    this.#slot?.release();
  }

  /** Records that the call was rejected or broke. */
  failed(error: unknown): void {
    if (this.#ended) return;
    this.#end();
    const code = errorCodeOf(error);
    this.#trail.note({ ...this.#intent, metadata: { ...this.#intent.metadata, code }, outcome: auditOutcomeOf(error) });
  }
}

function buildIntent(deps: CallDeps, caller: Caller, request: InboundRequest, operation: OperationRef): AuditIntent {
  return {
    id: deps.makeId(),
    at: deps.now(),
    tenantId: caller.tenantId,
    actor: caller.subject,
    action: operation.name,
    resource: operation.resource,
    metadata: {
      request_id: request.requestId,
      credential: caller.credentialId,
      ...tenantOverrideOf(caller, request),
    },
    ip: request.address,
    sessionId: caller.sessionId ?? null,
    chain: deps.trail.chain,
    trace: { rows: [] },
  };
}

/** Metadata of a tenant override: the home tenant, or the requested tenant where the override was rejected. choices-4. */
function tenantOverrideOf(caller: Caller, { tenants }: InboundRequest): Record<string, string> {
  if (caller.homeTenantId !== caller.tenantId) return { crossed_from: caller.homeTenantId };
  return tenants.length === 0 ? {} : { tenant_named: tenants.join(', ').slice(0, 100) };
}

function errorCodeOf(error: unknown): string {
  if (error instanceof DomainError) return error.code;
  return error instanceof RpcError ? `rpc_${error.code}` : 'internal_error';
}

function auditOutcomeOf(error: unknown): AuditOutcome {
  const denied = error instanceof DomainError && ['forbidden', 'unauthenticated', 'limited'].includes(error.kind);
  return denied ? 'denied' : 'failure';
}
