// The health of the service, part by part, with reasons in words. Each part is asked for a short time only.
import type { Caller } from '../model/access/caller.ts';
import type { LoopStatus } from '../ports/loop-leaders.ts';
import type { ReplicaStatus } from '../ports/replicas.ts';
import { describeFailedPart, isOverdue, judgeReplicas, judgeVersions, type JudgedReplica } from './health-rules.ts';

/** `off`: not configured, which is no fault. */
export interface HealthPart {
  readonly status: 'ok' | 'degraded' | 'off';
  /** One sentence; null: there is nothing to say. */
  readonly reason: string | null;
}

export const probedParts = ['store', 'broker', 'policy', 'sandbox', 'audit', 'backup', 'sends', 'cluster'] as const;
type ProbedPart = (typeof probedParts)[number];
/** Each rejects where the part does not work. */
export type HealthProbes = Readonly<Record<ProbedPart, () => Promise<HealthPart>>>;

export interface WorkerVersion {
  /** Empty: the workers did not say. */
  readonly version: string;
  readonly workers: number;
}

export interface ServiceVersions extends HealthPart {
  readonly service: string;
  readonly node: string;
  /** Null: the database did not answer in time. */
  readonly database: string | null;
  readonly schema: string | null;
  /** Those of the caller's tenant. */
  readonly workers: readonly WorkerVersion[];
}

export interface ServiceHealth extends Readonly<Record<ProbedPart, HealthPart>> {
  readonly status: 'ok' | 'degraded';
  /** All reasons of degraded parts. */
  readonly reasons: readonly string[];
  /** The replica that answers. */
  readonly replica: string;
  readonly replicas: readonly JudgedReplica[];
  readonly loops: readonly (LoopStatus & HealthPart)[];
  readonly versions: ServiceVersions;
}

export interface HealthDeps {
  readonly probes: HealthProbes;
  readonly self: Omit<ReplicaStatus, 'reasons' | 'lastSeenAt'>;
  readonly isDraining: () => boolean;
  readonly listReplicas: () => Promise<readonly ReplicaStatus[]>;
  readonly listLoops: () => Promise<readonly LoopStatus[]>;
  readonly databaseFacts: () => Promise<{ readonly version: string; readonly schema: string }>;
  readonly workerVersions: (caller: Caller) => Promise<readonly WorkerVersion[]>;
  readonly node: string;
  readonly now: () => number;
}

/** Milliseconds that a part may take to answer; they are asked at the same time. */
const probeMs = 2_000;

/** Asks every part. Resolves within `probeMs`, whatever hangs. */
export async function readServiceHealth(deps: HealthDeps, caller: Caller): Promise<ServiceHealth> {
  const [parts, replicas, loops, facts, workers] = await Promise.all([
    probeParts(deps.probes),
    within(deps.listReplicas()),
    within(deps.listLoops()),
    within(deps.databaseFacts()),
    within(deps.workerVersions(caller)),
  ]);
  const nowMs = deps.now();
  const own = ownReasons(parts, deps.isDraining());
  const self = { ...deps.self, lastSeenAt: new Date(nowMs).toISOString(), reasons: own };
  const judged = judgeReplicas(self, replicas.value ?? [], nowMs);
  const judgedLoops = (loops.value ?? []).map((loop) => judgeLoop(loop, nowMs));
  const versions = {
    ...judgeVersions(judged, workers.value ?? []),
    service: deps.self.version,
    node: deps.node,
    database: facts.value?.version ?? null,
    schema: facts.value?.schema ?? null,
    workers: workers.value ?? [],
  };
  const others = judged.filter(({ name }) => name !== self.name).flatMap(({ reasons }) => reasons);
  const reasons = [...new Set([...own, ...others, ...faultsOf([...judgedLoops, versions])])];
  return {
    ...parts,
    status: reasons.length === 0 ? 'ok' : 'degraded',
    reasons,
    replica: self.name,
    replicas: judged,
    loops: judgedLoops,
    versions,
  };
}

/** Why this replica is degraded, for its own report. */
export async function readOwnReasons({
  probes,
  isDraining,
}: Pick<HealthDeps, 'probes' | 'isDraining'>): Promise<string[]> {
  return ownReasons(await probeParts(probes), isDraining());
}

function ownReasons(parts: Readonly<Record<ProbedPart, HealthPart>>, isDraining: boolean): string[] {
  const stopping = isDraining ? ['The replica is stopping: it finishes what it has begun.'] : [];
  return [...stopping, ...faultsOf(Object.values(parts))];
}

function faultsOf(parts: readonly HealthPart[]): string[] {
  return parts.flatMap(({ status, reason }) => (status === 'degraded' && reason !== null ? [reason] : []));
}

async function probeParts(probes: HealthProbes): Promise<Record<ProbedPart, HealthPart>> {
  const probe = async (part: ProbedPart): Promise<HealthPart> => {
    const { value, error } = await within(probes[part]());
    return value ?? { status: 'degraded', reason: describeFailedPart(part, error) };
  };
  const [store, broker, policy, sandbox, audit, backup, sends, cluster] = await Promise.all([
    probe('store'),
    probe('broker'),
    probe('policy'),
    probe('sandbox'),
    probe('audit'),
    probe('backup'),
    probe('sends'),
    probe('cluster'),
  ]);
  return { store, broker, policy, sandbox, audit, backup, sends, cluster };
}

function judgeLoop(loop: LoopStatus, nowMs: number): LoopStatus & HealthPart {
  if (loop.lastError !== undefined) {
    return { ...loop, status: 'degraded', reason: `The loop ${loop.name} failed and will retry: ${loop.lastError}` };
  }
  if (!isOverdue(loop, nowMs)) return { ...loop, status: 'ok', reason: null };
  return {
    ...loop,
    status: 'degraded',
    reason: `The loop ${loop.name} has not run since ${loop.lastTickAt ?? 'long'}.`,
  };
}

interface Outcome<T> {
  readonly value?: T;
  readonly error?: unknown;
}

/** The outcome of a probe within its time. A later outcome has no receiver any more. */
async function within<T>(answer: Promise<T>): Promise<Outcome<T>> {
  const timeout = Promise.withResolvers<Outcome<T>>();
  const timer = setTimeout(
    () => timeout.resolve({ error: new Error(`no answer within ${probeMs / 1000} s`) }),
    probeMs,
  );
  const outcome = answer.then(
    (value): Outcome<T> => ({ value }),
    (error: unknown): Outcome<T> => ({ error }),
  );
  try {
    return await Promise.race([outcome, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
