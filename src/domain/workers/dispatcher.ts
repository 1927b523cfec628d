// The dispatcher: brings pending tasks to the workers that are connected to this process and have free slots.
//
// It never changes a task but through the queue's claim, and what it knows of workers is a hint: the claim decides.
// Tasks submitted through this process are claimed in the very commit that takes them (`reserve`); what other
// replicas took, what a lost hint left and what a hold gave free is found by the hint, or by the sweep.
import { pendingCodebaseId } from '../model/codebase.ts';
import { mayServe, serveAlike, type RoutableWorker } from '../model/task/route.ts';
import type { Assignment } from '../model/task/task.ts';
import type { Crossings } from '../ports/store/crossings.ts';
import type { RouteKeys } from '../ports/route-keys.ts';
import type { IdleWorkers, ReservedSlots, SubmittedNeeds, TaskQueue } from '../ports/store/queue.ts';
import type { Store } from '../ports/store/store.ts';
import type { Wake, WakeBus } from '../ports/wake.ts';
import { ChangedWorkers } from './changed-workers.ts';
import { ChannelBook } from './channel-book.ts';
import { PushChannel, type ChannelOptions } from './push-channel.ts';
import { RouteLooks } from './route-looks.ts';

export interface DispatcherDeps {
  readonly store: Store;
  readonly queue: TaskQueue;
  readonly crossings: Crossings;
  readonly wake: WakeBus;
  /** Undefined without a broker: then no hint names a route. */
  readonly routeKeys?: RouteKeys | undefined;
  /** Milliseconds by a clock that is never set back. */
  readonly elapsedMs: () => number;
  /** Who has not been heard of for this long may be gone, however its connection looks: a lease. */
  readonly silentAfterMs: number;
  readonly log: (line: string, error?: unknown) => void;
}

/** Combinations of needs that one look at a codebase takes up; the sweep finds what it leaves. */
const needsAtOnce = 32;
/** How long an assignment may be on its way: a heartbeat that does not name it may have been sent before it arrived. */
const onItsWayMs = 10_000;

type Hint<K extends Wake['kind']> = Extract<Wake, { kind: K }>;

export class Dispatcher implements IdleWorkers, Disposable {
  readonly #deps: DispatcherDeps;
  readonly #routeLooks: RouteLooks;
  readonly #changed: ChangedWorkers;
  readonly #books = new Map<string, ChannelBook>();
  /** Tasks given out in the commit that took them, until the hint of that commit has been heard. */
  readonly #justAssigned = new Set<string>();

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#routeLooks = new RouteLooks({ look: (...route) => this.#lookAt(...route), now: deps.elapsedMs });
    this.#changed = new ChangedWorkers({ look: (...changed) => this.#refresh(...changed) });
    deps.wake.listen((hint) => this.#hear(hint));
    deps.queue.serveIdle(this);
  }

  /**
   * Opens a worker's channel, in place of an older one. Runs that it holds and never named are sent again: their
   * assignment may have been lost with the older channel. They are looked up once the new channel stands in the
   * book, so that what a claim brings meanwhile goes to the new one.
   * @param options.since now: channels of one worker at several replicas are ordered by it
   */
  async connect(tenantId: string, worker: RoutableWorker, options: ChannelOptions): Promise<PushChannel> {
    const book = this.#books.get(tenantId) ?? new ChannelBook((channel) => this.#isSilent(channel));
    this.#books.set(tenantId, book);
    const channel = new PushChannel(tenantId, worker, options, this.#deps.elapsedMs());
    book.add(channel);
    this.#expectHints(channel);
    this.#deps.wake.announce({ kind: 'connected', tenantId, workerId: worker.workerId, since: options.since });
    channel.push({ type: 'connected' });
    this.#owned(this.#pushInterventions(book, channel));
    if (channel.isGivenTasks) await this.#begin(book, channel);
    else this.#owned(this.#tellWaiting(channel));
    return channel;
  }

  /** The first tasks for a channel: those that its worker holds unseen, then what waits. */
  async #begin(book: ChannelBook, channel: PushChannel): Promise<void> {
    const { workerId } = channel.worker;
    const kept = channel.freeSlots;
    book.reserve(channel, kept);
    try {
      this.#give(channel, await this.#deps.store.within(channel, (rows) => rows.tasks.unseenOf(workerId)));
    } catch (error) {
      this.disconnect(channel);
      throw error;
    }
    book.reserve(channel, -kept);
    this.#claimFor(book, channel);
  }

