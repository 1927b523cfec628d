// The requirements of analytics.
import { requirements } from '../requirement.ts';

export const platformAnalytics = requirements('platform-5', 'insight', {});
