// The push channels of one tenant in this process: connected workers, idle ones by codebase, and leases by channel.
import { pendingCodebaseId } from '../model/codebase.ts';
import { hasSameRouting, holdsCodebase, mayServe, type RoutableWorker } from '../model/task/route.ts';
import type { RouteNeeds } from '../model/task/task.ts';
import type { PushChannel } from './push-channel.ts';

/**
 * A channel moves to the end of the line with every claim, in the index of each codebase of its worker. Workers with
 * more codebases than this are kept in one separate line instead, so that a move costs little.
 */
const maxIndexedCodebases = 16;

export class ChannelRegistry {
  readonly #isSilent: (channel: PushChannel) => boolean;
  readonly #byWorker = new Map<string, PushChannel>();
  /** By lease token, not by task: a worker that lost a task and releases it later must not free the next one's slot. */
  readonly #byLease = new Map<string, { readonly channel: PushChannel; readonly taskId: string }>();
  /** Channels with a free slot in the order in which they were last indexed: the first waits longest. */
  readonly #idle = new Set<PushChannel>();
  /**
   * The same channels in the same order, by each codebase that their worker serves. A set stays while it is empty, so
   * that a codebase with one worker does not allocate one for each task.
   */
  readonly #idleByCodebase = new Map<string, Set<PushChannel>>();
  /** Idle channels, in the same order, of workers that serve too many codebases for that index. */
  readonly #idleBroad = new Set<PushChannel>();
  /** Counts places in the line: `PushChannel.idleOrder` compares channels of different sets. */
  #lastIdleOrder = 0;
  /** Channels with a claim in progress. */
  readonly #claiming = new Set<PushChannel>();

  /** @param isSilent whether the channel's worker has sent nothing for so long that it may be gone or unresponsive */
  constructor(isSilent: (channel: PushChannel) => boolean) {
    this.#isSilent = isSilent;
  }

  get size(): number {
    return this.#byWorker.size;
  }

  get idle(): ReadonlySet<PushChannel> {
    return this.#idle;
  }

