// Parses and checks the tokens of A2A_AUTH_TOKENS and SERVICE_AUTH_TOKEN; an error never quotes one. choices-4.
import type { ConfiguredToken } from '../../domain/access/identity/configured-tokens.ts';
import { systemTenantId } from '../../domain/model/audit-entry.ts';
import { isRole, roles } from '../../domain/model/access/permission.ts';
import { tenantIdPattern } from '../../domain/model/access/tenant.ts';
import { ConfigError } from './errors/config-error.ts';
import { bearerToken, minTokenLength } from './setting-table.ts';

const namePattern = /^[\w.-]{1,100}$/;
const defaultRole = 'operator';
const defaultTenant = 'default';

/** The principal of `SERVICE_AUTH_TOKEN`, or of the token generated in its place. */
export function serviceToken(token: string): ConfiguredToken {
  return { name: 'service', token, role: 'admin', tenantId: defaultTenant, credential: 'service_token' };
}

/** The principal of the worker that `up` runs beside the service: it has the permissions of a worker and no others. */
export function localWorkerToken(token: string): ConfiguredToken {
  return { name: 'local-worker', token, role: 'agent', tenantId: defaultTenant, credential: 'shared_token' };
}

/**
 * Each entry is `name:token`, `name:token@role` or `name:token@role/tenant`. A token may hold any printable
 * character but the comma; the text after its last `@` is the role.
 * @param origin the source of the list, for the error
 * @throws ConfigError that names the entry by its number only: any part of the entry may be the secret
 */
export function parseAuthTokens(entries: readonly string[], origin: string): ConfiguredToken[] {
  return entries.map((entry, index) => parseEntry(entry, `A2A_AUTH_TOKENS (${origin}), entry ${index + 1}`));
}

function parseEntry(entry: string, entryLabel: string): ConfiguredToken {
  const colon = entry.indexOf(':');
  const name = entry.slice(0, Math.max(0, colon)).trim();
  if (colon < 0) throw new ConfigError(`${entryLabel} has no ":"; write name:token@role/tenant`);
  if (!namePattern.test(name)) {
    throw new ConfigError(`${entryLabel}: the name before the ":" must be 1 to 100 letters, digits, ".", "_" or "-"`);
  }
  const rest = entry.slice(colon + 1);
  const at = rest.lastIndexOf('@');
  const token = at < 0 ? rest : rest.slice(0, at);
  if (token === '') throw new ConfigError(`${entryLabel} has an empty token; write name:token@role/tenant`);
  if (!bearerToken.test(token)) {
    throw new ConfigError(`${entryLabel}: a token must be printable ASCII characters without blanks`);
  }
  if (token.length < minTokenLength) {
    // If name and token were swapped, a long name is the secret.
    const named = name.length < minTokenLength ? ` ("${name}")` : '';
    throw new ConfigError(`${entryLabel}${named}: a token must have at least ${minTokenLength} characters`);
  }
  const [role = '', tenantId = defaultTenant, ...more] = at < 0 ? [defaultRole] : rest.slice(at + 1).split('/');
  if (!isRole(role)) {
    throw new ConfigError(`${entryLabel}: the text after the last "@" must be a role: ${roles.join(', ')}`);
  }
  if (more.length > 0 || !tenantIdPattern.test(tenantId) || tenantId === systemTenantId) {
    throw new ConfigError(
      `${entryLabel}: a tenant is 1 to 63 of a-z, 0-9, "_", "." and "-", not beginning with a sign, not "${systemTenantId}"`,
    );
  }
  return { name, token, role, tenantId, credential: 'shared_token' };
}

/** @throws ConfigError when two tokens have one name or are the same token: callers could not be distinguished */
export function rejectDuplicates(tokens: readonly ConfiguredToken[]): void {
  const names = new Set<string>();
  const texts = new Map<string, string>();
  for (const { name, token } of tokens) {
    if (names.has(name)) throw new ConfigError(`The token name "${name}" is used twice; each token needs its own`);
    names.add(name);
    const other = texts.get(token);
    if (other !== undefined) {
      throw new ConfigError(`The tokens "${other}" and "${name}" are the same; each name needs a token of its own`);
    }
    texts.set(token, name);
  }
}
