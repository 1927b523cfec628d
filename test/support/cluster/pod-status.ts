// Statuses of pods as a kubelet writes them.
import type { PodState } from './scene.ts';

/** Long enough ago to be unhealthy for it. */
const longAgo = (): string => new Date(Date.now() - 10 * 60_000).toISOString().replace(/\.\d+Z$/, 'Z');

export function podStatus(state: PodState): Record<string, unknown> {
  const since = longAgo();
  const isReady = state === 'ready';
  const container = {
    name: 'service',
    image: 'switchyard:1.2.0',
    imageID: '',
    ready: isReady,
    restartCount: isReady ? 0 : 1,
  };
  return {
    phase: state === 'failed' ? 'Failed' : state === 'cannot_start' ? 'Pending' : 'Running',
    startTime: since,
    conditions: [
      { type: 'PodScheduled', status: 'True', lastTransitionTime: since },
      { type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: since },
    ],
    containerStatuses: [{ ...container, state: containerState(state, since) }],
  };
}

function containerState(state: PodState, since: string): Record<string, unknown> {
  if (state === 'crash_loop') return { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s' } };
  if (state === 'cannot_start') return { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } };
  if (state === 'failed') return { terminated: { exitCode: 1, finishedAt: since } };
  return { running: { startedAt: since } };
}
