// One call on its way through the house: what the audit will say of it, once it has ended.
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
  /** Who calls; for a change it carries the intent that the store commits with it. */
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

  /** Whether it does more than look. */
  get changes(): boolean {
    return this.#changes;
  }

  /** The call leaves its place when it has ended, or its stream has begun. */
  holdSlot(slot: CallSlot): void {
    this.#slot = slot;
  }

  /**
   * Counts the call among the streams of its credential until its connection closes or it is answered. More than once is
   * once, so that a call which changes something asks before the change, and whoever sends the stream need not know.
   * @throws DomainError limited
   */
  countAsStream(response: ServerResponse): void {
    if (this.#isOpen) return;
    const close = this.#streams.open(this.caller);
    this.#isOpen = true;
    // Gone while it was looked at: there is no second `close`.
    if (response.closed) close();
    else response.once('close', close);
  }

  /**
   * Waits for something that others do: among the open streams meanwhile, without a place among the calls in flight.
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
   * The call did what it was asked. For a change, settles when its line is on disk: answer after that.
   * @throws DomainError unavailable when the line cannot be written
   */
  async succeeded(): Promise<void> {
    if (this.#ended) return;
    this.#end();
    const entry = { ...this.#intent, outcome: 'success' as const };
    if (this.#changes) await this.#trail.record(entry);
    else this.#trail.note(entry);
  }

  #end(): void {
    this.#ended = true;
    this.#slot?.release();
  }

  /** The call was refused or broke. */
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

/** Both tenants of a crossing; of one that was refused, the tenant that was named. choices-4. */
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
