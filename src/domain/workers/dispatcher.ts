// The dispatcher: brings pending tasks to the workers that are connected to this process and have free slots.
//
// It never changes a task but through the queue's claim, and what it knows of workers is a hint: the claim decides.
// Tasks submitted through this process are claimed in the very commit that takes them (`reserve`); what other
// replicas took, what a lost hint left and what a hold gave free is found by the hint, or by the sweep.
import { mayServe, type RoutableWorker } from '../model/route.ts';
import type { Assignment, RouteNeeds } from '../model/task.ts';
import type { Crossings } from '../ports/crossings.ts';
import type { IdleWorkers, ReservedSlots, TaskQueue } from '../ports/queue.ts';
import type { Store } from '../ports/store.ts';
import type { Wake, WakeBus } from '../ports/wake.ts';
import { ChannelBook } from './channel-book.ts';
import { PushChannel } from './push-channel.ts';

export interface DispatcherDeps {
  readonly store: Store;
  readonly queue: TaskQueue;
  readonly crossings: Crossings;
  readonly wake: WakeBus;
  readonly log: (line: string, error?: unknown) => void;
}

const pendingNeedsLimit = 200;

export class Dispatcher implements IdleWorkers {
  readonly #deps: DispatcherDeps;
  readonly #books = new Map<string, ChannelBook>();
  /** Tasks given out in the commit that took them, until the hint of that commit has been heard. */
  readonly #justAssigned = new Set<string>();

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    deps.wake.listen((hint) => this.#hear(hint));
    deps.queue.serveIdle(this);
  }

  /**
   * Opens a worker's channel, in place of an older one.
   * @param slots how many tasks it may be given without asking; 0: hints alone
   * @param inDoubt runs it holds whose assignment may not have reached it: sent again
   */
  connect(tenantId: string, worker: RoutableWorker, slots: number, inDoubt: readonly Assignment[]): PushChannel {
    const book = this.#books.get(tenantId) ?? new ChannelBook();
    this.#books.set(tenantId, book);
    const channel = new PushChannel(tenantId, worker, slots);
    book.add(channel);
    channel.push({ type: 'connected' });
    this.#give(book, channel, inDoubt);
    this.#claimFor(book, channel);
    return channel;
  }

  disconnect(channel: PushChannel): void {
    const book = this.#books.get(channel.tenantId);
    book?.remove(channel);
    if (book?.size === 0) this.#books.delete(channel.tenantId);
  }

  /** What a heartbeat says: the worker can take so many tasks, and works on these. */
  tell(tenantId: string, workerId: string, slotsFree: number, running: readonly string[]): void {
    const book = this.#books.get(tenantId);
    const channel = book?.of(workerId);
    if (book === undefined || channel === undefined) return;
    // Tasks it does not name, and for which it has a slot, are over; an assignment on its way fills a slot.
    const named = new Set(running);
    const unnamed = [...channel.busyWith].filter((taskId) => !named.has(taskId));
    const surplus = channel.busyWith.size + slotsFree - channel.slots;
    for (const taskId of unnamed.slice(0, Math.max(0, surplus))) book.end(taskId);
    this.#claimFor(book, channel);
  }

  reserve(tenantId: string, needs: readonly RouteNeeds[], finishedTaskIds: readonly string[]): ReservedSlots[] {
    const book = this.#books.get(tenantId);
    if (book === undefined) return [];
    const wanted = new Map<PushChannel, number>();
    const want = (channel: PushChannel | undefined): void => {
      if (channel === undefined || channel.freeSlots === 0) return;
      book.reserve(channel, 1);
      wanted.set(channel, (wanted.get(channel) ?? 0) + 1);
    };
    for (const taskId of finishedTaskIds) want(book.end(taskId));
    for (const need of needs) want(book.pick(need));
    return [...wanted].map(([channel, limit]) => ({
      workerId: channel.worker.workerId,
      limit,
      settle: (assignments) => {
        for (const { task } of assignments) this.#justAssigned.add(task.id);
        this.#give(book, channel, assignments);
        book.reserve(channel, -limit);
      },
    }));
  }

  #give(book: ChannelBook, channel: PushChannel, assignments: readonly Assignment[]): void {
    const { tenantId } = channel;
    for (const assignment of assignments) {
      book.begin(channel, assignment.task.id);
      channel.push({ type: 'task_assigned', assignment });
      this.#deps.wake.announce({ kind: 'task', tenantId, taskId: assignment.task.id });
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
      case 'cancel':
        book.of(hint.workerId)?.push({ type: 'cancel', taskId: hint.taskId });
        return;
      case 'slot': {
        const channel = book.end(hint.taskId);
        if (channel !== undefined) this.#claimFor(book, channel);
        return;
      }
      case 'workers':
        this.#owned(this.#refresh(hint.tenantId, book));
        return;
      case 'task':
    }
  }

  /** One worker with a slot claims; workers that take hints alone hear of it. */
  #offer(book: ChannelBook, hint: Extract<Wake, { kind: 'pending' }>): void {
    const channel = book.pick(hint.needs);
    if (channel !== undefined) this.#claimFor(book, channel);
    for (const other of book.all()) {
      if (other.slots > 0 || !mayServe(hint.needs, other.worker)) continue;
      other.push({ type: 'task_available', taskId: hint.taskId, priority: hint.priority });
    }
  }

  /** Claims for a channel's free slots, in the background. */
  #claimFor(book: ChannelBook, channel: PushChannel): void {
    const limit = channel.freeSlots;
    if (limit === 0) return;
    book.reserve(channel, limit);
    const { workerId } = channel.worker;
    const claim = this.#deps.queue.claim(channel, { workerId, limit }).then(
      (assignments) => this.#give(book, channel, assignments ?? []),
      // The sweep tries again.
      (error: unknown) => this.#deps.log('a claim for a connected worker failed', error),
    );
    this.#owned(claim.finally(() => book.reserve(channel, -limit)));
  }

  /** What workers may serve has changed: read it anew, once for the tenant. */
  async #refresh(tenantId: string, book: ChannelBook): Promise<void> {
    const routable = await this.#deps.store.within({ tenantId }, (rows) => rows.workers.routable());
    const byId = new Map(routable.map((worker) => [worker.workerId, worker]));
    for (const channel of book.all()) {
      const worker = byId.get(channel.worker.workerId);
      if (worker === undefined) {
        this.disconnect(channel);
      } else {
        channel.worker = worker;
        this.#claimFor(book, channel);
      }
    }
  }

  /** A heartbeat on every channel. */
  beat(): void {
    for (const book of this.#books.values()) for (const channel of book.all()) channel.push({ type: 'heartbeat' });
  }

  /** Finds what no hint brought: one look for all tenants, then claims by what really waits. */
  async sweep(): Promise<void> {
    const hungry = [...this.#books].flatMap(([tenantId, book]) => (book.hungry.size > 0 ? [tenantId] : []));
    if (hungry.length === 0) return;
    for (const tenantId of await this.#deps.crossings.tenantsWithPending(hungry)) {
      const needs = await this.#deps.store.within({ tenantId }, (rows) => rows.tasks.pendingNeeds(pendingNeedsLimit));
      const book = this.#books.get(tenantId);
      if (book === undefined) continue;
      // A copy: claiming moves channels in the line.
      for (const channel of Array.from(book.hungry)) {
        if (needs.some((need) => mayServe(need, channel.worker))) this.#claimFor(book, channel);
      }
    }
  }

  /** Work in the background: its failure is logged, the sweep makes up for it. */
  #owned(work: Promise<void>): void {
    work.catch((error: unknown) => this.#deps.log('dispatching failed', error));
  }
}
