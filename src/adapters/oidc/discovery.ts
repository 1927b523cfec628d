// The discovery document and the key set of the provider: what is believed of them, and where they may be fetched.
import { createLocalJWKSet, type LocalJWKSet } from 'jose';
import { z } from 'zod';
import type { Egress } from '../../domain/ports/egress.ts';
import { fetchJson, fetchJsonElsewhere, type Fetch } from './fetch-json.ts';

/** An answer of the provider, discovery and keys together, may take this long. */
export const deadlineMs = 2_000;

export interface DiscoveryOptions {
  /** Exactly as its tokens name it. */
  readonly issuer: string;
  /** Reaches the issuer, whom the operator named. */
  readonly fetch: Fetch;
  /** Reaches public addresses: for what the discovery document names at another origin. choices-1. */
  readonly egress: Pick<Egress, 'send'>;
}

const discoveryDocument = z.looseObject({ issuer: z.string(), jwks_uri: z.url() });

/** Where a provider tells about itself. */
export function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** Where the provider's keys lie. @throws whatever is wrong with the document */
export async function discover(options: DiscoveryOptions, signal: AbortSignal): Promise<URL> {
  const { issuer, fetch } = options;
  const url = new URL(discoveryUrl(issuer));
  const document = discoveryDocument.parse(await fetchJson(fetch, url, signal));
  if (document.issuer !== issuer) {
    throw new Error(`${url.href} speaks for ${JSON.stringify(document.issuer)}, not for ${JSON.stringify(issuer)}`);
  }
  const keys = new URL(document.jwks_uri);
  const isIssuers = keys.origin === new URL(issuer).origin;
  if (!isIssuers && keys.protocol !== 'https:') throw new Error(`${url.href} names keys at ${keys.href}, without TLS`);
  return keys;
}

/** Public keys that may sign; what else a set holds is left out. */
const publicKey = z.looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']), d: z.undefined().optional() });
const keySet = z.looseObject({ keys: z.array(z.unknown()).max(100) });

/** The keys that lie there now. @throws whatever is wrong with the set */
export async function fetchKeys(options: DiscoveryOptions, url: URL, signal: AbortSignal): Promise<LocalJWKSet> {
  const isIssuers = url.origin === new URL(options.issuer).origin;
  const { keys } = keySet.parse(
    isIssuers
      ? await fetchJson(options.fetch, url, signal)
      : await fetchJsonElsewhere(options.egress, url, { signal, timeoutMs: deadlineMs }),
  );
  return createLocalJWKSet({ keys: keys.flatMap((key) => publicKey.safeParse(key).data ?? []) });
}
