// The dispatcher: assigns pending tasks to workers that are connected to this process and have free slots.
//
// It changes tasks only through the queue's claim. Its knowledge of workers may be outdated: the claim decides.
// Tasks submitted through this process are claimed in the commit that stores them (`prepare`). Tasks submitted
// elsewhere are found by hints; the sweep finds tasks whose hint was lost or whose hold has expired.
import { pendingCodebaseId } from '../model/codebase.ts';
import { mayServe, type RoutableWorker } from '../model/task/route.ts';
import type { Assignment } from '../model/task/task.ts';
import type { CrossTenantQueries } from '../ports/store/cross-tenant-queries.ts';
import type { RouteKeys } from '../ports/route-keys.ts';
import type { CommitBatch, CommitParticipant, CommitWork } from '../ports/store/commit-participant.ts';
import type { TaskQueue } from '../ports/store/queue.ts';
import type { Store } from '../ports/store/store.ts';
import type { Wake, WakeBus } from '../ports/wake.ts';
import { ChangedWorkers } from './changed-workers.ts';
import { ChannelRegistry } from './channel-registry.ts';
import { PushChannel, type ChannelOptions } from './push-channel.ts';
import { RouteProbes } from './route-probes.ts';

export interface ClaimMetrics {
  claimed(assignments: readonly Assignment[]): void;
}

export interface DispatcherDeps {
  readonly store: Store;
  readonly queue: Pick<TaskQueue, 'claim'>;
  readonly crossTenant: CrossTenantQueries;
  readonly wake: WakeBus;
  /** Undefined without a broker; no hint names a route then. */
  readonly routeKeys?: RouteKeys | undefined;
  /** Milliseconds by a monotonic clock. */
  readonly elapsedMs: () => number;
  /** Counts the claims made within commits; those of `queue.claim` are counted by the queue. */
  readonly metrics: ClaimMetrics;
  /** A worker that sent nothing for this long (a lease) may be gone, even if its connection looks open. */
  readonly silentAfterMs: number;
  readonly log: (line: string, error?: unknown) => void;
}

/** Combinations of needs that one probe of a codebase handles; the sweep finds the rest. */
const maxNeedsPerProbe = 32;
/** For this long after an assignment, a heartbeat that does not name the task may have been sent before it arrived. */
const unconfirmedMs = 10_000;

type Hint<K extends Wake['kind']> = Extract<Wake, { kind: K }>;

export class Dispatcher implements CommitParticipant, Disposable {
  readonly #deps: DispatcherDeps;
  readonly #routeProbes: RouteProbes;
  readonly #changedWorkers: ChangedWorkers;
  readonly #registries = new Map<string, ChannelRegistry>();
  /** Tasks assigned in the commit that stored them, until the hint of that commit has arrived. */
  readonly #justAssigned = new Set<string>();

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#routeProbes = new RouteProbes({ probe: (...route) => this.#probeRoute(...route), now: deps.elapsedMs });
    this.#changedWorkers = new ChangedWorkers({ refresh: (...changed) => this.#refresh(...changed) });
    deps.wake.listen((hint) => this.#onHint(hint));
  }

  /**
   * Opens a worker's channel and closes an older one. Tasks that the worker holds and never confirmed are sent again,
   * because their assignment may have been lost with the older channel. They are read after the new channel is
   * registered, so that tasks claimed meanwhile go to the new channel.
   * @param options.since current database time; it orders channels of one worker at several replicas
   */
  async connect(tenantId: string, worker: RoutableWorker, options: ChannelOptions): Promise<PushChannel> {
    const registry = this.#registries.get(tenantId) ?? new ChannelRegistry((channel) => this.#isSilent(channel));
    this.#registries.set(tenantId, registry);
    const channel = new PushChannel(tenantId, worker, options, this.#deps.elapsedMs());
    registry.add(channel);
    this.#registerRouteKeys(channel);
    this.#deps.wake.announce({ kind: 'connected', tenantId, workerId: worker.workerId, since: options.since });
    channel.push({ type: 'connected' });
    this.#inBackground(this.#pushInterventions(registry, channel));
    if (channel.acceptsAssignments) await this.#assignInitial(registry, channel);
    else this.#inBackground(this.#pushWaitingHint(channel));
    return channel;
  }

  /** Assigns the first tasks of a channel: those that its worker holds unconfirmed, then pending ones. */
  async #assignInitial(registry: ChannelRegistry, channel: PushChannel): Promise<void> {
    const { workerId } = channel.worker;
    const reserved = channel.freeSlots;
    registry.reserve(channel, reserved);
    try {
      this.#assign(channel, await this.#deps.store.within(channel, (rows) => rows.tasks.findUnconfirmed(workerId)));
    } catch (error) {
      this.disconnect(channel);
      throw error;
    }
    registry.reserve(channel, -reserved);
    this.#claimFor(registry, channel);
  }

