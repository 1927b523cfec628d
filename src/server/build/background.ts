// Starts the background loops: those of every replica and those of the leader only. choices-10.
import type { Access } from './access.ts';
import { startAnalyticsLoops } from './analytics/wire-analytics.ts';
import { openSharing } from './broker.ts';
import { elapsedMs, type BuildOptions } from './build-options.ts';
import type { WiredCluster } from './cluster/wire-cluster.ts';
import type { WiredHealth } from './insight/wire-health.ts';
import type { Services } from './services.ts';
import type { LoopScheduler } from '../loops/loop-scheduler.ts';
import { retainCredentials } from '../../domain/access/retain-credentials.ts';
import type { BaseBackupLoop } from '../../domain/backup/base-backup-loop.ts';
import { freeHeldTasks } from '../../domain/backup/release-sends.ts';
import { findGoneWorkers } from '../../domain/attention/find-gone-workers.ts';
import { retainAttention } from '../../domain/attention/retain-attention.ts';
import { retainAgents } from '../../domain/agents/retain-agents.ts';
import { foldUsage, retainUsage, sampleQueues } from '../../domain/insight/fold-usage.ts';
import { reap } from '../../domain/tasks/reap.ts';
import { deliverTopicMessages, type TopicSubscriber } from '../../domain/events/topic-subscribers.ts';
import { prdTopic, type PrdChatDeps } from '../../domain/prd/chat/chat-deps.ts';
import { retainPrdSessions } from '../../domain/prd/chat/retain-sessions.ts';
import { finishPrdTurn } from '../../domain/prd/chat/finish-turn.ts';
import { retain } from '../../domain/tasks/retain.ts';
import { cronjobTopic } from '../../domain/model/schedule/cronjob.ts';
import type { CronDeps } from '../../domain/schedules/cron-deps.ts';
import { endCronjobRun } from '../../domain/schedules/end-run.ts';
import { directOkrRuns, okrSubscriber } from '../../domain/okr/director/okr-director.ts';
import { retainOkrRuns } from '../../domain/okr/director/retain-okr-runs.ts';
import type { OkrDeps } from '../../domain/okr/base/okr-deps.ts';
import { fireCronjobs } from '../../domain/schedules/fire-cronjobs.ts';
import { retainCronjobRuns } from '../../domain/schedules/retain-cronjob-runs.ts';
import type { RunDirector } from '../../domain/runs/director/director.ts';
import { retainRuns } from '../../domain/runs/retain-runs.ts';
import type { DeliverySender } from '../../domain/webhooks/delivery-sender.ts';

const sweepMs = 1_000;
/** Bound on how late a push channel's heartbeat may be sent. */
const heartbeatMs = 250;
/** Deliveries are normally claimed on a hint; this poll finds those of lost hints and dead replicas. */
const outboxMs = 5_000;
/** How often the last uses of keys and sessions are flushed. */
const usesMs = 2_000;
const auditMs = 1_000;
const clockMs = 30_000;
const replicationMs = 2_000;
/** How late a component learns that its task came to rest. */
const topicsMs = 1_000;
/** How late the director looks at a run whose time has come; ended steps are announced to it. */
const runsMs = 1_000;
/** How late a due time of a cron job is noticed. */
const cronMs = 1_000;
/** How late it is noticed that the log cannot be stored, or that a base backup is due. */
const backupMs = 5_000;
/** How late steps go on that waited since a restore. */
const heldMs = 2_000;
/** How late a run of an objective is seen to have begun; ended tasks are announced by their topic. */
const okrMs = 2_000;
/** How late ended tasks are folded into usage; readers add what is not folded yet. */
const usageMs = 60_000;
/** Length of a sample of the queue. */
const sampleMs = 300_000;
/** How often a replica reports itself to the others. */
const replicaMs = 10_000;
/** Maximum delay before a lost worker is reported. */
const goneMs = 5_000;
const hourMs = 3_600_000;

export interface LoopParts {
  readonly loops: LoopScheduler;
  readonly access: Access;
  readonly sender: DeliverySender;
  readonly director: RunDirector;
  readonly chat: PrdChatDeps;
  readonly cron: CronDeps;
  /** Undefined where no base backups are taken. */
  readonly backups: BaseBackupLoop | undefined;
  readonly cluster: WiredCluster;
  readonly okr: OkrDeps;
  readonly health: Pick<WiredHealth, 'report' | 'leave'>;
}

