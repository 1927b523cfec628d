// Fetches and validates the provider's discovery document and key set, from its origin or a public address.
import { createLocalJWKSet, type LocalJWKSet } from 'jose';
import { z } from 'zod';
import type { Egress } from '../../domain/ports/egress.ts';
import { fetchJson, fetchJsonElsewhere, type Fetch } from './fetch-json.ts';

/** Deadline for fetching discovery document and keys together. */
export const deadlineMs = 2_000;

export interface DiscoveryOptions {
  /** Exactly as the tokens spell it. */
  readonly issuer: string;
  /** Requests to the issuer's origin, which the operator configured. */
  readonly fetch: Fetch;
  /** Requests to public addresses, for keys that the discovery document names at another origin. choices-1. */
  readonly egress: Pick<Egress, 'send'>;
}

const discoveryDocument = z.looseObject({ issuer: z.string(), jwks_uri: z.url() });

/** The address of an issuer's discovery document. */
export function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** The address of the provider's key set. @throws Error that says what is wrong with the document */
export async function discover(options: DiscoveryOptions, signal: AbortSignal): Promise<URL> {
  const { issuer, fetch } = options;
  const url = new URL(discoveryUrl(issuer));
  const document = discoveryDocument.parse(await fetchJson(fetch, url, signal));
  if (document.issuer !== issuer) {
    throw new Error(
      `${url.href} names the issuer ${JSON.stringify(document.issuer)} instead of ${JSON.stringify(issuer)}`,
    );
  }
  const keys = new URL(document.jwks_uri);
  const isIssuers = keys.origin === new URL(issuer).origin;
  if (!isIssuers && keys.protocol !== 'https:') throw new Error(`${url.href} names keys at ${keys.href}, without TLS`);
  return keys;
}

/** Public keys for signatures; other members of a set are ignored. */
const publicKey = z.looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']), d: z.undefined().optional() });
const keySet = z.looseObject({ keys: z.array(z.unknown()).max(100) });

/** The current keys. @throws Error that says what is wrong with the set */
export async function fetchKeys(options: DiscoveryOptions, url: URL, signal: AbortSignal): Promise<LocalJWKSet> {
  const isIssuers = url.origin === new URL(options.issuer).origin;
  const { keys } = keySet.parse(
    isIssuers
      ? await fetchJson(options.fetch, url, signal)
      : await fetchJsonElsewhere(options.egress, url, { signal, timeoutMs: deadlineMs }),
  );
  return createLocalJWKSet({ keys: keys.flatMap((key) => publicKey.safeParse(key).data ?? []) });
}
