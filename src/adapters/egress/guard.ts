// The egress guard: which URLs may be requested on behalf of a caller, judged as written and as the host resolves.
import type { LookupAddress } from 'node:dns';
import type { EgressRule } from '../../domain/ports/egress.ts';
import { memoize } from '../../lib/memoize.ts';
import { parseIpAddress, isPublic } from './address.ts';
import { allowList } from './allow-list.ts';
import { blockedPorts } from './blocked-ports.ts';

/** Resolves a host name to all its addresses. Rejects when it has none. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/** A connection is not allowed. The message never names the address. */
export class EgressRefusal extends Error {
  override readonly name = 'EgressRefusal';
}

export interface EgressGuard extends EgressRule {
  /**
   * The addresses that a connection to this host may use. Connecting to exactly these closes the gap of DNS rebinding,
   * where the name resolves to another address after the check.
   * @throws EgressRefusal when any address is refused; the error of `resolve`
   */
  addressesOf(host: string, signal: AbortSignal): Promise<readonly LookupAddress[]>;
}

/** A webhook's URL is checked at registration and at each attempt, and few URLs get most of the attempts. */
const rememberedAddresses = 512;
const refusedAddress = 'is not on the public internet; an operator can allow it with EGRESS_ALLOW';

export interface GuardOptions {
  /** EGRESS_ALLOW. */
  readonly allow: readonly string[];
  /** Asks the configured name servers alone: for host names from untrusted callers. */
  readonly resolve: Resolve;
  /** Resolves as this machine does (with its hosts file): for host names that an operator allowed. */
  readonly resolveAllowed: Resolve;
}

export function egressGuard({ allow, resolve, resolveAllowed }: GuardOptions): EgressGuard {
  const allowed = allowList(allow);
  const isRefused = (text: string): boolean => {
    const address = parseIpAddress(text);
    return address === undefined || !(isPublic(address) || allowed.hasAddress(address));
  };
  const refusal = (text: string): string | undefined => {
    const url = URL.parse(text);
    if (url === null) return 'is not a valid URL';
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http:// or https://';
    if (url.username !== '' || url.password !== '') return 'must not carry a user name or a password';
    if (url.port !== '' && blockedPorts.has(Number(url.port))) return 'names a port that is not for HTTP';
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (allowed.hasHost(host)) return undefined;
    const isLiteral = url.hostname.startsWith('[') || parseIpAddress(host) !== undefined;
    if (isLiteral) return isRefused(host) ? refusedAddress : undefined;
    return /(^|\.)localhost\.?$/.test(host) ? refusedAddress : undefined;
  };
  return {
    // Judges the text alone; what a host resolves to is checked at each connection.
    refusal: memoize(rememberedAddresses, refusal),
    async addressesOf(host, signal) {
      if (allowed.hasHost(host)) return resolveAllowed(host, signal);
      const found = await resolve(host, signal);
      if (found.some(({ address }) => isRefused(address))) {
        throw new EgressRefusal(`The host has an address that ${refusedAddress}.`);
      }
      return found;
    },
  };
}
