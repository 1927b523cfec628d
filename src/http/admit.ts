// The hallway: every request of every door goes through it, in this order and no other:
// identify → limit → name the operation → permit → parse → run.
// A door names the operation (by route, by RPC method, by tool); all else happens here.
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { unauthenticated, type Identities } from '../domain/access/identify.ts';
import { permit, type Demand } from '../domain/access/permit.ts';
import type { Caller } from '../domain/model/caller.ts';
import { DomainError } from '../domain/model/errors.ts';

/** What a door knows of a request before it reads its body. */
export interface Credentials {
  /** Every `Authorization` header that came; more than one is refused. */
  readonly authorization: readonly string[];
  readonly address: string;
}

export interface Hallway {
  /** identify, limit. @throws DomainError unauthenticated, limited */
  enter(credentials: Credentials): Promise<Caller>;
  /** permit. @throws DomainError forbidden */
  permit(caller: Caller, demand: Demand): void;
}

/** Wrong tokens an address may try in a minute before it has to wait; a call without any gets its 401 always. */
const failuresPerMinute = 30;

export function openHallway(identities: Identities): Hallway {
  const failures = new RateLimiterMemory({ points: failuresPerMinute, duration: 60 });
  return {
    async enter(credentials) {
      const token = bearerOf(credentials.authorization);
      if (token === undefined) throw unauthenticated();
      const tried = await failures.get(credentials.address);
      if (tried !== null && tried.remainingPoints <= 0) throw tooManyFailures(tried.msBeforeNext);
      try {
        return identities.identify(token);
      } catch (error) {
        // A rejection says that the points are used up; the next try is told so.
        await failures.consume(credentials.address).catch(() => undefined);
        throw error;
      }
    },
    permit,
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
