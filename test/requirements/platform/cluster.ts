// The requirements of the cluster manager.
import { requirements } from '../requirement.ts';

export const platformCluster = requirements('platform-1', 'cluster', {});
