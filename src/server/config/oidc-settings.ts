// Settings of the identity provider whose access tokens are accepted: its issuer and the audiences. choices-1.
import { isIPv4 } from 'node:net';
import { ConfigError } from './errors/config-error.ts';

export interface OidcConfig {
  /** Exactly as the provider's tokens spell it. */
  readonly issuer: string;
  /** A token must name one of these. */
  readonly audiences: readonly string[];
  readonly tenantClaim: string;
  readonly rolesClaim: string;
}

export interface OidcSettings {
  readonly oidc_issuer_url?: string | undefined;
  readonly oidc_audience: readonly string[];
  readonly oidc_tenant_claim: string;
  readonly oidc_roles_claim: string;
}

/**
 * @returns undefined without an issuer: access tokens are rejected
 * @throws ConfigError for an issuer without an audience: a token issued for another service would be valid here
 */
export function resolveOidcConfig(settings: OidcSettings): OidcConfig | undefined {
  const { oidc_issuer_url: issuer, oidc_audience: audiences } = settings;
  if (issuer === undefined) return undefined;
  if (audiences.length === 0) {
    throw new ConfigError(
      'OIDC_ISSUER_URL needs OIDC_AUDIENCE: the audience names that mark a token as issued for this service',
    );
  }
  return { issuer, audiences, tenantClaim: settings.oidc_tenant_claim, rolesClaim: settings.oidc_roles_claim };
}

/** https, or http on this machine; without query, fragment and password. */
export function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || /[?#\s]/.test(text)) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** The URL parser has normalised every spelling of an address. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));
}
