// The channel of a touch: the kind of source that a person came from. The first rule that fits decides. platform-5.3.
import type { HostList } from './host-list.ts';

/** Every channel, in the order of its rules. */
export const touchChannels = [
  'paid',
  'email',
  'affiliate',
  'social',
  'organic',
  'campaign',
  'referral',
  'direct',
] as const;
export type TouchChannel = (typeof touchChannels)[number];

/** The hosts by which referrers are classified. */
export interface ChannelHosts {
  readonly search: HostList;
  readonly social: HostList;
}

/** How a person came: the campaign link, the page before, the page opened. */
export interface Arrival {
  /** The texts of a campaign link. */
  readonly campaign: {
    readonly source?: string | undefined;
    readonly medium?: string | undefined;
    readonly name?: string | undefined;
    readonly term?: string | undefined;
    readonly content?: string | undefined;
    /** The id that an advertising network put into the link. */
    readonly clickId?: string | undefined;
  };
  /** The page where the person was before. */
  readonly referrer?: string | undefined;
  /** The page that was opened. */
  readonly url?: string | undefined;
}

const paidMedium = /^(?:cpc|ppc|cpm|cpa|paid.*|display)$/;

/** @returns undefined: the person came from neither a campaign nor another site, so this is no touch by itself */
export function classifyTouch({ campaign, referrer, url }: Arrival, hosts: ChannelHosts): TouchChannel | undefined {
  const from = foreignHost(referrer, url);
  if (from === undefined && Object.values(campaign).every((text) => normalise(text) === '')) return undefined;
  const source = normalise(campaign.source);
  const medium = normalise(campaign.medium);
  const isNamed = (name: string): boolean => medium === name || source === name;
  if (normalise(campaign.clickId) !== '' || paidMedium.test(medium)) return 'paid';
  if (isNamed('email')) return 'email';
  if (isNamed('affiliate')) return 'affiliate';
  if (medium.startsWith('social') || source.startsWith('social') || has(hosts.social, from)) return 'social';
  if (medium === 'organic' || has(hosts.search, from)) return 'organic';
  if (source !== '') return 'campaign';
  return from === undefined ? 'direct' : 'referral';
}

function normalise(text: string | undefined): string {
  return text?.trim().toLowerCase() ?? '';
}

function has(hosts: HostList, host: string | undefined): boolean {
  return host !== undefined && hosts.has(host);
}

/** The host of the referrer, unless it is that of the page itself; `www.` makes no other host. */
function foreignHost(referrer: string | undefined, url: string | undefined): string | undefined {
  const host = hostOf(referrer);
  return host === hostOf(url) ? undefined : host;
}

function hostOf(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return url.hostname.replace(/^www\./, '').replace(/\.$/, '');
}
