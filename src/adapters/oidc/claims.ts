// Maps the claims of a verified token to a caller. Verification happens before, in access-tokens.
import type { JWTPayload } from 'jose';
import type { AuthenticatedCaller } from '../../domain/model/access/caller.ts';
import { DomainError, unauthenticated } from '../../domain/model/errors.ts';
import { allPermissions, roles, type Role } from '../../domain/model/access/permission.ts';
import { systemTenantId } from '../../domain/model/audit-entry.ts';
import { tenantIdPattern } from '../../domain/model/access/tenant.ts';
import { cutText } from '../../lib/text/cut-text.ts';

export interface ClaimNames {
  /** A claim's name, or a path into nested claims such as `realm_access.roles`. */
  readonly tenantClaim: string;
  readonly rolesClaim: string;
}

/** OpenID Connect allows at most 255 ASCII characters. */
const subjectForm = /^[\x21-\x7e][\x20-\x7e]{0,254}$/;
const nameClaims = ['name', 'preferred_username', 'client_id', 'sub'];
const maxNameLength = 200;

/**
 * The caller that the claims describe.
 * @param isTenant whether the tenant exists
 * @throws DomainError unauthenticated without a usable subject; forbidden: `no_tenant`, `unknown_tenant`, `no_role`
 */
export async function callerFromClaims(
  claims: JWTPayload,
  names: ClaimNames,
  isTenant: (tenantId: string) => Promise<boolean>,
): Promise<AuthenticatedCaller> {
  const { sub } = claims;
  if (typeof sub !== 'string' || !subjectForm.test(sub)) throw unauthenticated();
  const tenantId = claimAt(claims, names.tenantClaim);
  if (typeof tenantId !== 'string' || tenantId === '') {
    throw new DomainError('forbidden', 'no_tenant', `This access token names no tenant in ${names.tenantClaim}.`);
  }
  if (!tenantIdPattern.test(tenantId) || tenantId === systemTenantId || !(await isTenant(tenantId))) {
    throw new DomainError('forbidden', 'unknown_tenant', 'The tenant of this access token does not exist here.');
  }
  const held = rolesIn(claimAt(claims, names.rolesClaim));
  if (held.length === 0) {
    throw new DomainError('forbidden', 'no_role', `This access token names no known role in ${names.rolesClaim}.`);
  }
  const scopes = knownScopes(claims['scope']);
  const subject = `oidc:${sub}`;
  return {
    subject,
    name: nameIn(claims, sub),
    tenantId,
    homeTenantId: tenantId,
    roles: held,
    ...(scopes.length === 0 ? {} : { scopes }),
    credential: 'access_token',
    credentialId: subject,
    expiresAt: claims.exp === undefined ? undefined : claims.exp * 1000,
  };
}

/** The claim of exactly this name (some names contain dots), or else the claim at this path. */
function claimAt(claims: object, name: string): unknown {
  if (Object.hasOwn(claims, name)) return Reflect.get(claims, name);
  let found: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = Reflect.get(found, part);
  }
  return found;
}

function claimValues(claim: unknown): string[] {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim.filter((value) => typeof value === 'string') : [];
}

/** The known roles in a claim. Equal sets share one array, so that permissions are computed once per set. */
function rolesIn(claim: unknown): readonly Role[] {
  const values = new Set(claimValues(claim));
  const held = roles.filter((role) => values.has(role));
  const key = held.join(' ');
  const same = roleSets.get(key);
  if (same === undefined) roleSets.set(key, held);
  return same ?? held;
}

/** At most one for each subset of the five roles. */
const roleSets = new Map<string, readonly Role[]>();

/** Scopes of known resources narrow the caller, even with an unknown action. `openid`, `email` and others are ignored. */
function knownScopes(claim: unknown): string[] {
  return claimValues(claim).filter((scope) => resources.has(scope.slice(0, Math.max(0, scope.indexOf(':')))));
}

const resources: ReadonlySet<string> = new Set(allPermissions().map((permission) => permission.split(':')[0] ?? ''));

function nameIn(claims: JWTPayload, sub: string): string {
  const names = nameClaims.map((claim) => claims[claim]);
  const name = names.find((one): one is string => typeof one === 'string' && one.trim() !== '') ?? sub;
  return cutText(name.replaceAll(/\p{Cc}/gu, ' '), maxNameLength);
}
