// The illness of a pod, by its status and by the memory of earlier checks. platform-1.3. Pure.
import type { ClusterPod } from '../../model/cluster/objects.ts';
import {
  restartableReasons,
  type ClusterMemory,
  type RestartSample,
  type RestartableReason,
  type UnhealthyPod,
  type UnhealthyReason,
} from '../../model/cluster/health.ts';

const crashes = new Set(['CrashLoopBackOff', 'RunContainerError']);
const cannotStart = new Set(['ImagePullBackOff', 'ErrImagePull', 'InvalidImageName', 'CreateContainerConfigError']);
/** So many restarts of a container within the window are too many. */
const tooManyRestarts = 3;
const restartWindowMs = 10 * 60_000;
/** After this long without an unhealthy pod, earlier rounds of a template do not count any more. */
const forgivenAfterMs = 30 * 60_000;

/** The unhealthy ones of these pods. @param memory with the samples of these pods as they are now */
export function findUnhealthy(
  pods: readonly ClusterPod[],
  memory: ClusterMemory,
  now: number,
  unhealthySeconds: number,
): UnhealthyPod[] {
  return pods.flatMap((pod) => {
    const reason = reasonOf(pod, memory.samples[pod.uid] ?? [], now, unhealthySeconds);
    if (reason === undefined) return [];
    const since = memory.unhealthySince[pod.uid] ?? (reason === 'not_ready' ? timeOf(pod.readySince, now) : now);
    return [{ pod: pod.name, uid: pod.uid, templateHash: pod.templateHash, reason, since }];
  });
}

export function isRestartable(reason: UnhealthyReason): reason is RestartableReason {
  return restartableReasons.some((each) => each === reason);
}

function reasonOf(
  pod: ClusterPod,
  samples: readonly RestartSample[],
  now: number,
  unhealthySeconds: number,
): UnhealthyReason | undefined {
  if (pod.phase === 'Failed' || pod.phase === 'Unknown') return 'failed';
  const waits = (reasons: ReadonlySet<string>): boolean =>
    pod.containers.some(({ waiting }) => waiting !== null && reasons.has(waiting));
  if (waits(cannotStart)) return 'cannot_start';
  if (waits(crashes)) return 'crash_loop';
  if (isRestarting(pod, samples, now)) return 'restarting';
  if (pod.phase === 'Pending') return pod.scheduled ? undefined : 'unschedulable';
  return isNotReady(pod, now - unhealthySeconds * 1000) ? 'not_ready' : undefined;
}

function isNotReady({ phase, ready, readySince, startedAt }: ClusterPod, before: number): boolean {
  if (phase !== 'Running' || ready || readySince === null || startedAt === null) return false;
  return Date.parse(readySince) <= before && Date.parse(startedAt) <= before;
}

/** Compares with the restarts at the beginning of the window; a pod that is younger had none. */
function isRestarting(pod: ClusterPod, samples: readonly RestartSample[], now: number): boolean {
  const begin = now - restartWindowMs;
  const isYoung = Date.parse(pod.createdAt) > begin;
  const base = samples.findLast(({ at }) => at <= begin)?.restarts ?? (isYoung ? {} : samples[0]?.restarts);
  if (base === undefined) return false;
  return pod.containers.some(({ name, restarts }) => restarts - (base[name] ?? 0) >= tooManyRestarts);
}

function timeOf(iso: string | null, otherwise: number): number {
  return iso === null ? otherwise : Date.parse(iso);
}

/** Adds what is seen now to the samples of restarts; forgets pods that are gone. */
export function sampleRestarts(memory: ClusterMemory, pods: readonly ClusterPod[], now: number): ClusterMemory {
  const samples = pods
    .filter(({ containers }) => containers.some(({ restarts }) => restarts > 0))
    .map(({ uid, containers }): [string, RestartSample[]] => {
      const restarts = Object.fromEntries(containers.map((container) => [container.name, container.restarts]));
      return [uid, withSample(memory.samples[uid] ?? [], { at: now, restarts })];
    });
  return { ...memory, samples: Object.fromEntries(samples) };
}

/** Keeps the samples of the window, and the last one before it. */
function withSample(samples: readonly RestartSample[], sample: RestartSample): RestartSample[] {
  const last = samples.at(-1);
  const isNew = last === undefined || JSON.stringify(last.restarts) !== JSON.stringify(sample.restarts);
  const all = isNew ? [...samples, sample] : samples;
  const first = all.findLastIndex(({ at }) => at <= sample.at - restartWindowMs);
  return all.slice(Math.max(0, first));
}

/**
 * Remembers since when pods are unhealthy and templates healthy, and forgives the rounds of a template that was healthy for
 * long enough.
 * @param lastRound the number of the latest round
 */
export function rememberHealth(
  memory: ClusterMemory,
  pods: readonly ClusterPod[],
  unhealthy: readonly UnhealthyPod[],
  { now, lastRound }: { readonly now: number; readonly lastRound: number },
): ClusterMemory {
  const hashes = new Set(pods.flatMap(({ templateHash }) => templateHash ?? []));
  const ill = new Set(unhealthy.map(({ templateHash }) => templateHash));
  const forgiven: Record<string, number> = {};
  const healthySince: Record<string, number> = {};
  for (const hash of hashes) {
    const since = memory.healthySince[hash];
    const before = memory.forgiven[hash];
    if (since !== undefined && now - since >= forgivenAfterMs) forgiven[hash] = lastRound;
    else if (before !== undefined) forgiven[hash] = before;
    if (!ill.has(hash)) healthySince[hash] = since ?? now;
  }
  const unhealthySince = Object.fromEntries(unhealthy.map(({ uid, since }) => [uid, since]));
  return { ...memory, unhealthySince, healthySince, forgiven };
}
