// The requirements of deployment to Kubernetes.
import { requirements } from '../requirement.ts';

export const platformDeployment = requirements('platform-2', 'cluster', {
  'platform-2.1': 'The base has a service account, Role, migration Job, Deployment, Service and disruption budget.',
  'platform-2.2': 'Pods run as uid 1000 with a read-only root, no capabilities and the default seccomp profile.',
  'platform-2.3': 'Startup and readiness ask /health?ready, liveness asks /health.',
  'platform-2.4': 'Secrets are mounted files, never environment; the address of the owner is in the Job alone.',
  'platform-2.5': 'Pods wait for the migrated database in an init container by db status --wait.',
  'platform-2.6': 'db status --wait N waits until the database answers and is migrated, else ends with 1.',
  'platform-2.7': 'A graceful end writes audit.chain_closed, and verify trusts a closed chain that was checked once.',
  'platform-2.8': 'The disruption budget allows the eviction of unhealthy pods.',
  'platform-2.9': 'Files parse, name only known settings, selectors fit, and no secret is in them.',
  'platform-2.10': 'Every object is taken by a real API server; a misspelt field is refused.',
  'platform-2.11': 'Each component builds alone, and all together.',
  'platform-2.12': 'The Deployment rolls out and rolls over without fewer ready pods than before.',
});
