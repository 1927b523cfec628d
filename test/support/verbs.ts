// The queue without endpoints and loops, for tests that decide when the reaper or the sweep runs.
import { randomBytes, randomUUID } from 'node:crypto';
import { openCommitPool, openPool } from '../../src/adapters/postgres/connection/connections.ts';
import { postgresCrossTenantQueries } from '../../src/adapters/postgres/store/cross-tenant-queries.ts';
import { postgresQueue } from '../../src/adapters/postgres/queue/queue.ts';
import { postgresStore } from '../../src/adapters/postgres/store/store.ts';
import { WakeChannel } from '../../src/adapters/postgres/connection/wake-channel.ts';
import { localPolicy } from '../../src/domain/access/evaluate.ts';
import { TaskSignals } from '../../src/domain/events/task-signals.ts';
import type { Caller } from '../../src/domain/model/access/caller.ts';
import type { Role } from '../../src/domain/model/access/permission.ts';
import { newDraft, type TaskDraft } from '../../src/domain/model/task/task-draft.ts';
import type { LoopAudit } from '../../src/domain/ports/audit.ts';
import type { CommitParticipant } from '../../src/domain/ports/store/commit-participant.ts';
import type { CrossTenantQueries } from '../../src/domain/ports/store/cross-tenant-queries.ts';
import type { TaskDeps } from '../../src/domain/tasks/deps.ts';
import { WorkerDirectory } from '../../src/domain/tasks/routing/worker-directory.ts';
import { Dispatcher, type ClaimMetrics } from '../../src/domain/workers/dispatcher.ts';
import { uuid7Maker } from '../../src/lib/uuid7.ts';
import type { TestDatabase } from './database/database.ts';
import { noLoopAudit } from './request-pipeline.ts';

export interface Verbs extends TaskDeps, AsyncDisposable {
  readonly crossTenant: CrossTenantQueries;
  readonly audit: LoopAudit;
  readonly dispatcher: Dispatcher;
  readonly metrics: ClaimMetrics;
  /** The participants of the queue's commits, which a test may replace. */
  readonly participants: { claims: CommitParticipant; deliveries: CommitParticipant | undefined };
  readonly signals: TaskSignals;
  readonly now: () => number;
  /** Lines that the service would have logged. */
  readonly logged: string[];
}

const elapsedMs = (): number => performance.now();

/** The dependencies of the verbs, on this database; nothing ticks. */
export async function openVerbs(db: TestDatabase, leaseSeconds = 60): Promise<Verbs> {
  const logged: string[] = [];
  const log = (line: string, error?: unknown): void => {
    logged.push(`${line} ${error instanceof Error ? error.message : ''}`);
  };
  const closing = new AsyncDisposableStack();
  const common = { address: db.service, role: 'a2a_app' as const, log };
  const pool = openPool({ ...common, max: 6 });
  closing.defer(() => pool.end());
  const committerPool = openCommitPool({ ...common, max: 2 });
  closing.defer(() => committerPool.end());
  const store = postgresStore({ pool, offlineAfterSeconds: leaseSeconds, idempotencyHours: 48 });
  const maxTaskArtifactBytes = 256 * 1024 * 1024;
  const committerOptions = {
    pool: committerPool,
    connections: 2,
    elapsedMs,
    leaseSeconds,
    idempotencyHours: 48,
    maxTaskArtifactBytes,
  };
  const queue = postgresQueue(committerOptions);
  const metrics: ClaimMetrics = { claimed: () => {} };
  const crossTenant = postgresCrossTenantQueries(pool);
  await crossTenant.ensureTenants(['default', 'other']);
  const wake = closing.use(new WakeChannel({ ...common, replicaId: randomUUID(), onGap: () => {} }));
  const signals = new TaskSignals(wake);
  await wake.open();
  const dispatcher = closing.use(
    new Dispatcher({ store, queue, crossTenant, wake, metrics, elapsedMs, silentAfterMs: leaseSeconds * 1000, log }),
  );
  const participants: Verbs['participants'] = { claims: dispatcher, deliveries: undefined };
  queue.start([
    { prepare: (batch) => participants.claims.prepare(batch) },
    { prepare: (batch) => participants.deliveries?.prepare(batch) },
  ]);
  return {
    store,
    queue,
    crossTenant,
    audit: noLoopAudit,
    wake,
    signals,
    policy: localPolicy,
    workerDirectory: new WorkerDirectory(store, wake, Date.now),
    dispatcher,
    metrics,
    participants,
    egress: { refusal: () => undefined },
    makeId: uuid7Maker(Date.now, randomBytes),
    defaultMaxAttempts: 3,
    now: Date.now,
    logged,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** A caller as the request pipeline authenticates it. */
export function callerOf(role: Role, tenantId = 'default', subject: string = `token:${role}`): Caller {
  return {
    subject,
    name: subject,
    tenantId,
    roles: [role],
    credential: 'shared_token',
    homeTenantId: tenantId,
    credentialId: 'c',
  };
}

/** A task draft as a route builds it: for `global` by default. */
export function draft(fields: Partial<TaskDraft> = {}): TaskDraft {
  return newDraft({ title: 'a task', prompt: 'do it', codebaseId: 'global', ...fields });
}
