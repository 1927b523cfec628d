// The address of a client in one canonical form, and the network that counts as one client.
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns an IPv4-mapped address (`::ffff:192.0.2.1`) as IPv4 and an IPv6 address in its shortest form, both without
 * zone and port: some proxies write `192.0.2.1:4711` into X-Forwarded-For. Undefined for text that is not an address.
 */
export function plainAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  const [, bracketed] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? [];
  const [, ported] = /^([\d.]+):\d{1,5}$/.exec(text) ?? [];
  const bare = (bracketed ?? ported ?? text).replace(/%.*$/s, '');
  if (isIPv4(bare)) return bare;
  return ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare).toString() : undefined;
}

/** The network that counts as one client, for an address of `plainAddress`: an IPv6 client can use a whole /64. */
export function clientNetwork(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv6.parse(address).parts;
  return `${[a, b, c, d].map((part) => part.toString(16)).join(':')}::/64`;
}
