// The push channels of one tenant in this process: who is connected, who has a free slot, who works on what.
import { mayServe } from '../model/route.ts';
import type { RouteNeeds } from '../model/task.ts';
import type { PushChannel } from './push-channel.ts';

export class ChannelBook {
  readonly #byWorker = new Map<string, PushChannel>();
  readonly #byTask = new Map<string, PushChannel>();
  /** Channels with a free slot, the one that waits longest first: submits look here and nowhere else. */
  readonly #hungry = new Set<PushChannel>();

  get size(): number {
    return this.#byWorker.size;
  }

  get hungry(): ReadonlySet<PushChannel> {
    return this.#hungry;
  }

  all(): PushChannel[] {
    return [...this.#byWorker.values()];
  }

  of(workerId: string): PushChannel | undefined {
    return this.#byWorker.get(workerId);
  }

  /** Puts a channel in, in place of an older one of the same worker, which is closed. */
  add(channel: PushChannel): void {
    const { workerId } = channel.worker;
    const older = this.#byWorker.get(workerId);
    if (older !== undefined) this.remove(older);
    this.#byWorker.set(workerId, channel);
    this.#note(channel);
  }

  remove(channel: PushChannel): void {
    channel.close();
    this.#hungry.delete(channel);
    for (const taskId of channel.busyWith) this.#byTask.delete(taskId);
    if (this.#byWorker.get(channel.worker.workerId) === channel) this.#byWorker.delete(channel.worker.workerId);
  }

  begin(channel: PushChannel, taskId: string): void {
    channel.busyWith.add(taskId);
    this.#byTask.set(taskId, channel);
    this.#note(channel);
  }

  /** The channel that worked on this task, its slot free now. */
  end(taskId: string): PushChannel | undefined {
    const channel = this.#byTask.get(taskId);
    if (channel === undefined) return undefined;
    this.#byTask.delete(taskId);
    channel.busyWith.delete(taskId);
    this.#note(channel);
    return channel;
  }

  /** Keeps slots for a claim under way; a negative number gives them back. */
  reserve(channel: PushChannel, slots: number): void {
    channel.reserved += slots;
    this.#note(channel);
  }

  /** The one that waits longest of those that may serve this. */
  pick(need: RouteNeeds): PushChannel | undefined {
    for (const channel of this.#hungry) if (mayServe(need, channel.worker)) return channel;
    return undefined;
  }

  /** Whoever changes goes to the end of the line, or out of it. */
  #note(channel: PushChannel): void {
    this.#hungry.delete(channel);
    if (channel.freeSlots > 0 && this.#byWorker.get(channel.worker.workerId) === channel) this.#hungry.add(channel);
  }
}