/** Starts all loops. They end with `loops`; what they depend on ends with `closing`. */
export async function startBackground(
  { config, now, log, subscribers = [] }: BuildOptions,
  services: Services,
  { loops, access, sender, director, chat, cron, okr, backups, cluster, health }: LoopParts,
  closing: AsyncDisposableStack,
): Promise<void> {
  const { store, wake, crossTenant, audit, clock, dispatcher } = services;
  const housekeeping = { store, crossTenant, audit: audit.loops };
  const { retentionDays } = config;
  loops.everyReplica('database_clock', clockMs, () => clock.sync());
  loops.everyReplica('audit', auditMs, () => audit.tick());
  loops.leaderOnly('reaper', Math.min(5_000, (config.leaseSeconds * 1000) / 4), (signal) =>
    reap({ ...housekeeping, wake }, signal),
  );
  loops.everyReplica('dispatch_sweep', sweepMs, () => dispatcher.sweep());
  loops.everyReplica('worker_beat', heartbeatMs, () => Promise.resolve(dispatcher.sendHeartbeats()));
  // Each replica claims a share of what is due.
  loops.everyReplica('webhook_sender', outboxMs, () => sender.poll());
  loops.everyReplica('credential_uses', usesMs, () => access.uses.write());
  loops.leaderOnly('retention', hourMs, (signal) => retain(housekeeping, config, signal));
  const silentSeconds = services.heartbeatSeconds * 3;
  loops.leaderOnly('gone_workers', Math.min(goneMs, silentSeconds * 250), (signal) =>
    findGoneWorkers({ store, crossTenant, wake }, silentSeconds, signal),
  );
  loops.leaderOnly('attention_retention', hourMs, (signal) => retainAttention(housekeeping, retentionDays, signal));
  loops.leaderOnly('agent_retention', hourMs, (signal) => retainAgents(housekeeping, retentionDays, signal));
  loops.leaderOnly('credential_retention', hourMs, (signal) => retainCredentials(housekeeping, retentionDays, signal));
  loops.leaderOnly('run_retention', hourMs, (signal) => retainRuns(housekeeping, config.runs.retentionDays, signal));
  loops.leaderOnly('prd_retention', hourMs, (signal) =>
    retainPrdSessions(housekeeping, config.runs.retentionDays, signal),
  );
  loops.leaderOnly('okr_retention', hourMs, (signal) => retainOkrRuns(housekeeping, config.runs.retentionDays, signal));
  loops.leaderOnly('cron_retention', hourMs, (signal) => retainCronjobRuns(housekeeping, retentionDays, signal));
  await health.report().catch((error: unknown) => log('could not report this replica; will retry', error));
  loops.everyReplica('replica_report', replicaMs, () => health.report());
  closing.defer(() =>
    health.leave().catch((error: unknown) => log('could not leave the list of replicas; the entry expires', error)),
  );
  loops.leaderOnly('usage_fold', usageMs, (signal) => foldUsage({ store, crossTenant }, signal));
  loops.leaderOnly('queue_samples', sampleMs, (signal) => sampleQueues({ store, crossTenant }, signal));
  loops.leaderOnly('usage_retention', hourMs, (signal) => retainUsage(housekeeping, signal));
  loops.leaderOnly('run_director', runsMs, (signal) => director.tick(signal));
  if (backups !== undefined) loops.leaderOnly('backup', backupMs, () => backups.tick());
  loops.leaderOnly('held_sends', heldMs, () => freeHeldTasks(services));
  loops.leaderOnly('cron', cronMs, (signal) => fireCronjobs({ ...cron, crossTenant, audit: audit.loops }, signal));
  await startAnalyticsLoops(services, housekeeping, config.analytics, loops, log);
  cluster.startLoops(loops);
  const okrs = { ...okr, crossTenant, audit: audit.loops };
  loops.leaderOnly('okr_director', okrMs, (signal) => directOkrRuns(okrs, signal));
  const sharing = await openSharing({ config, store, crossTenant, wake, now, random: Math.random, elapsedMs, log });
  if (sharing !== undefined) {
    closing.use(sharing);
    loops.everyReplica('record_mirror', replicationMs, () => sharing.tick());
  }
  const answers: TopicSubscriber = { topic: prdTopic, handle: (message) => finishPrdTurn(chat, message) };
  const cronjobEnds: TopicSubscriber = { topic: cronjobTopic, handle: (message) => endCronjobRun(cron, message) };
  const topics = {
    store,
    crossTenant,
    subscribers: [director.subscriber, answers, cronjobEnds, okrSubscriber(okrs), ...subscribers],
    log,
  };
  loops.leaderOnly('topic_subscribers', topicsMs, (signal) => deliverTopicMessages(topics, signal));
  await loops.start();
}