  /** Notifies a worker that takes hints of tasks that became pending before it connected. */
  async #pushWaitingHint(channel: PushChannel): Promise<void> {
    const { workerId } = channel.worker;
    const awaited = await this.#deps.store.within(channel, (rows) => rows.tasks.findAwaitedWorkers([workerId]));
    if (awaited.length > 0)
      channel.push({ type: 'resync', reason: 'tasks wait that this worker may take: claim once' });
  }

  disconnect(channel: PushChannel): void {
    const registry = this.#registries.get(channel.tenantId);
    registry?.remove(channel);
    if (registry?.size === 0) this.#registries.delete(channel.tenantId);
  }

  /** Reserves slots of workers that may serve the submitted tasks, and slots that the commit frees. */
  prepare(batch: CommitBatch): CommitWork | undefined {
    const registry = this.#registries.get(batch.tenantId);
    if (registry === undefined || !(batch.hasSubmits || batch.endsTasks)) return undefined;
    const submitted = batch.submittedNeeds();
    const reservedSlots = new Map<PushChannel, number>();
    const reserveOne = (channel: PushChannel | undefined): void => {
      if (channel === undefined || channel.freeSlots === 0) return;
      registry.reserve(channel, 1);
      reservedSlots.set(channel, (reservedSlots.get(channel) ?? 0) + 1);
    };
    for (const leaseToken of batch.endedLeases()) reserveOne(this.#markSeen(registry.release(leaseToken)));
    for (const needs of submitted) reserveOne(registry.pick(needs));
    if (reservedSlots.size === 0) return undefined;
    const announced = new Set(submitted.map(({ taskId }) => taskId));
    const reserved = [...reservedSlots];
    return {
      claims: reserved.map(([channel, limit]) => ({ workerId: channel.worker.workerId, limit })),
      committed: ({ claims }) => {
        for (const [i, [channel, limit]] of reserved.entries()) {
          const assignments = claims[i] ?? [];
          this.#deps.metrics.claimed(assignments);
          // Only these are announced by a hint after the commit.
          for (const { task } of assignments) if (announced.has(task.id)) this.#justAssigned.add(task.id);
          this.#assign(channel, assignments);
          this.#unreserve(registry, channel, limit);
        }
      },
      failed: () => {
        for (const [channel, limit] of reserved) this.#unreserve(registry, channel, limit);
      },
    };
  }

  /** Assigns tasks to the worker's current channel; the channel that the claim was made for may have been replaced. */
  #assign(claimedFor: PushChannel, assignments: readonly Assignment[]): void {
    const { tenantId, worker } = claimedFor;
    const registry = this.#registries.get(tenantId);
    const channel = registry?.get(worker.workerId);
    for (const assignment of assignments) {
      const taskId = assignment.task.id;
      this.#deps.wake.announce({ kind: 'task', tenantId, taskId });
      // Without a channel the task is sent when the worker reconnects, or its lease expires.
      if (registry === undefined || channel === undefined || !channel.acceptsAssignments) continue;
      if (channel.running.get(taskId) === assignment.leaseToken) continue;
      registry.assign(channel, taskId, assignment.leaseToken, this.#deps.elapsedMs());
      channel.push({ type: 'task_assigned', assignment });
    }
  }

  #onHint(hint: Wake): void {
    const registry = this.#registries.get(hint.tenantId);
    // Delete first, so that the set keeps no task after its hint has arrived.
    const assigned = hint.kind === 'pending' && this.#justAssigned.delete(hint.taskId);
    if (registry === undefined) return;
    switch (hint.kind) {
      case 'pending':
        if (!assigned) this.#offer(registry, hint);
        return;
      case 'cancel': {
        const channel = registry.get(hint.workerId);
        channel?.push({ type: 'cancel', taskId: hint.taskId });
        // From now on, a heartbeat that does not name the task means that it has ended.
        channel?.unconfirmed.delete(hint.taskId);
        return;
      }
      case 'intervention': {
        const channel = registry.get(hint.workerId);
        if (channel !== undefined) this.#inBackground(this.#pushInterventions(registry, channel));
        return;
      }
      case 'slot': {
        const channel = this.#markSeen(registry.release(hint.leaseToken));
        if (channel !== undefined) this.#claimFor(registry, channel);
        return;
      }
      case 'heartbeat':
        this.#onHeartbeat(registry, hint);
        return;
      case 'workers':
        // A worker that is not connected here is read when it connects.
        if (hint.workerId !== undefined && registry.get(hint.workerId) === undefined) return;
        this.#changedWorkers.markChanged(hint.tenantId, hint.workerId);
        return;
      case 'connected': {
        const channel = registry.get(hint.workerId);
        if (channel !== undefined && channel.since < hint.since) this.disconnect(channel);
        return;
      }
      case 'route':
        this.#routeProbes.request(hint.tenantId, hint.codebaseId);
        return;
      case 'task':
      case 'run':
      case 'attention':
    }
  }

  /** Registers the route keys of what this worker serves, so that the broker's hints for them can be resolved. */
  #registerRouteKeys({ tenantId, worker }: PushChannel): void {
    const { routeKeys } = this.#deps;
    if (routeKeys === undefined) return;
    for (const codebaseId of [...worker.servedCodebaseIds, pendingCodebaseId])
      routeKeys.routeKeyOf(tenantId, codebaseId);
  }

  /** Reads what pending tasks of this codebase need, and starts one claim for each combination of needs. */
  async #probeRoute(tenantId: string, codebaseId: string): Promise<boolean> {
    const registry = this.#registries.get(tenantId);
    if (registry === undefined) return false;
    // Without an idle worker there is no need to query; a claim in progress may end with a free slot.
    if (registry.idle.size === 0) {
      registry.markClaimAgainIn(codebaseId);
      return false;
    }
    try {
      const waiting = await this.#deps.store.within({ tenantId }, (rows) =>
        rows.routes.waiting(codebaseId, maxNeedsPerProbe),
      );
      for (const needs of waiting) {
        const channel = registry.pick(needs);
        if (channel !== undefined) this.#claimFor(registry, channel);
        else registry.markClaimAgain(needs);
      }
      return waiting.length > 0;
    } catch (error) {
      this.#deps.log('failed to read the pending tasks of a codebase; the sweep will retry', error);
      return false;
    }
  }

  /** Pushes interventions that the worker has not answered yet; its next heartbeat would return them too. */
  async #pushInterventions(registry: ChannelRegistry, { tenantId, worker: { workerId } }: PushChannel): Promise<void> {
    const sent = await this.#deps.store.within({ tenantId }, (rows) => rows.interventions.markSent(workerId));
    for (const intervention of sent) registry.get(workerId)?.push({ type: 'intervention', intervention });
  }

  /** Starts a claim for one idle worker, and sends the hint to workers that take hints only. */
  #offer(registry: ChannelRegistry, hint: Hint<'pending'>): void {
    const channel = registry.pick(hint.needs);
    if (channel !== undefined) this.#claimFor(registry, channel);
    else registry.markClaimAgain(hint.needs);
    const frame = { type: 'task_available', taskId: hint.taskId, priority: hint.priority } as const;
    for (const other of registry.all())
      if (!other.acceptsAssignments && mayServe(hint.needs, other.worker)) other.push(frame);
  }

  /** Applies a heartbeat: `slotsFree` is how many more tasks the worker can run, `running` are its tasks. */
  #onHeartbeat(registry: ChannelRegistry, { workerId, slotsFree, running }: Hint<'heartbeat'>): void {
    const channel = this.#markSeen(registry.get(workerId));
    if (channel === undefined) return;
    for (const taskId of running) channel.unconfirmed.delete(taskId);
    const named = new Set(running);
    const ended = [...channel.running].filter(
      ([taskId]) => !named.has(taskId) && !this.#isUnconfirmed(channel, taskId),
    );
    if (channel.usesHeartbeatSlots) {
      this.#updateSlots(registry, channel, slotsFree, ended);
      return;
    }
    // Tasks that it does not name have ended, as far as it has slots for them; an assignment in transit fills a slot.
    const surplus = channel.running.size + slotsFree - channel.slots;
    for (const [, leaseToken] of ended.slice(0, Math.max(0, surplus))) registry.release(leaseToken);
    this.#claimFor(registry, channel);
  }

  /** Applies the free slots of a worker that declared none when it connected; assignments in transit fill some of them. */
  #updateSlots(
    registry: ChannelRegistry,
    channel: PushChannel,
    slotsFree: number,
    ended: readonly [string, string][],
  ): void {
    const isFirst = !channel.acceptsAssignments;
    for (const [, leaseToken] of ended) registry.release(leaseToken);
    const unconfirmed = [...channel.unconfirmed.keys()].filter((taskId) => this.#isUnconfirmed(channel, taskId));
    registry.setSlots(channel, channel.running.size - unconfirmed.length + slotsFree);
    if (isFirst && channel.acceptsAssignments) this.#inBackground(this.#assignInitial(registry, channel));
    else this.#claimFor(registry, channel);
  }

  #isUnconfirmed(channel: PushChannel, taskId: string): boolean {
    const sentMs = channel.unconfirmed.get(taskId);
    return sentMs !== undefined && this.#deps.elapsedMs() - sentMs < unconfirmedMs;
  }

  /** Claims tasks for a channel's free slots, in the background. */
  #claimFor(registry: ChannelRegistry, channel: PushChannel): void {
    const limit = channel.freeSlots;
    if (limit === 0) return;
    registry.reserve(channel, limit);
    const { workerId } = channel.worker;
    const claim = this.#deps.queue.claim(channel, { workerId, limit }).then(
      (assignments) => this.#assign(channel, assignments ?? []),
      (error: unknown) =>
        this.#deps.log('claim for a connected worker failed; the sweep will retry', { worker_id: workerId, error }),
    );
    this.#inBackground(claim.finally(() => this.#unreserve(registry, channel, limit)));
  }

  /** Ends a claim, and claims again if a task became pending meanwhile: that task would have to wait for the sweep. */
  #unreserve(registry: ChannelRegistry, channel: PushChannel, limit: number): void {
    registry.reserve(channel, -limit);
    if (!channel.claimAgain) return;
    channel.claimAgain = false;
    this.#claimFor(registry, channel);
  }

  /** Re-reads in one query what these connected workers may serve; undefined: all of them. */
  async #refresh(tenantId: string, workerIds: ReadonlySet<string> | undefined): Promise<void> {
    const registry = this.#registries.get(tenantId);
    if (registry === undefined) return;
    // Update these channels only: the answer may not include a worker that connects during the query.
    const named = workerIds === undefined ? registry.all() : [...workerIds].map((workerId) => registry.get(workerId));
    const channels = named.filter((channel) => channel !== undefined);
    if (channels.length === 0) return;
    try {
      const ids = channels.map((channel) => channel.worker.workerId);
      const routable = await this.#deps.store.within({ tenantId }, (rows) => rows.workers.routable(ids));
      const byId = new Map(routable.map((worker) => [worker.workerId, worker]));
      for (const channel of channels) this.#update(registry, channel, byId.get(channel.worker.workerId));
    } catch (error) {
      // Outdated routing is safe: the claim decides, and the sweep finds tasks that it missed.
      this.#deps.log('failed to read changed workers; their routing stays as it was', error);
    }
  }

  /** @param worker undefined when it is no longer registered */
  #update(registry: ChannelRegistry, channel: PushChannel, worker: RoutableWorker | undefined): void {
    if (worker === undefined) {
      this.disconnect(channel);
      return;
    }
    // After a change of one codebase, the routing of most workers is the same.
    if (!registry.setWorker(channel, worker)) return;
    this.#registerRouteKeys(channel);
    this.#claimFor(registry, channel);
  }

  /** Sends a heartbeat on each channel that is due. Each has its own phase, so thousands are spread over the interval. */
  sendHeartbeats(): void {
    const nowMs = this.#deps.elapsedMs();
    for (const registry of this.#registries.values())
      for (const channel of registry.all()) channel.sendHeartbeatIfDue(nowMs);
  }

  /** Recovers from lost hints: workers with slots are served by the sweep, workers that take hints are sent a hint to claim. */
  onMissedHints(): void {
    const reason = 'hints may have been missed: claim once';
    for (const [tenantId, registry] of this.#registries) {
      this.#changedWorkers.markChanged(tenantId, undefined);
      for (const channel of registry.all()) if (!channel.acceptsAssignments) channel.push({ type: 'resync', reason });
    }
  }

  /** Finds tasks that no hint announced: one query for all tenants, then claims for workers that would get a task. */
  async sweep(): Promise<void> {
    const idleTenants = [...this.#registries].flatMap(([tenantId, registry]) =>
      registry.idle.size > 0 ? [tenantId] : [],
    );
    if (idleTenants.length === 0) return;
    for (const tenantId of await this.#deps.crossTenant.tenantsWithPending(idleTenants)) {
      const idleWorkerIds = [...(this.#registries.get(tenantId)?.idle ?? [])].map((channel) => channel.worker.workerId);
      const awaited = await this.#deps.store.within({ tenantId }, (rows) =>
        rows.tasks.findAwaitedWorkers(idleWorkerIds),
      );
      const registry = this.#registries.get(tenantId);
      if (registry === undefined) continue;
      for (const channel of registry.responsive(awaited)) this.#claimFor(registry, channel);
    }
  }

  /** Records that the channel's worker has just sent something. */
  #markSeen(channel: PushChannel | undefined): PushChannel | undefined {
    if (channel !== undefined) channel.lastSeenMs = this.#deps.elapsedMs();
    return channel;
  }

  #isSilent(channel: PushChannel): boolean {
    return this.#deps.elapsedMs() - channel.lastSeenMs > this.#deps.silentAfterMs;
  }

  /** Runs work in the background; a failure is logged, and the sweep repeats what was missed. */
  #inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => this.#deps.log('dispatching failed; the sweep will retry', error));
  }

  [Symbol.dispose](): void {
    this.#routeProbes[Symbol.dispose]();
  }
}
