// The wiring of the hallway: who is known, what each may do, how often each may call.
import { randomBytes } from 'node:crypto';
import { accessTokens } from '../../adapters/oidc/access-tokens.ts';
import { postgresCredentials, postgresTenantRegister } from '../../adapters/postgres/store/credential-crossings.ts';
import { PostgresWindowLedger } from '../../adapters/postgres/store/window-ledger.ts';
import { knownTenants } from '../../domain/access/known-tenants.ts';
import { CallLimit } from '../../domain/limits/call-limit.ts';
import { CallsInFlight } from '../../domain/limits/calls-in-flight.ts';
import { OpenStreams } from '../../domain/limits/open-streams.ts';
import { UnreadAnswers, usualUnread } from '../../domain/limits/unread-answers.ts';
import { openHallway, type Hallway } from '../../http/pipeline/admit.ts';
import { wireAccess, type Access } from './access.ts';
import { elapsedMs, roleOf, type BuildOptions } from './build-options.ts';
import type { Ground } from './ground.ts';

const minuteMs = 60_000;
/**
 * Places for calls in flight, as multiples of a subject's: a tenant has half of them at most, a subject an eighth, whether or
 * not others call. Places that are lent out while nobody else calls are not there when somebody does.
 */
const [subjectsOfTenant, subjectsOfAll] = [4, 8];

/** One hallway for every door. */
export function wireHallway(
  { config, address, now, log }: BuildOptions,
  ground: Ground,
  closing: AsyncDisposableStack,
): { readonly hallway: Hallway; readonly access: Access } {
  const { pool, crossings, store, policy, egress, makeId, audit } = ground;
  const windows = { limit: config.automationCallsPerMinute, windowMs: minuteMs };
  const ledger = closing.use(new PostgresWindowLedger({ address, role: roleOf(config), ...windows, randomBytes }));
  const callLimit = closing.use(new CallLimit({ ledger, ...windows, monotonicNow: elapsedMs }));
  const { maxCallsInFlight: ofSubject } = config;
  const inFlight = new CallsInFlight({
    ofSubject,
    ofTenant: ofSubject * subjectsOfTenant,
    ofAll: ofSubject * subjectsOfAll,
  });
  const streams = new OpenStreams(config.maxStreamsPerCredential);
  const unread = new UnreadAnswers(usualUnread);
  const tenants = knownTenants(crossings, elapsedMs);
  const provider =
    config.oidc === undefined
      ? undefined
      : accessTokens({ ...config.oidc, fetch, egress, isTenant: (id) => tenants.has(id), now, elapsedMs, log });
  const credentials = postgresCredentials(pool);
  const register = postgresTenantRegister(pool);
  const access = wireAccess({ config, credentials, register, store, policy, makeId, elapsedMs, provider });
  const { identities } = access;
  const { trail } = audit;
  return {
    access,
    hallway: openHallway({ unread, callLimit, inFlight, streams, identities, policy, tenants, trail, makeId, now }),
  };
}
