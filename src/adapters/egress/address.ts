// Decides which IP addresses are public: the rule that keeps callers' requests out of private networks.
import ipaddr from 'ipaddr.js';

/** Metadata services of clouds that lie in public ranges: machines get their configuration from them. */
const cloudMetadataAddresses = ['168.63.129.16'];

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** The well-known prefix of NAT64. RFC 6052. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** The only IPv6 range that is assigned for public use. RFC 4291. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Parses an address. An IPv4 address embedded in an IPv6 one (mapped or NAT64) becomes IPv4, for that is where its
 * packets arrive. Undefined for other text, and for an address with a zone, which names a network interface.
 * @param text as a resolver or a URL gives it, without brackets
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.includes('%') || !ipaddr.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address;
  const six = ipaddr.IPv6.parse(address.toNormalizedString());
  return six.match(nat64) ? new ipaddr.IPv4(six.toByteArray().slice(12)) : six;
}

/** Whether an address is on the public internet: neither private nor local nor reserved. */
export function isPublic(address: IpAddress): boolean {
  if (cloudMetadataAddresses.includes(address.toString())) return false;
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast);
}
