// The requirements of objectives and key results.
import { requirements } from '../requirement.ts';

export const platformOkr = requirements('platform-4', 'insight', {});
