// The request pipeline. Every request of every endpoint passes through it in this order:
// authenticate → resolve the operation → override the tenant → limit → authorize → parse → run → audit.
// An endpoint resolves the operation (by route, by RPC method, by tool); authentication, limits and audit happen here.
import { overrideTenant } from '../../domain/access/tenant-override.ts';
import type { Identities } from '../../domain/access/identity/configured-tokens.ts';
import type { KnownTenants } from '../../domain/access/known-tenants.ts';
import { permit, type Demand } from '../../domain/access/permit.ts';
import type { Caller } from '../../domain/model/access/caller.ts';
import type { CallLimit } from '../../domain/limits/call-limit.ts';
import type { RateLimitDecision } from '../../domain/limits/call-window.ts';
import type { CallsInFlight } from '../../domain/limits/calls-in-flight.ts';
import { toLimitedCredential } from '../../domain/limits/limited-credential.ts';
import type { UnreadAnswers } from '../../domain/limits/unread-answers.ts';
import type { OpenStreams } from '../../domain/limits/open-streams.ts';
import { DomainError, unauthenticated } from '../../domain/model/errors.ts';
import type { AuditTrail } from '../../domain/ports/audit.ts';
import type { Policy } from '../../domain/ports/policy.ts';
import type { MakeId } from '../../lib/uuid7.ts';
import { AuditedCall } from './audited-call.ts';
import { secondsOf } from './call-limit-headers.ts';
import { FailedCredentials } from './failed-credentials.ts';
import type { OperationRef, InboundRequest } from './inbound-request.ts';

export interface RequestPipeline {
  /** Counts large answers of every endpoint that clients have not read yet. */
  readonly unread: UnreadAnswers;
  /** Identifies the caller. @throws DomainError unauthenticated, limited */
  authenticate(request: InboundRequest): Promise<Caller>;
  /**
   * Overrides the tenant, limits, authorizes, and opens the audit entry. The endpoint reports how the call ended.
   * @throws DomainError limited, forbidden; invalid, not_found for the tenant of an override; unavailable for a change that
   * could not be audited, and when too many calls are in flight
   */
  begin(caller: Caller, request: InboundRequest, operation: OperationRef): Promise<AuditedCall>;
  /** Audits a request that resolved to no operation: unknown path or method, invalid body. */
  reject(
    caller: Caller,
    request: InboundRequest,
    operation: Pick<OperationRef, 'name' | 'resource'>,
    error: unknown,
  ): void;
}

export interface RequestPipelineDeps {
  readonly identities: Identities;
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

export function createRequestPipeline(deps: RequestPipelineDeps): RequestPipeline {
  const failures = new FailedCredentials(deps.now);
  return {
    unread: deps.unread,
    async authenticate(request) {
      try {
        return await identify(deps.identities, failures, request);
      } catch (error) {
        deps.trail.recordRefusal(request.address, error instanceof DomainError ? error.code : 'internal_error');
        throw error;
      }
    },
    reject(caller, request, operation, error) {
      const { name, resource } = operation;
      new AuditedCall(deps, caller, request, { name, resource, permission: 'any_credential', changes: false }).failed(
        error,
      );
    },
    async begin(caller, request, operation) {
      const { effectiveCaller, refusal } =
        request.tenants.length === 0 ? { effectiveCaller: caller } : await tryTenantOverride(deps, caller, request);
      const call = new AuditedCall(deps, effectiveCaller, request, operation);
      try {
        call.holdSlot(deps.inFlight.acquire(caller));
        if (operation.onUsage !== undefined) await countCall(deps, caller, operation.onUsage);
        if (refusal !== undefined) throw refusal;
        const pendingDecision = permit(
          deps.policy,
          effectiveCaller,
          operation.permission,
          operation.additionalPermission,
        );
        if (pendingDecision !== undefined) await pendingDecision;
        if (operation.changes) {
          deps.unread.assertCapacity(caller);
          deps.trail.mustBeWritable();
        }
      } catch (error) {
        call.failed(error);
        throw error;
      }
      return call;
    },
  };
}

async function identify(identities: Identities, failures: FailedCredentials, request: InboundRequest): Promise<Caller> {
  const token = parseBearerToken(request.authorization);
  if (token === undefined) throw unauthenticated();
  const cachedCaller = identities.findConfigured(token);
  if (cachedCaller !== undefined) return cachedCaller;
  await failures.admit(request.address, token);
  try {
    const caller = await identities.lookUp(token);
    failures.succeeded(token);
    return caller;
  } catch (error) {
    // A valid token without access, and a token that could not be checked, do not count as wrong.
    if (error instanceof DomainError && error.kind === 'unauthenticated') await failures.failed(request.address);
    throw error;
  }
}

/** Returns a rejection instead of throwing it, so that the call is audited in the caller's own tenant. */
async function tryTenantOverride(
  deps: RequestPipelineDeps,
  caller: Caller,
  request: InboundRequest,
): Promise<{ readonly effectiveCaller: Caller; readonly refusal?: unknown }> {
  try {
    return { effectiveCaller: await overrideTenant(deps, caller, request.tenants) };
  } catch (refusal) {
    return { effectiveCaller: caller, refusal };
  }
}

async function countCall(
  deps: RequestPipelineDeps,
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

/** The bearer token; undefined without exactly one well-formed header. */
function parseBearerToken(headers: readonly string[]): string | undefined {
  const [header, second] = headers;
  if (header === undefined || second !== undefined) return undefined;
  return /^Bearer ([\x21-\x7e]{1,8192})$/i.exec(header)?.[1];
}

/** True where the demanded permission allows more than reading. */
export function demandsChange(demand: Demand): boolean {
  const permissions = typeof demand === 'string' ? [demand] : demand.anyOf;
  return !permissions.every((permission) => permission.endsWith(':read'));
}
