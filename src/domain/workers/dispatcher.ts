// The dispatcher: brings pending tasks to the workers that are connected to this process and have free slots.
//
// It never changes a task but through the queue's claim, and what it knows of workers is a hint: the claim decides.
// Tasks submitted through this process are claimed in the very commit that takes them (`prepare`); what other
// replicas took, what a lost hint left and what a hold gave free is found by the hint, or by the sweep.
import { pendingCodebaseId } from '../model/codebase.ts';
import { mayServe, hasSameRouting, type RoutableWorker } from '../model/task/route.ts';
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
  /** Undefined without a broker: then no hint names a route. */
  readonly routeKeys?: RouteKeys | undefined;
  /** Milliseconds by a clock that is never set back. */
  readonly elapsedMs: () => number;
  /** Counts the claims made within commits; those of `queue.claim` are counted by the queue. */
  readonly metrics: ClaimMetrics;
  /** Who has not been heard of for this long may be gone, however its connection looks: a lease. */
  readonly silentAfterMs: number;
  readonly log: (line: string, error?: unknown) => void;
}

/** Combinations of needs that one look at a codebase takes up; the sweep finds what it leaves. */
const maxNeedsPerProbe = 32;
/** How long an assignment may be on its way: a heartbeat that does not name it may have been sent before it arrived. */
const unconfirmedMs = 10_000;

type Hint<K extends Wake['kind']> = Extract<Wake, { kind: K }>;

export class Dispatcher implements CommitParticipant, Disposable {
  readonly #deps: DispatcherDeps;
  readonly #routeProbes: RouteProbes;
  readonly #changedWorkers: ChangedWorkers;
  readonly #registries = new Map<string, ChannelRegistry>();
  /** Tasks given out in the commit that took them, until the hint of that commit has been heard. */
  readonly #justAssigned = new Set<string>();

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#routeProbes = new RouteProbes({ probe: (...route) => this.#probeRoute(...route), now: deps.elapsedMs });
    this.#changedWorkers = new ChangedWorkers({ refresh: (...changed) => this.#refresh(...changed) });
    deps.wake.listen((hint) => this.#onHint(hint));
  }

  /**
   * Opens a worker's channel, in place of an older one. Runs that it holds and never named are sent again: their
   * assignment may have been lost with the older channel. They are looked up once the new channel stands in the
   * book, so that what a claim brings meanwhile goes to the new one.
   * @param options.since now: channels of one worker at several replicas are ordered by it
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

  /** The first tasks for a channel: those that its worker holds unseen, then what waits. */
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

  /** Who takes hints has had none of what came up before it connected. */
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

  /** To the worker's channel as it is now: the one that the claim was made for may have been replaced. */
  #assign(claimedFor: PushChannel, assignments: readonly Assignment[]): void {
    const { tenantId, worker } = claimedFor;
    const registry = this.#registries.get(tenantId);
    const channel = registry?.get(worker.workerId);
    for (const assignment of assignments) {
      const taskId = assignment.task.id;
      this.#deps.wake.announce({ kind: 'task', tenantId, taskId });
      // Without a channel it is sent when the worker comes back, or its lease runs out unseen.
      if (registry === undefined || channel === undefined || !channel.acceptsAssignments) continue;
      if (channel.running.get(taskId) === assignment.leaseToken) continue;
      registry.assign(channel, taskId, assignment.leaseToken, this.#deps.elapsedMs());
      channel.push({ type: 'task_assigned', assignment });
    }
  }

  #onHint(hint: Wake): void {
    const registry = this.#registries.get(hint.tenantId);
    // Asked first, so that the set holds no task for longer than until its hint comes by.
    const assigned = hint.kind === 'pending' && this.#justAssigned.delete(hint.taskId);
    if (registry === undefined) return;
    switch (hint.kind) {
      case 'pending':
        if (!assigned) this.#offer(registry, hint);
        return;
      case 'cancel': {
        const channel = registry.get(hint.workerId);
        channel?.push({ type: 'cancel', taskId: hint.taskId });
        // From now on a heartbeat that does not name it says that it has ended.
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
        // Who is not connected here is read when it connects.
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
    }
  }