  all(): PushChannel[] {
    return [...this.#byWorker.values()];
  }

  get(workerId: string): PushChannel | undefined {
    return this.#byWorker.get(workerId);
  }

  /** Adds a channel. An older one of the same worker is closed. */
  add(channel: PushChannel): void {
    const { workerId } = channel.worker;
    const older = this.#byWorker.get(workerId);
    if (older !== undefined) this.remove(older);
    this.#byWorker.set(workerId, channel);
    this.#reindex(channel);
  }

  remove(channel: PushChannel): void {
    channel.close();
    this.#unindex(channel);
    this.#forgetEmpty(channel.worker);
    for (const leaseToken of channel.running.values()) this.#byLease.delete(leaseToken);
    if (this.#byWorker.get(channel.worker.workerId) === channel) this.#byWorker.delete(channel.worker.workerId);
  }

  /** @param nowMs when the assignment was sent, by the clock of `lastSeenMs` */
  assign(channel: PushChannel, taskId: string, leaseToken: string, nowMs: number): void {
    const earlier = channel.running.get(taskId);
    if (earlier !== undefined) this.#byLease.delete(earlier);
    channel.running.set(taskId, leaseToken);
    channel.unconfirmed.set(taskId, nowMs);
    this.#byLease.set(leaseToken, { channel, taskId });
    this.#reindex(channel);
  }

  /** Frees the slot of this lease. @returns its channel */
  release(leaseToken: string): PushChannel | undefined {
    const held = this.#byLease.get(leaseToken);
    if (held === undefined) return undefined;
    this.#byLease.delete(leaseToken);
    held.channel.running.delete(held.taskId);
    held.channel.unconfirmed.delete(held.taskId);
    this.#reindex(held.channel);
    return held.channel;
  }

  /** Reserves slots for a claim in progress; a negative number returns them. */
  reserve(channel: PushChannel, slots: number): void {
    channel.reserved += slots;
    this.#reindex(channel);
  }

  /** Sets how many tasks the worker can run from now on, including those it already runs. */
  setSlots(channel: PushChannel, slots: number): void {
    channel.setSlots(slots);
    this.#reindex(channel);
  }

  /**
   * Updates what the worker may serve. The channel goes to the end of the line.
   * @returns false when nothing changed; the channel keeps its place then
   */
  setWorker(channel: PushChannel, worker: RoutableWorker): boolean {
    if (hasSameRouting(channel.worker, worker)) {
      channel.worker = worker;
      return false;
    }
    const before = channel.worker;
    this.#unindex(channel);
    channel.worker = worker;
    this.#reindex(channel);
    this.#forgetEmpty(before);
    return true;
  }

  /**
   * Picks the idle channel that waits longest and may serve this. Visits only the target worker, or idle channels of the
   * codebase and of workers with many codebases.
   *
   * Skips workers that stopped sending: only active channels move to the end of the line, so an unresponsive worker
   * would stay first. The sweep serves such workers.
   */
  pick(need: RouteNeeds): PushChannel | undefined {
    if (need.targetWorkerId !== null) {
      const target = this.#byWorker.get(need.targetWorkerId);
      return target !== undefined && this.#idle.has(target) && this.#canTake(need, target) ? target : undefined;
    }
    if (need.codebaseId === null) return undefined;
    // Every worker may serve the pending codebase.
    if (need.codebaseId === pendingCodebaseId) return this.#findFirst(need, this.#idle);
    const indexed = this.#findFirst(need, this.#idleByCodebase.get(need.codebaseId));
    const broad = this.#findFirst(need, this.#idleBroad);
    if (indexed === undefined || broad === undefined) return indexed ?? broad;
    return indexed.idleOrder < broad.idleOrder ? indexed : broad;
  }

  #findFirst(need: RouteNeeds, line: ReadonlySet<PushChannel> | undefined): PushChannel | undefined {
    if (line === undefined) return undefined;
    for (const channel of line) if (this.#canTake(need, channel)) return channel;
    return undefined;
  }

  #canTake(need: RouteNeeds, channel: PushChannel): boolean {
    return !this.#isSilent(channel) && mayServe(need, channel.worker);
  }

  /** Returns the channels of these workers that are responsive; all of them if none is. */
  responsive(workerIds: readonly string[]): PushChannel[] {
    const channels = workerIds.map((workerId) => this.get(workerId)).filter((channel) => channel !== undefined);
    const responsive = channels.filter((channel) => !this.#isSilent(channel));
    return responsive.length > 0 ? responsive : channels;
  }

  /** Makes claims in progress that may serve this repeat: one of them may end with a free slot. */
  markClaimAgain(need: RouteNeeds): void {
    for (const channel of this.#claiming) if (mayServe(need, channel.worker)) channel.claimAgain = true;
  }

  /** As `markClaimAgain`, for any task of a codebase. */
  markClaimAgainIn(codebaseId: string): void {
    for (const channel of this.#claiming) if (holdsCodebase(codebaseId, channel.worker)) channel.claimAgain = true;
  }

  /** Moves a changed channel to the end of the line, or removes it from the line when it has no free slot. */
  #reindex(channel: PushChannel): void {
    this.#unindex(channel);
    if (this.#byWorker.get(channel.worker.workerId) !== channel) return;
    if (channel.freeSlots > 0) this.#addIdle(channel);
    if (channel.reserved > 0) this.#claiming.add(channel);
  }

  #addIdle(channel: PushChannel): void {
    this.#idle.add(channel);
    this.#lastIdleOrder += 1;
    channel.idleOrder = this.#lastIdleOrder;
    if (isBroad(channel.worker)) {
      this.#idleBroad.add(channel);
      return;
    }
    for (const codebaseId of channel.worker.servedCodebaseIds) {
      const idle = this.#idleByCodebase.get(codebaseId);
      if (idle === undefined) this.#idleByCodebase.set(codebaseId, new Set([channel]));
      else idle.add(channel);
    }
  }

  #unindex(channel: PushChannel): void {
    this.#claiming.delete(channel);
    if (!this.#idle.delete(channel) || this.#idleBroad.delete(channel)) return;
    for (const codebaseId of channel.worker.servedCodebaseIds) this.#idleByCodebase.get(codebaseId)?.delete(channel);
  }

  /** Forgets codebases of a worker that left or changed, where no idle channel serves them. */
  #forgetEmpty({ servedCodebaseIds }: RoutableWorker): void {
    for (const codebaseId of servedCodebaseIds)
      if (this.#idleByCodebase.get(codebaseId)?.size === 0) this.#idleByCodebase.delete(codebaseId);
  }
}

function isBroad({ servedCodebaseIds }: RoutableWorker): boolean {
  return servedCodebaseIds.size > maxIndexedCodebases;
}
