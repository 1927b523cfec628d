// EGRESS_ALLOW: private networks and hosts that requests may reach. choices-1.
import ipaddr from 'ipaddr.js';
import type { parseIpAddress } from './address.ts';

export interface AllowList {
  /** @param host as a URL spells it */
  hasHost(host: string): boolean;
  hasAddress(address: NonNullable<ReturnType<typeof parseIpAddress>>): boolean;
}

const hostPattern = /^(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/i;

/** Whether a text is an address, a network such as `10.0.0.0/8`, or a host name. */
export function isAllowEntry(text: string): boolean {
  // A text that ends in a number is an address or a mistake, never a host name: 10.0.0 and 10.0.0.0/33 are invalid.
  return isNetwork(text) || (hostPattern.test(text) && !/(^|\.)[0-9]+$/.test(text));
}

function isNetwork(text: string): boolean {
  return (
    ipaddr.IPv4.isValidCIDRFourPartDecimal(text) ||
    ipaddr.IPv4.isValidFourPartDecimal(text) ||
    ipaddr.IPv6.isValidCIDR(text) ||
    ipaddr.IPv6.isValid(text)
  );
}

/** @param entries each one accepted by `isAllowEntry` */
export function allowList(entries: readonly string[]): AllowList {
  const hosts = new Set(entries.filter((entry) => !isNetwork(entry)).map((entry) => entry.toLowerCase()));
  const networks = entries.filter(isNetwork).map(networkOf);
  return {
    hasHost: (host) => hosts.has(host.toLowerCase().replace(/\.$/, '')),
    hasAddress: (address) =>
      networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits)),
  };
}

function networkOf(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (entry.includes('/')) return ipaddr.parseCIDR(entry);
  const address = ipaddr.parse(entry);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
