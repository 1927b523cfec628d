// Wires access: configured principals, stored credentials, an identity provider, and the last uses of each.
import { randomBytes } from 'node:crypto';
import type { AuthStatusWire } from '../../contracts/auth.ts';
import type { AccessDeps } from '../../domain/access/deps.ts';
import { configuredIdentities, type Identities } from '../../domain/access/identity/configured-tokens.ts';
import { createCredentialLookup } from '../../domain/access/identity/credential-lookup.ts';
import { LastUses } from '../../domain/access/identity/last-uses.ts';
import { configuredPrincipals } from '../../domain/access/identity/owners.ts';
import { sessionHours } from '../../domain/access/sign-in/sign-ins.ts';
import { StoredCredentials } from '../../domain/access/identity/stored-credentials.ts';
import type { Credentials, TenantRegistry } from '../../domain/ports/store/credentials.ts';
import type { Policy } from '../../domain/ports/policy.ts';
import type { Store } from '../../domain/ports/store/store.ts';
import type { TokenProvider } from '../../domain/ports/token-provider.ts';
import type { AuthOptions } from '../../http/routes/auth/auth.ts';
import type { MakeId } from '../../lib/uuid7.ts';
import type { ServiceConfig } from '../config/service-config.ts';

export interface AccessOptions {
  readonly config: ServiceConfig;
  readonly credentials: Credentials;
  readonly register: TenantRegistry;
  readonly store: Store;
  readonly policy: Policy;
  readonly makeId: MakeId;
  /** A clock that is never set back: after a step back of the wall clock a revoked credential would stay valid. */
  readonly elapsedMs: () => number;
  /** Undefined: no identity provider is configured. */
  readonly provider: TokenProvider | undefined;
}

export interface Access {
  readonly identities: Identities;
  /** For the domain functions and the routes of /v1/auth. */
  readonly deps: AccessDeps;
  readonly routeOptions: Omit<AuthOptions, 'base'>;
  /** Flushed by a loop. */
  readonly uses: LastUses;
}

/** Reads nothing yet; each part reads when it is first used. */
export function wireAccess(options: AccessOptions): Access {
  const { config, credentials, register, store, policy, makeId, elapsedMs, provider } = options;
  const principals = configuredPrincipals(config.tokens);
  const uses = new LastUses(credentials);
  const stored = new StoredCredentials({ credentials, principals, uses, elapsedMs });
  return {
    identities: configuredIdentities(config.tokens, createCredentialLookup({ stored, provider, store, elapsedMs })),
    deps: { store, policy, principals, stored, makeId, randomBytes },
    routeOptions: {
      register,
      status: buildAuthStatus(config, provider !== undefined),
      secureCookie: config.baseUrl?.startsWith('https:') ?? false,
    },
    uses,
  };
}

function buildAuthStatus(config: ServiceConfig, hasProvider: boolean): AuthStatusWire {
  const has = (kind: string): boolean => config.tokens.some(({ credential }) => credential === kind);
  return {
    credentials: {
      service_token: has('service_token'),
      shared_tokens: has('shared_token'),
      api_keys: true,
      sessions: true,
      identity_provider: hasProvider,
    },
    policy: { mode: config.policy.mode },
    row_level_security: config.rlsEnabled,
    session_hours: sessionHours,
  };
}
