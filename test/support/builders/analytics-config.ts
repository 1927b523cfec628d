// The configuration of analytics in tests: the service's own hosts of search engines and social networks.
import { readChannelHosts } from '../../../src/server/config/channel-hosts.ts';
import type { AnalyticsConfig } from '../../../src/server/config/service-config.ts';

export const testAnalyticsConfig: AnalyticsConfig = {
  retentionDays: 400,
  channelHosts: await readChannelHosts(undefined),
};