  /** The broker's hints of what this worker serves are understood here from now on. */
  #registerRouteKeys({ tenantId, worker }: PushChannel): void {
    const { routeKeys } = this.#deps;
    if (routeKeys === undefined) return;
    for (const codebaseId of [...worker.servedCodebaseIds, pendingCodebaseId])
      routeKeys.routeKeyOf(tenantId, codebaseId);
  }

  /** Some task may wait in this codebase: asks what such tasks need, and lets one worker claim for each. */
  async #probeRoute(tenantId: string, codebaseId: string): Promise<boolean> {
    const registry = this.#registries.get(tenantId);
    if (registry === undefined) return false;
    // With nobody free there is nothing to ask for; who claims just now may end with a free slot.
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
      this.#deps.log('a hint could not be followed', error);
      return false;
    }
  }

  /** What the worker has not answered yet; its heartbeat would bring it too. */
  async #pushInterventions(registry: ChannelRegistry, { tenantId, worker: { workerId } }: PushChannel): Promise<void> {
    const sent = await this.#deps.store.within({ tenantId }, (rows) => rows.interventions.markSent(workerId));
    for (const intervention of sent) registry.get(workerId)?.push({ type: 'intervention', intervention });
  }

  /** One worker with a slot claims; workers that take hints alone hear of it. */
  #offer(registry: ChannelRegistry, hint: Hint<'pending'>): void {
    const channel = registry.pick(hint.needs);
    if (channel !== undefined) this.#claimFor(registry, channel);
    else registry.markClaimAgain(hint.needs);
    const frame = { type: 'task_available', taskId: hint.taskId, priority: hint.priority } as const;
    for (const other of registry.all())
      if (!other.acceptsAssignments && mayServe(hint.needs, other.worker)) other.push(frame);
  }

  /** What a heartbeat says: the worker can take so many tasks, and works on these. */
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
    // Tasks it does not name, and for which it has a slot, are over; an assignment on its way fills a slot.
    const surplus = channel.running.size + slotsFree - channel.slots;
    for (const [, leaseToken] of ended.slice(0, Math.max(0, surplus))) registry.release(leaseToken);
    this.#claimFor(registry, channel);
  }

  /** The free slots of a worker that told of none when it connected; what is on its way to it fills one of them. */
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

  /** Claims for a channel's free slots, in the background. */
  #claimFor(registry: ChannelRegistry, channel: PushChannel): void {
    const limit = channel.freeSlots;
    if (limit === 0) return;
    registry.reserve(channel, limit);
    const { workerId } = channel.worker;
    const claim = this.#deps.queue.claim(channel, { workerId, limit }).then(
      (assignments) => this.#assign(channel, assignments ?? []),
      // The sweep tries again.
      (error: unknown) => this.#deps.log('a claim for a connected worker failed', { worker_id: workerId, error }),
    );
    this.#inBackground(claim.finally(() => this.#unreserve(registry, channel, limit)));
  }

  /** The end of a claim. A task that came up while it looked would have to wait for the sweep. */
  #unreserve(registry: ChannelRegistry, channel: PushChannel, limit: number): void {
    registry.reserve(channel, -limit);
    if (!channel.claimAgain) return;
    channel.claimAgain = false;
    this.#claimFor(registry, channel);
  }

  /** What these connected workers may serve has changed, or what any may: reads it anew, once for all of them. */
  async #refresh(tenantId: string, workerIds: ReadonlySet<string> | undefined): Promise<void> {
    const registry = this.#registries.get(tenantId);
    if (registry === undefined) return;
    // Only these: of a worker that connects while we read, the answer may know nothing yet.
    const named = workerIds === undefined ? registry.all() : [...workerIds].map((workerId) => registry.get(workerId));
    const channels = named.filter((channel) => channel !== undefined);
    if (channels.length === 0) return;
    try {
      const ids = channels.map((channel) => channel.worker.workerId);
      const routable = await this.#deps.store.within({ tenantId }, (rows) => rows.workers.routable(ids));
      const byId = new Map(routable.map((worker) => [worker.workerId, worker]));
      for (const channel of channels) this.#update(registry, channel, byId.get(channel.worker.workerId));
    } catch (error) {
      // The claim decides who may have what, and the sweep finds what nobody was told of.
      this.#deps.log('workers that changed could not be read', error);
    }
  }

  /** @param worker undefined: it has gone */
  #update(registry: ChannelRegistry, channel: PushChannel, worker: RoutableWorker | undefined): void {
    if (worker === undefined) {
      this.disconnect(channel);
      return;
    }
    // When a codebase changed, most of those that were read have nothing new to look for.
    const hasChanged = !hasSameRouting(channel.worker, worker);
    channel.worker = worker;
    if (!hasChanged) return;
    this.#registerRouteKeys(channel);
    this.#claimFor(registry, channel);
  }

  /** A heartbeat on every channel that is due for one: each by its own pace, so that thousands are spread over it. */
  sendHeartbeats(): void {
    const nowMs = this.#deps.elapsedMs();
    for (const registry of this.#registries.values())
      for (const channel of registry.all()) channel.sendHeartbeatIfDue(nowMs);
  }

  /** Hints of other replicas may have been missed: the sweep makes up for slots, the others look for themselves. */
  onMissedHints(): void {
    const reason = 'hints may have been missed: claim once';
    for (const [tenantId, registry] of this.#registries) {
      this.#changedWorkers.markChanged(tenantId, undefined);
      for (const channel of registry.all()) if (!channel.acceptsAssignments) channel.push({ type: 'resync', reason });
    }
  }

  /** Finds what no hint brought: one look for all tenants, then claims for those that would get something. */
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

  /** Its worker has said something just now. */
  #markSeen(channel: PushChannel | undefined): PushChannel | undefined {
    if (channel !== undefined) channel.lastSeenMs = this.#deps.elapsedMs();
    return channel;
  }

  #isSilent(channel: PushChannel): boolean {
    return this.#deps.elapsedMs() - channel.lastSeenMs > this.#deps.silentAfterMs;
  }

  /** Work in the background: its failure is logged, the sweep makes up for it. */
  #inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => this.#deps.log('dispatching failed', error));
  }

  [Symbol.dispose](): void {
    this.#routeProbes[Symbol.dispose]();
  }
}
