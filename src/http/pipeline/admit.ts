// The hallway: every request of every door goes through it, in this order and no other:
// identify → name the operation → cross → limit → permit → parse → run → the audit.
// A door names the operation (by route, by RPC method, by tool); all else happens here.
import { cross } from '../../domain/access/cross.ts';
import type { Identities } from '../../domain/access/identity/identify.ts';
import type { KnownTenants } from '../../domain/access/known-tenants.ts';
import { permit, type Demand } from '../../domain/access/permit.ts';
import type { Caller } from '../../domain/model/access/caller.ts';
import type { CallLimit } from '../../domain/limits/call-limit.ts';
import type { Spent } from '../../domain/limits/call-window.ts';
import type { CallsInFlight } from '../../domain/limits/calls-in-flight.ts';
import { limitedAs } from '../../domain/limits/limited-as.ts';
import type { UnreadAnswers } from '../../domain/limits/unread-answers.ts';
import type { OpenStreams } from '../../domain/limits/open-streams.ts';
import { DomainError, unauthenticated } from '../../domain/model/errors.ts';
import type { AuditTrail } from '../../domain/ports/audit.ts';
import type { Policy } from '../../domain/ports/policy.ts';
import type { MakeId } from '../../lib/uuid7.ts';
import { AuditedCall } from './audited-call.ts';
import { secondsOf } from './call-limit-headers.ts';
import { FailedCredentials } from './failed-credentials.ts';
import type { Called, Knock } from './knock.ts';

export interface Hallway {
  /** Large answers, of every door, that wait for their readers. */
  readonly unread: UnreadAnswers;
  /** identify. @throws DomainError unauthenticated, limited */
  enter(knock: Knock): Promise<Caller>;
  /**
   * cross, limit, permit; and the audit opens its entry. The door says how the call ended.
   * @throws DomainError limited, forbidden; invalid, not_found for a tenant that is named; unavailable for a change that could
   * not be audited, and when too much is under way
   */
  begin(caller: Caller, knock: Knock, called: Called): Promise<AuditedCall>;
  /** The audit hears of a call that never became an operation: no such path or method, a body that is none. */
  turnedAway(caller: Caller, knock: Knock, called: Pick<Called, 'name' | 'resource'>, error: unknown): void;
}

export interface HallwayDeps {
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

export function openHallway(deps: HallwayDeps): Hallway {
  const failures = new FailedCredentials(deps.now);
  return {
    unread: deps.unread,
    async enter(knock) {
      try {
        return await identify(deps.identities, failures, knock);
      } catch (error) {
        deps.trail.refused(knock.address, error instanceof DomainError ? error.code : 'internal_error');
        throw error;
      }
    },
    turnedAway(caller, knock, called, error) {
      const { name, resource } = called;
      new AuditedCall(deps, caller, knock, { name, resource, permission: 'any_credential', changes: false }).failed(
        error,
      );
    },
    async begin(caller, knock, called) {
      const { crossed, refusal } =
        knock.tenants.length === 0 ? { crossed: caller } : await crossing(deps, caller, knock);
      const call = new AuditedCall(deps, crossed, knock, called);
      try {
        call.takes(deps.inFlight.enter(caller));
        if (called.counted !== undefined) await count(deps, caller, called.counted);
        if (refusal !== undefined) throw refusal;
        const asked = permit(deps.policy, crossed, called.permission, called.also);
        if (asked !== undefined) await asked;
        if (called.changes) {
          deps.unread.mustHaveRoom(caller);
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

async function identify(identities: Identities, failures: FailedCredentials, knock: Knock): Promise<Caller> {
  const token = bearerOf(knock.authorization);
  if (token === undefined) throw unauthenticated();
  const known = identities.recognise(token);
  if (known !== undefined) return known;
  await failures.admit(knock.address, token);
  try {
    const caller = await identities.lookUp(token);
    failures.succeeded(token);
    return caller;
  } catch (error) {
    // A valid token that may nothing here, or one that nobody could judge, is not a wrong one.
    if (error instanceof DomainError && error.kind === 'unauthenticated') await failures.failed(knock.address);
    throw error;
  }
}

/** A crossing that is refused is audited too, in the caller's own tenant. */
async function crossing(
  deps: HallwayDeps,
  caller: Caller,
  knock: Knock,
): Promise<{ readonly crossed: Caller; readonly refusal?: unknown }> {
  try {
    return { crossed: await cross(deps, caller, knock.tenants) };
  } catch (refusal) {
    return { crossed: caller, refusal };
  }
}

async function count(deps: HallwayDeps, caller: Caller, tell: (spent: Spent) => void): Promise<void> {
  const spent = await deps.callLimit.spend(limitedAs(caller));
  tell(spent);
  if (spent.allowed) return;
  throw new DomainError(
    'limited',
    'rate_limited',
    `This credential has used its ${spent.limit} calls of this minute. Try again when Retry-After is over.`,
    { retryAfterSeconds: secondsOf(spent.waitMs) },
  );
}

/** The one token of the one header; undefined when there is none that could be one. */
function bearerOf(headers: readonly string[]): string | undefined {
  const [header, second] = headers;
  if (header === undefined || second !== undefined) return undefined;
  return /^Bearer ([\x21-\x7e]{1,8192})$/i.exec(header)?.[1];
}

/** Whether a demand is for more than a look. */
export function demandsChange(demand: Demand): boolean {
  const wanted = typeof demand === 'string' ? [demand] : demand.anyOf;
  return !wanted.every((permission) => permission.endsWith(':read'));
}
