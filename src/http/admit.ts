// The hallway: every request of every door goes through it, in this order and no other:
// identify → limit → name the operation → permit → parse → run → the audit.
// A door names the operation (by route, by RPC method, by tool); all else happens here.
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { unauthenticated, type Identities } from '../domain/access/identify.ts';
import { permit, type Demand } from '../domain/access/permit.ts';
import type { Caller } from '../domain/model/caller.ts';
import { DomainError } from '../domain/model/errors.ts';
import type { AuditTrail } from '../domain/ports/audit.ts';
import type { Policy } from '../domain/ports/policy.ts';
import type { MakeId } from '../lib/uuid7.ts';
import { AuditedCall } from './audited-call.ts';
import type { Called, Knock } from './knock.ts';

export interface Hallway {
  /** identify, limit. @throws DomainError unauthenticated, limited */
  enter(knock: Knock): Promise<Caller>;
  /**
   * permit; and the audit opens its entry. The door says how the call ended.
   * @throws DomainError forbidden; unavailable for a change that could not be audited
   */
  begin(caller: Caller, knock: Knock, called: Called): Promise<AuditedCall>;
}

export interface HallwayDeps {
  readonly identities: Identities;
  readonly policy: Policy;
  readonly trail: AuditTrail;
  readonly makeId: MakeId;
  readonly now: () => number;
}

/** Wrong tokens an address may try in a minute before it has to wait; a call without any gets its 401 always. */
const failuresPerMinute = 30;

export function openHallway(deps: HallwayDeps): Hallway {
  const failures = new RateLimiterMemory({ points: failuresPerMinute, duration: 60 });
  return {
    async enter(knock) {
      const token = bearerOf(knock.authorization);
      if (token === undefined) throw unauthenticated();
      const tried = await failures.get(knock.address);
      if (tried !== null && tried.remainingPoints <= 0) throw tooManyFailures(tried.msBeforeNext);
      try {
        return await deps.identities.identify(token);
      } catch (error) {
        // A rejection says that the points are used up; the next try is told so.
        await failures.consume(knock.address).catch(() => undefined);
        throw error;
      }
    },
    async begin(caller, knock, called) {
      const call = new AuditedCall(deps, caller, knock, called);
      try {
        await permit(deps.policy, caller, called.permission);
        if (called.changes) deps.trail.mustBeWritable();
      } catch (error) {
        call.failed(error);
        throw error;
      }
      return call;
    },
  };
}

/** The one token of the one header; undefined when there is none that could be one. */
function bearerOf(headers: readonly string[]): string | undefined {
  const [header, second] = headers;
  if (header === undefined || second !== undefined) return undefined;
  return /^Bearer ([\x21-\x7e]{1,8192})$/i.exec(header)?.[1];
}

function tooManyFailures(msBeforeNext: number): DomainError {
  return new DomainError(
    'limited',
    'too_many_failures',
    'Too many wrong tokens came from this address. Wait, then try with a valid one.',
    { retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) },
  );
}

/** Whether a demand is for more than a look. */
export function demandsChange(demand: Demand): boolean {
  const wanted = typeof demand === 'string' ? [demand] : demand.anyOf;
  return !wanted.every((permission) => permission.endsWith(':read'));
}
