// Wires the request pipeline: authentication, permissions, rate limits.
import { randomBytes } from 'node:crypto';
import { accessTokens } from '../../adapters/oidc/access-tokens.ts';
import { postgresCredentials, postgresTenantRegister } from '../../adapters/postgres/store/credential-queries.ts';
import { PostgresWindowLedger } from '../../adapters/postgres/store/window-ledger.ts';
import { knownTenants } from '../../domain/access/tenants/known-tenants.ts';
import { CallLimit } from '../../domain/limits/call-limit.ts';
import { CallsInFlight } from '../../domain/limits/calls-in-flight.ts';
import { OpenStreams } from '../../domain/limits/open-streams.ts';
import { UnreadAnswers, defaultUnreadBounds } from '../../domain/limits/unread-answers.ts';
import { createRequestPipeline, type RequestPipeline } from '../../http/pipeline/request-pipeline.ts';
import { wireAccess, type Access } from './access.ts';
import { elapsedMs, databaseRole, type BuildOptions } from './build-options.ts';
import type { Services } from './services.ts';

const minuteMs = 60_000;
/**
 * Limits of concurrent calls, as multiples of a subject's: a tenant gets at most half of the total and a subject an
 * eighth, even while others are idle. Capacity lent to one tenant would be missing when another calls.
 */
const [tenantCallMultiple, totalCallMultiple] = [4, 8];

/** Builds the one pipeline that every route uses. */
export function wireRequestPipeline(
  { config, address, now, log }: BuildOptions,
  services: Services,
  closing: AsyncDisposableStack,
): { readonly pipeline: RequestPipeline; readonly access: Access } {
  const { pool, crossTenant, store, policy, egress, makeId, audit } = services;
  const windows = { limit: config.automationCallsPerMinute, windowMs: minuteMs };
  const ledger = closing.use(
    new PostgresWindowLedger({ address, role: databaseRole(config), ...windows, randomBytes }),
  );
  const callLimit = closing.use(new CallLimit({ ledger, ...windows, monotonicNow: elapsedMs }));
  const { maxCallsInFlight: ofSubject } = config;
  const inFlight = new CallsInFlight({
    ofSubject,
    ofTenant: ofSubject * tenantCallMultiple,
    ofAll: ofSubject * totalCallMultiple,
  });
  const streams = new OpenStreams(config.maxStreamsPerCredential);
  const unread = new UnreadAnswers(defaultUnreadBounds);
  const tenants = knownTenants(crossTenant, elapsedMs);
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
    pipeline: createRequestPipeline({
      unread,
      callLimit,
      inFlight,
      streams,
      identities,
      policy,
      tenants,
      trail,
      makeId,
      now,
    }),
  };
}
