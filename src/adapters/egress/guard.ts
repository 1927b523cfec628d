// The egress guard: what may be asked of the network for a caller, by the address as written and as it resolves.
import type { LookupAddress } from 'node:dns';
import type { EgressRule } from '../../domain/ports/egress.ts';
import { memoize } from '../../lib/memoize.ts';
import { parseIpAddress, isPublic } from './address.ts';
import { allowList } from './allow-list.ts';
import { blockedPorts } from './blocked-ports.ts';

/** Every address of a name. Rejects when there is none. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/** What a connection is refused with; its message never names the address. */
export class EgressRefusal extends Error {
  override readonly name = 'EgressRefusal';
}

export interface EgressGuard extends EgressRule {
  /**
   * The addresses that a connection to this name may use: those that were checked, so that a name which resolves to
   * something else a moment later changes nothing.
   * @throws EgressRefusal when any of them is refused; what `resolve` rejects with
   */
  addressesOf(host: string, signal: AbortSignal): Promise<readonly LookupAddress[]>;
}

/** A webhook's address is looked at when it is given and at each attempt; few addresses take most of them. */
const rememberedAddresses = 512;
const refusedAddress = 'is not on the public internet; an operator can allow it with EGRESS_ALLOW';

export interface GuardOptions {
  /** EGRESS_ALLOW. */
  readonly allow: readonly string[];
  /** By our own name servers' answers alone: for names that strangers give. */
  readonly resolve: Resolve;
  /** As this machine resolves names (its hosts file too): for names that an operator allowed. */
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
    if (url === null) return 'is no address';
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
    // By the text alone: what a name resolves to is looked at with each connection.
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