  /** Who takes hints has had none of what came up before it connected. */
  async #tellWaiting(channel: PushChannel): Promise<void> {
    const { workerId } = channel.worker;
    const awaited = await this.#deps.store.within(channel, (rows) => rows.tasks.awaited([workerId]));
    if (awaited.length > 0)
      channel.push({ type: 'resync', reason: 'tasks wait that this worker may take: claim once' });
  }

  disconnect(channel: PushChannel): void {
    const book = this.#books.get(channel.tenantId);
    book?.remove(channel);
    if (book?.size === 0) this.#books.delete(channel.tenantId);
  }

  reserve(
    tenantId: string,
    submitted: readonly SubmittedNeeds[],
    endedLeases: readonly string[],
  ): readonly ReservedSlots[] {
    const book = this.#books.get(tenantId);
    if (book === undefined) return [];
    const wanted = new Map<PushChannel, number>();
    const want = (channel: PushChannel | undefined): void => {
      if (channel === undefined || channel.freeSlots === 0) return;
      book.reserve(channel, 1);
      wanted.set(channel, (wanted.get(channel) ?? 0) + 1);
    };
    for (const leaseToken of endedLeases) want(this.#heard(book.end(leaseToken)));
    for (const needs of submitted) want(book.pick(needs));
    const announced = new Set(submitted.map(({ taskId }) => taskId));
    return [...wanted].map(([channel, limit]) => ({
      workerId: channel.worker.workerId,
      limit,
      settle: (assignments) => {
        // Only of these a hint is still to come.
        for (const { task } of assignments) if (announced.has(task.id)) this.#justAssigned.add(task.id);
        this.#give(channel, assignments);
        this.#unreserve(book, channel, limit);
      },
    }));
  }

  /** To the worker's channel as it is now: the one that the claim was made for may have been replaced. */
  #give(claimedFor: PushChannel, assignments: readonly Assignment[]): void {
    const { tenantId, worker } = claimedFor;
    const book = this.#books.get(tenantId);
    const channel = book?.of(worker.workerId);
    for (const assignment of assignments) {
      const taskId = assignment.task.id;
      this.#deps.wake.announce({ kind: 'task', tenantId, taskId });
      // Without a channel it is sent when the worker comes back, or its lease runs out unseen.
      if (book === undefined || channel === undefined || !channel.isGivenTasks) continue;
      if (channel.busyWith.get(taskId) === assignment.leaseToken) continue;
      book.begin(channel, taskId, assignment.leaseToken, this.#deps.elapsedMs());
      channel.push({ type: 'task_assigned', assignment });
    }
  }

  #hear(hint: Wake): void {
    const book = this.#books.get(hint.tenantId);
    // Asked first, so that the set holds no task for longer than until its hint comes by.
    const assigned = hint.kind === 'pending' && this.#justAssigned.delete(hint.taskId);
    if (book === undefined) return;
    switch (hint.kind) {
      case 'pending':
        if (!assigned) this.#offer(book, hint);
        return;
      case 'cancel': {
        const channel = book.of(hint.workerId);
        channel?.push({ type: 'cancel', taskId: hint.taskId });
        // From now on a heartbeat that does not name it says that it has ended.
        channel?.arriving.delete(hint.taskId);
        return;
      }
      case 'intervention': {
        const channel = book.of(hint.workerId);
        if (channel !== undefined) this.#owned(this.#pushInterventions(book, channel));
        return;
      }
      case 'slot': {
        const channel = this.#heard(book.end(hint.leaseToken));
        if (channel !== undefined) this.#claimFor(book, channel);
        return;
      }
      case 'beat':
        this.#tell(book, hint);
        return;
      case 'workers':
        // Who is not connected here is read when it connects.
        if (hint.workerId !== undefined && book.of(hint.workerId) === undefined) return;
        this.#changed.hear(hint.tenantId, hint.workerId);
        return;
      case 'connected': {
        const channel = book.of(hint.workerId);
        if (channel !== undefined && channel.since < hint.since) this.disconnect(channel);
        return;
      }
      case 'route':
        this.#routeLooks.hear(hint.tenantId, hint.codebaseId);
        return;
      case 'task':
    }
  }

  /** The broker's hints of what this worker serves are understood here from now on. */
  #expectHints({ tenantId, worker }: PushChannel): void {
    const { routeKeys } = this.#deps;
    if (routeKeys === undefined) return;
    for (const codebaseId of [...worker.servedCodebaseIds, pendingCodebaseId]) routeKeys.keyOf(tenantId, codebaseId);
  }

  /** Some task may wait in this codebase: asks what such tasks need, and lets one worker claim for each. */
  async #lookAt(tenantId: string, codebaseId: string): Promise<boolean> {
    const book = this.#books.get(tenantId);
    if (book === undefined) return false;
    // With nobody free there is nothing to ask for; who claims just now may end with a free slot.
    if (book.hungry.size === 0) {
      book.lookAgainIn(codebaseId);
      return false;
    }
    try {
      const waiting = await this.#deps.store.within({ tenantId }, (rows) =>
        rows.routes.waiting(codebaseId, needsAtOnce),
      );
      for (const needs of waiting) {
        const channel = book.pick(needs);
        if (channel !== undefined) this.#claimFor(book, channel);
        else book.lookAgain(needs);
      }
      return waiting.length > 0;
    } catch (error) {
      this.#deps.log('a hint could not be followed', error);
      return false;
    }
  }

  /** What the worker has not answered yet; its heartbeat would bring it too. */
  async #pushInterventions(book: ChannelBook, { tenantId, worker: { workerId } }: PushChannel): Promise<void> {
    const sent = await this.#deps.store.within({ tenantId }, (rows) => rows.interventions.send(workerId));
    for (const intervention of sent) book.of(workerId)?.push({ type: 'intervention', intervention });
  }

  /** One worker with a slot claims; workers that take hints alone hear of it. */
  #offer(book: ChannelBook, hint: Hint<'pending'>): void {
    const channel = book.pick(hint.needs);
    if (channel !== undefined) this.#claimFor(book, channel);
    else book.lookAgain(hint.needs);
    const frame = { type: 'task_available', taskId: hint.taskId, priority: hint.priority } as const;
    for (const other of book.all()) if (!other.isGivenTasks && mayServe(hint.needs, other.worker)) other.push(frame);
  }

  /** What a heartbeat says: the worker can take so many tasks, and works on these. */
  #tell(book: ChannelBook, { workerId, slotsFree, running }: Hint<'beat'>): void {
    const channel = this.#heard(book.of(workerId));
    if (channel === undefined) return;
    for (const taskId of running) channel.arriving.delete(taskId);
    const named = new Set(running);
    const over = [...channel.busyWith].filter(([taskId]) => !named.has(taskId) && !this.#isArriving(channel, taskId));
    if (channel.goesByHeartbeats) {
      this.#declare(book, channel, slotsFree, over);
      return;
    }
    // Tasks it does not name, and for which it has a slot, are over; an assignment on its way fills a slot.
    const surplus = channel.busyWith.size + slotsFree - channel.slots;
    for (const [, leaseToken] of over.slice(0, Math.max(0, surplus))) book.end(leaseToken);
    this.#claimFor(book, channel);
  }

  /** The free slots of a worker that told of none when it connected; what is on its way to it fills one of them. */
  #declare(book: ChannelBook, channel: PushChannel, slotsFree: number, over: readonly [string, string][]): void {
    const isFirst = !channel.isGivenTasks;
    for (const [, leaseToken] of over) book.end(leaseToken);
    const arriving = [...channel.arriving.keys()].filter((taskId) => this.#isArriving(channel, taskId));
    book.declare(channel, channel.busyWith.size - arriving.length + slotsFree);
    if (isFirst && channel.isGivenTasks) this.#owned(this.#begin(book, channel));
    else this.#claimFor(book, channel);
  }

  #isArriving(channel: PushChannel, taskId: string): boolean {
    const sentMs = channel.arriving.get(taskId);
    return sentMs !== undefined && this.#deps.elapsedMs() - sentMs < onItsWayMs;
  }

  /** Claims for a channel's free slots, in the background. */
  #claimFor(book: ChannelBook, channel: PushChannel): void {
    const limit = channel.freeSlots;
    if (limit === 0) return;
    book.reserve(channel, limit);
    const { workerId } = channel.worker;
    const claim = this.#deps.queue.claim(channel, { workerId, limit }).then(
      (assignments) => this.#give(channel, assignments ?? []),
      // The sweep tries again.
      (error: unknown) => this.#deps.log('a claim for a connected worker failed', { worker_id: workerId, error }),
    );
    this.#owned(claim.finally(() => this.#unreserve(book, channel, limit)));
  }

  /** The end of a claim. A task that came up while it looked would have to wait for the sweep. */
  #unreserve(book: ChannelBook, channel: PushChannel, limit: number): void {
    book.reserve(channel, -limit);
    if (!channel.lookAgain) return;
    channel.lookAgain = false;
    this.#claimFor(book, channel);
  }

  /** What these connected workers may serve has changed, or what any may: reads it anew, once for all of them. */
  async #refresh(tenantId: string, workerIds: ReadonlySet<string> | undefined): Promise<void> {
    const book = this.#books.get(tenantId);
    if (book === undefined) return;
    // Only these: of a worker that connects while we read, the answer may know nothing yet.
    const named = workerIds === undefined ? book.all() : [...workerIds].map((workerId) => book.of(workerId));
    const channels = named.filter((channel) => channel !== undefined);
    if (channels.length === 0) return;
    try {
      const ids = channels.map((channel) => channel.worker.workerId);
      const routable = await this.#deps.store.within({ tenantId }, (rows) => rows.workers.routable(ids));
      const byId = new Map(routable.map((worker) => [worker.workerId, worker]));
      for (const channel of channels) this.#update(book, channel, byId.get(channel.worker.workerId));
    } catch (error) {
      // The claim decides who may have what, and the sweep finds what nobody was told of.
      this.#deps.log('workers that changed could not be read', error);
    }
  }

  /** @param worker undefined: it has gone */
  #update(book: ChannelBook, channel: PushChannel, worker: RoutableWorker | undefined): void {
    if (worker === undefined) {
      this.disconnect(channel);
      return;
    }
    // When a codebase changed, most of those that were read have nothing new to look for.
    const isNews = !serveAlike(channel.worker, worker);
    channel.worker = worker;
    if (!isNews) return;
    this.#expectHints(channel);
    this.#claimFor(book, channel);
  }

  /** A heartbeat on every channel that is due for one: each by its own pace, so that thousands are spread over it. */
  beat(): void {
    const nowMs = this.#deps.elapsedMs();
    for (const book of this.#books.values()) for (const channel of book.all()) channel.beat(nowMs);
  }

  /** Hints of other replicas may have been missed: the sweep makes up for slots, the others look for themselves. */
  missedHints(): void {
    const reason = 'hints may have been missed: claim once';
    for (const [tenantId, book] of this.#books) {
      this.#changed.hear(tenantId, undefined);
      for (const channel of book.all()) if (!channel.isGivenTasks) channel.push({ type: 'resync', reason });
    }
  }

  /** Finds what no hint brought: one look for all tenants, then claims for those that would get something. */
  async sweep(): Promise<void> {
    const hungry = [...this.#books].flatMap(([tenantId, book]) => (book.hungry.size > 0 ? [tenantId] : []));
    if (hungry.length === 0) return;
    for (const tenantId of await this.#deps.crossings.tenantsWithPending(hungry)) {
      const waiting = [...(this.#books.get(tenantId)?.hungry ?? [])].map((channel) => channel.worker.workerId);
      const awaited = await this.#deps.store.within({ tenantId }, (rows) => rows.tasks.awaited(waiting));
      const book = this.#books.get(tenantId);
      if (book === undefined) continue;
      for (const channel of book.heard(awaited)) this.#claimFor(book, channel);
    }
  }

  /** Its worker has said something just now. */
  #heard(channel: PushChannel | undefined): PushChannel | undefined {
    if (channel !== undefined) channel.heardMs = this.#deps.elapsedMs();
    return channel;
  }

  #isSilent(channel: PushChannel): boolean {
    return this.#deps.elapsedMs() - channel.heardMs > this.#deps.silentAfterMs;
  }

  /** Work in the background: its failure is logged, the sweep makes up for it. */
  #owned(work: Promise<void>): void {
    work.catch((error: unknown) => this.#deps.log('dispatching failed', error));
  }

  [Symbol.dispose](): void {
    this.#routeLooks[Symbol.dispose]();
  }
}
