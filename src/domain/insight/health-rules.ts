// Rules of the service's health: when a replica, a loop or a set of versions counts as degraded, and in which words.
import type { LoopStatus } from '../ports/loop-leaders.ts';
import type { ReplicaStatus } from '../ports/replicas.ts';

export interface JudgedReplica extends ReplicaStatus {
  readonly status: 'ok' | 'degraded';
}

/** A replica reports every ten seconds; after this long it is gone or hangs. */
const silentMs = 45_000;
/** How late a loop may be beyond three of its intervals. */
const graceMs = 30_000;

/** This replica as it is now, the others as they reported. */
export function judgeReplicas(self: ReplicaStatus, reported: readonly ReplicaStatus[], nowMs: number): JudgedReplica[] {
  const others = reported.filter(({ name }) => name !== self.name).map((replica) => withSilence(replica, nowMs));
  return [self, ...others]
    .map((replica): JudgedReplica => ({ ...replica, status: replica.reasons.length === 0 ? 'ok' : 'degraded' }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function withSilence(replica: ReplicaStatus, nowMs: number): ReplicaStatus {
  if (nowMs - Date.parse(replica.lastSeenAt) < silentMs) return replica;
  const silence = `The replica ${replica.name} has not reported since ${replica.lastSeenAt}: it died, or hangs.`;
  return { ...replica, reasons: [silence, ...replica.reasons] };
}

/** Whether a loop that has run before is late. */
export function isOverdue({ intervalSeconds, lastTickAt }: LoopStatus, nowMs: number): boolean {
  return lastTickAt !== undefined && nowMs - Date.parse(lastTickAt) > intervalSeconds * 3_000 + graceMs;
}

/** Replicas of different versions are a fault once an upgrade is over; workers of several versions are none. */
export function judgeVersions(
  replicas: readonly Pick<ReplicaStatus, 'version'>[],
  workers: readonly { readonly version: string; readonly workers: number }[],
): { status: 'ok' | 'degraded'; reason: string | null } {
  const versions = [...new Set(replicas.map(({ version }) => version))].toSorted();
  if (versions.length > 1) {
    return {
      status: 'degraded',
      reason: `The replicas run different versions: ${versions.join(', ')}. Finish the upgrade.`,
    };
  }
  const named = workers.filter(({ version }) => version !== '');
  if (named.length < 2) return { status: 'ok', reason: null };
  const list = named.map(({ version, workers: count }) => `${version} (${count})`).join(', ');
  return { status: 'ok', reason: `The workers run several versions: ${list}.` };
}

const subjects: Readonly<Record<string, string>> = {
  store: 'The database does not answer',
  broker: 'The broker does not answer',
  policy: 'The policy server does not answer, so calls are denied',
  sandbox: 'The sandbox does not answer, so tools do not run',
  audit: 'The audit does not answer',
  cluster: 'The last check of the cluster cannot be read',
};

/** One sentence on a part that failed. */
export function describeFailedPart(part: string, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `${subjects[part] ?? part}: ${why.replace(/\.$/, '')}.`;
}
