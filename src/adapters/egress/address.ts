// Which addresses are the public internet's: the rule that keeps callers' requests out of our own network.
import ipaddr from 'ipaddr.js';

/** In the public ranges, and yet a cloud's own: its machines ask it for their configuration. */
const cloudMetadataAddresses = ['168.63.129.16'];

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** NAT64 by its well-known prefix: RFC 6052. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** The only range of IPv6 that is given out to anybody: RFC 4291. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * An address in its plain form: an IPv4 address that stands in an IPv6 one (mapped, or NAT64's) as itself, for that is
 * where a packet to it arrives. Undefined for what is no address; a zone makes it none, for it names an interface.
 * @param text as a resolver or a URL has it, without brackets
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.includes('%') || !ipaddr.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address;
  const six = ipaddr.IPv6.parse(address.toNormalizedString());
  return six.match(nat64) ? new ipaddr.IPv4(six.toByteArray().slice(12)) : six;
}

/** Whether an address is one of the public internet: not private, not ours, not special in any way. */
export function isPublic(address: IpAddress): boolean {
  if (cloudMetadataAddresses.includes(address.toString())) return false;
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast);
}
