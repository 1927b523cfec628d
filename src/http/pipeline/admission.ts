// An authenticated request on its way to its operation: tenant override, limits, authorization, and its audit entry.
import { overrideTenant } from '../../domain/access/tenants/tenant-override.ts';
import type { KnownTenants } from '../../domain/access/tenants/known-tenants.ts';
import { permit } from '../../domain/access/permit.ts';
import { requirePerson } from '../../domain/access/require-person.ts';
import type { Caller } from '../../domain/model/access/caller.ts';
import type { CallLimit } from '../../domain/limits/call-limit.ts';
import type { RateLimitDecision } from '../../domain/limits/call-window.ts';
import type { CallsInFlight } from '../../domain/limits/calls-in-flight.ts';
import { toLimitedCredential } from '../../domain/limits/limited-credential.ts';
import type { UnreadAnswers } from '../../domain/limits/unread-answers.ts';
import type { OpenStreams } from '../../domain/limits/open-streams.ts';
import { DomainError } from '../../domain/model/errors.ts';
import type { AuditTrail } from '../../domain/ports/audit.ts';
import type { Policy } from '../../domain/ports/policy.ts';
import type { MakeId } from '../../lib/uuid7.ts';
import { AuditedCall } from './audited-call.ts';
import { secondsOf } from './call-limit-headers.ts';
import type { OperationRef, InboundRequest } from './inbound-request.ts';

export interface AdmissionDeps {
  readonly policy: Policy;
  readonly tenants: KnownTenants;
  readonly trail: AuditTrail;
  readonly inFlight: CallsInFlight;
  readonly streams: OpenStreams;
  readonly unread: UnreadAnswers;
  readonly callLimit: Pick<CallLimit, 'spend'>;
  readonly makeId: MakeId;
  readonly now: () => number;
}

/**
 * An authenticated request whose operation is not known yet. Its endpoint settles it exactly once, by `begin`, `reject` or
 * `dismiss`. The caller stays private until `begin` has authorized it, and the application sends no answer to a request whose
 * admission is unsettled: an endpoint that forgets this answers 500.
 */
export class Admission {
  readonly #deps: AdmissionDeps;
  readonly #caller: Caller;
  readonly #request: InboundRequest;
  #settled = false;

  constructor(deps: AdmissionDeps, caller: Caller, request: InboundRequest) {
    this.#deps = deps;
    this.#caller = caller;
    this.#request = request;
  }

  get settled(): boolean {
    return this.#settled;
  }

  /**
   * Overrides the tenant, limits, authorizes, and opens the audit entry. The endpoint reports how the call ended; a call that
   * is rejected here has been audited.
   * @throws DomainError limited, forbidden; invalid, not_found for the tenant of an override; unavailable for a change that
   * could not be audited, and when too many calls are in flight
   */
  async begin(operation: OperationRef): Promise<AuditedCall> {
    this.#settle();
    const deps = this.#deps;
    let caller = this.#caller;
    let rejection: unknown;
    if (this.#request.tenants.length > 0) {
      try {
        caller = await overrideTenant(deps, this.#caller, this.#request.tenants);
      } catch (error) {
        // Thrown below, so that the call is audited in the caller's own tenant.
        rejection = error;
      }
    }
    const call = new AuditedCall(deps, caller, this.#request, operation);
    try {
      call.holdSlot(deps.inFlight.acquire(this.#caller));
      if (operation.onUsage !== undefined) await countCall(deps, this.#caller, operation.onUsage);
      if (rejection !== undefined) throw rejection;
      const decision = permit(deps.policy, caller, operation.permission, operation.additionalPermissions);
      if (decision !== undefined) await decision;
      if (operation.personOnly === true) requirePerson(caller);
      if (operation.changes) {
        deps.unread.assertCapacity(this.#caller);
        deps.trail.mustBeWritable();
      }
    } catch (error) {
      call.failed(error);
      throw error;
    }
    return call;
  }

  /** Audits a request that resolved to no operation: unknown path or method, invalid body. */
  reject({ name, resource }: Pick<OperationRef, 'name' | 'resource'>, error: unknown): void {
    this.#settle();
    const operation = { name, resource, permission: 'any_credential', changes: false } as const;
    new AuditedCall(this.#deps, this.#caller, this.#request, operation).failed(error);
  }

  /** Settles a request that calls nothing, such as a notification. It is not audited. */
  dismiss(): void {
    this.#settle();
  }

  #settle(): void {
    if (this.#settled) throw new Error('the admission is settled already: begin, reject or dismiss it once');
    this.#settled = true;
  }
}

async function countCall(
  deps: AdmissionDeps,
  caller: Caller,
  onUsage: (decision: RateLimitDecision) => void,
): Promise<void> {
  const decision = await deps.callLimit.spend(toLimitedCredential(caller));
  onUsage(decision);
  if (decision.allowed) return;
  throw new DomainError(
    'limited',
    'rate_limited',
    `This credential has used its ${decision.limit} calls of this minute. Try again after Retry-After.`,
    { retryAfterSeconds: secondsOf(decision.waitMs) },
  );
}
