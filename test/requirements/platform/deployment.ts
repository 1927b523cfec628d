// The requirements of deployment to Kubernetes.
import { requirements } from '../requirement.ts';

export const platformDeployment = requirements('platform-2', 'cluster', {});
