// The egress guard: which URLs may be requested on behalf of a caller, judged as written and as the host resolves.
import type { LookupAddress } from 'node:dns';
import type { EgressRule } from '../../domain/ports/egress.ts';
import { memoize } from '../../lib/memoize.ts';
import { parseIpAddress, isPublic } from './address.ts';
import { allowList } from './allow-list.ts';

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

/**
 * Ports that requests never reach on any host: their services could read an HTTP request as commands of their own. The
 * bad ports of the Fetch standard, §2.9; and 0, which is not a valid port.
 */
const blockedPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

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
