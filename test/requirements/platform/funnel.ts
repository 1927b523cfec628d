// The requirements of funnels and attribution.
import { requirements } from '../requirement.ts';

export const platformFunnel = requirements('platform-5', 'insight', {});
