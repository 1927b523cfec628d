// The push channels of one tenant in this process: who is connected, who has a free slot, who works on what.
import { holdsCodebase, mayServe } from '../model/task/route.ts';
import type { RouteNeeds } from '../model/task/task.ts';
import type { PushChannel } from './push-channel.ts';

export class ChannelRegistry {
  readonly #isSilent: (channel: PushChannel) => boolean;
  readonly #byWorker = new Map<string, PushChannel>();
  /** By lease token, not by task: who lost a task and speaks of it later must not free the slot of the next. */
  readonly #byLease = new Map<string, { readonly channel: PushChannel; readonly taskId: string }>();
  /** Channels with a free slot, the one that waits longest first: submits look here and nowhere else. */
  readonly #idle = new Set<PushChannel>();
  /** Channels for which a claim is under way. */
  readonly #claiming = new Set<PushChannel>();

  /** @param isSilent whether its worker has not been heard of for so long that it may be gone or stand still */
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

  /** Puts a channel in, in place of an older one of the same worker, which is closed. */
  add(channel: PushChannel): void {
    const { workerId } = channel.worker;
    const older = this.#byWorker.get(workerId);
    if (older !== undefined) this.remove(older);
    this.#byWorker.set(workerId, channel);
    this.#reindex(channel);
  }

  remove(channel: PushChannel): void {
    channel.close();
    this.#idle.delete(channel);
    this.#claiming.delete(channel);
    for (const leaseToken of channel.running.values()) this.#byLease.delete(leaseToken);
    if (this.#byWorker.get(channel.worker.workerId) === channel) this.#byWorker.delete(channel.worker.workerId);
  }

  /** @param nowMs when it was sent, by the clock of `heardMs` */
  assign(channel: PushChannel, taskId: string, leaseToken: string, nowMs: number): void {
    const earlier = channel.running.get(taskId);
    if (earlier !== undefined) this.#byLease.delete(earlier);
    channel.running.set(taskId, leaseToken);
    channel.unconfirmed.set(taskId, nowMs);
    this.#byLease.set(leaseToken, { channel, taskId });
    this.#reindex(channel);
  }

  /** The channel that worked under this lease, its slot free now. */
  release(leaseToken: string): PushChannel | undefined {
    const held = this.#byLease.get(leaseToken);
    if (held === undefined) return undefined;
    this.#byLease.delete(leaseToken);
    held.channel.running.delete(held.taskId);
    held.channel.unconfirmed.delete(held.taskId);
    this.#reindex(held.channel);
    return held.channel;
  }

  /** Keeps slots for a claim under way; a negative number gives them back. */
  reserve(channel: PushChannel, slots: number): void {
    channel.reserved += slots;
    this.#reindex(channel);
  }

  /** How many tasks it can work on from now on, those it has included. */
  setSlots(channel: PushChannel, slots: number): void {
    channel.setSlots(slots);
    this.#reindex(channel);
  }

  /**
   * The one that waits longest of those that may serve this. None that is silent: a worker that stands still would be the
   * first in line for good, for who says something goes to its end. Those are left to the sweep.
   */
  pick(need: RouteNeeds): PushChannel | undefined {
    for (const channel of this.#idle) if (!this.#isSilent(channel) && mayServe(need, channel.worker)) return channel;
    return undefined;
  }

  /** Of these, the workers that are heard of; all of them where none is. */
  responsive(workerIds: readonly string[]): PushChannel[] {
    const channels = workerIds.map((workerId) => this.get(workerId)).filter((channel) => channel !== undefined);
    const responsive = channels.filter((channel) => !this.#isSilent(channel));
    return responsive.length > 0 ? responsive : channels;
  }

  /** Nobody is free for this, but a claim under way may end with a slot left: it shall look again. */
  markClaimAgain(need: RouteNeeds): void {
    for (const channel of this.#claiming) if (mayServe(need, channel.worker)) channel.claimAgain = true;
  }

  /** As `lookAgain`, for whatever waits in a codebase. */
  markClaimAgainIn(codebaseId: string): void {
    for (const channel of this.#claiming) if (holdsCodebase(codebaseId, channel.worker)) channel.claimAgain = true;
  }

  /** Whoever changes goes to the end of the line, or out of it. */
  #reindex(channel: PushChannel): void {
    this.#idle.delete(channel);
    this.#claiming.delete(channel);
    if (this.#byWorker.get(channel.worker.workerId) !== channel) return;
    if (channel.freeSlots > 0) this.#idle.add(channel);
    if (channel.reserved > 0) this.#claiming.add(channel);
  }
}
