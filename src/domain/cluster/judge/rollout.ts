// Whether a Deployment is between two versions. platform-1.3. Pure.
import type { Deployment } from '../../model/cluster/objects.ts';

/** `settled`: all replicas are of the current template, and the last rollout has ended. */
export type Rollout = 'settled' | 'rollout' | 'rollout_stalled' | 'paused';

export function rolloutOf(deployment: Deployment): Rollout {
  if (deployment.paused) return 'paused';
  if (deployment.observedGeneration < deployment.generation || deployment.observedGeneration === 0) return 'rollout';
  const reason = deployment.progress?.reason;
  if (reason === 'ProgressDeadlineExceeded') return 'rollout_stalled';
  if (deployment.updated < deployment.replicas) return 'rollout';
  // Without a progress deadline a Deployment has no such condition.
  return reason === undefined || reason === 'NewReplicaSetAvailable' ? 'settled' : 'rollout';
}
