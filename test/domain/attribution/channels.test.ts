// The channel of a touch, rule by rule, and the list of hosts.
import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { classifyTouch, type Arrival } from '../../../src/domain/attribution/channels/classify-touch.ts';
import { HostList, isHostPattern } from '../../../src/domain/attribution/channels/host-list.ts';
import { readChannelHosts } from '../../../src/server/config/catalogues/channel-hosts.ts';
import { testAnalyticsConfig } from '../../support/builders/part-configs.ts';

const url = 'https://shop.example/start';
const channelOf = (campaign: Arrival['campaign'], referrer?: string, page: string | undefined = url) =>
  classifyTouch({ campaign, referrer, url: page }, testAnalyticsConfig.channelHosts);
const google = 'https://www.google.co.uk/';

describe('the channel of a touch [platform-5.3.6]', () => {
  it.each([
    ['paid', { clickId: 'gclid-1', medium: 'email' }],
    ['paid', { medium: ' CPC ' }],
    ['paid', { medium: 'ppc' }],
    ['paid', { medium: 'cpm' }],
    ['paid', { medium: 'cpa' }],
    ['paid', { medium: 'paid-social' }],
    ['paid', { medium: 'display', source: 'email' }],
    ['email', { medium: 'Email' }],
    ['email', { source: 'email', medium: 'affiliate' }],
    ['affiliate', { medium: 'affiliate' }],
    ['social', { medium: 'social-media', source: 'x' }],
    ['organic', { medium: 'organic', source: 'google' }],
    ['campaign', { source: 'newsletter' }],
    ['campaign', { source: 'newsletter', medium: 'banner' }],
    // No rule names it, so that it counts as the last one: it is a touch all the same.
    ['direct', { name: 'spring' }],
    [undefined, {}],
    [undefined, { source: ' ', clickId: '' }],
  ])('is %s for %j', (channel, campaign) => {
    expect(channelOf(campaign)).toBe(channel);
  });

  it.each([
    ['social', 'https://m.facebook.com/post/1'],
    ['social', 'https://t.co/abc'],
    ['organic', google],
    ['organic', 'https://google.com/search?q=x'],
    ['organic', 'https://duckduckgo.com/'],
    ['referral', 'https://mail.google.com/'],
    ['referral', 'https://notgoogle.com/'],
    ['referral', 'https://news.example/a'],
    ['referral', 'https://sub.shop.example/'],
    [undefined, 'https://www.shop.example/before'],
    [undefined, 'https://SHOP.example:8443/before'],
    [undefined, 'no address'],
    [undefined, 'javascript:alert(1)'],
    [undefined, undefined],
  ])('is %s for the referrer %s', (channel, referrer) => {
    expect(channelOf({}, referrer)).toBe(channel);
  });

  it('is that of the first rule, where a campaign and a referrer differ', () => {
    expect(channelOf({ source: 'newsletter' }, google)).toBe('organic');
    expect(channelOf({ name: 'spring' }, 'https://news.example/')).toBe('referral');
    expect(channelOf({ source: 'newsletter' }, 'https://news.example/')).toBe('campaign');
    // Without the address of the page every referrer is another site.
    expect(classifyTouch({ campaign: {}, referrer: url }, testAnalyticsConfig.channelHosts)).toBe('referral');
  });
});

describe('the list of hosts [platform-5.3.6]', () => {
  it('has a name and all below it, or a name under every top-level domain', () => {
    const list = new HostList(['example.com', 'find.*']);
    expect(
      ['example.com', 'a.b.example.com', 'find.org', 'find.co.uk', 'find.com.au'].every((host) => list.has(host)),
    ).toBe(true);
    expect(
      ['com', 'badexample.com', 'a.find.org', 'find.example.org', 'find', '10.0.0.1'].some((host) => list.has(host)),
    ).toBe(false);
  });

  it.each(['example.com', 'example.*', 'a-b.c2.example'])('takes %s', (text) => {
    expect(isHostPattern(text)).toBe(true);
  });

  it.each(['', 'example', '*', '*.example.com', 'https://example.com', 'Example.com', 'a..b', '-a.com', 'a.com/'])(
    'does not take "%s"',
    (text) => {
      expect(isHostPattern(text)).toBe(false);
    },
  );

  it('may be an operator’s own file; one of another form is refused by what is wrong', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-hosts-'));
    const file = path.join(folder, 'hosts.json');
    try {
      await writeFile(file, JSON.stringify({ search: ['our-search.example'], social: [] }));
      const hosts = await readChannelHosts(file);
      expect(hosts.search.has('www.our-search.example')).toBe(true);
      expect(hosts.search.has('google.com')).toBe(false);
      await writeFile(file, JSON.stringify({ search: ['Not A Host'], social: [] }));
      await expect(readChannelHosts(file)).rejects.toThrow(/^ANALYTICS_CHANNELS_FILE .*search\.0/);
      await writeFile(file, '{');
      await expect(readChannelHosts(file)).rejects.toThrow(/cannot be read/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
