// One worker's push channel: frames on their way to it, bounded, and how many tasks it can take.
import type { SentIntervention } from '../model/intervention.ts';
import type { RoutableWorker } from '../model/task/route.ts';
import type { Assignment } from '../model/task/task.ts';

export type Frame =
  | { readonly type: 'connected' }
  | { readonly type: 'task_available'; readonly taskId: string; readonly priority: number }
  | { readonly type: 'task_assigned'; readonly assignment: Assignment }
  | { readonly type: 'cancel'; readonly taskId: string }
  | { readonly type: 'intervention'; readonly intervention: SentIntervention }
  | { readonly type: 'heartbeat' }
  | { readonly type: 'resync'; readonly reason: string };

export interface ChannelOptions {
  /** How many tasks it may be given without asking; 0: hints alone; undefined: what heartbeats say. */
  readonly slots: number | undefined;
  /** When it was opened, by the database's clock. */
  readonly since: number;
  /** Between two of its heartbeats. */
  readonly heartbeatMs: number;
}

/** Hints beyond this many are dropped for one `resync`; assignments are bounded by the worker's slots. */
const maxQueuedFrames = 256;

export class PushChannel {
  readonly tenantId: string;
  /** The stream was opened without a word of slots: what heartbeats say of free ones counts. */
  readonly usesHeartbeatSlots: boolean;
  /** When it was opened, by the database's clock. */
  readonly since: number;
  worker: RoutableWorker;
  /** When the worker was heard of last, by this process's clock that is never set back. */
  lastSeenMs: number;
  /** Slots that a claim under way may fill. */
  reserved = 0;
  /** A task came up for it while a claim was under way, which may have looked too early. */
  claimAgain = false;
  /** Tasks it works on, as far as this process knows, each with its lease. */
  readonly running = new Map<string, string>();
  /** Those of them that no heartbeat has named yet, each with when it was sent, by the clock of `heardMs`. */
  readonly unconfirmed = new Map<string, number>();
  readonly #heartbeatMs: number;
  #lastHeartbeatMs: number;
  #slots: number;
  #acceptsAssignments: boolean;
  #frames: Frame[] = [];
  /** Who waits for the next frame. */
  #reader: ((frame: Frame | undefined) => void) | undefined;
  #closed = false;

  /** @param nowMs by this process's clock that is never set back */
  constructor(tenantId: string, worker: RoutableWorker, { slots, since, heartbeatMs }: ChannelOptions, nowMs: number) {
    this.tenantId = tenantId;
    this.worker = worker;
    this.usesHeartbeatSlots = slots === undefined;
    this.#slots = slots ?? 0;
    this.#acceptsAssignments = this.#slots > 0;
    this.since = since;
    this.lastSeenMs = nowMs;
    this.#heartbeatMs = heartbeatMs;
    this.#lastHeartbeatMs = nowMs;
  }

  /** Sends its heartbeat when that is due. @param nowMs by the clock of `heardMs` */
  sendHeartbeatIfDue(nowMs: number): void {
    if (nowMs - this.#lastHeartbeatMs < this.#heartbeatMs) return;
    this.#lastHeartbeatMs = nowMs;
    this.push({ type: 'heartbeat' });
  }

  get slots(): number {
    return this.#slots;
  }

  /** It has declared slots at some time: tasks are assigned to it. Else it is told of them, and claims. */
  get acceptsAssignments(): boolean {
    return this.#acceptsAssignments;
  }

  /** How many tasks it can work on from now on, those it has included. */
  setSlots(slots: number): void {
    this.#slots = slots;
    if (slots > 0) this.#acceptsAssignments = true;
  }

  get freeSlots(): number {
    return this.#closed ? 0 : Math.max(0, this.#slots - this.running.size - this.reserved);
  }

  push(frame: Frame): void {
    if (this.#closed) return;
    if (this.#reader !== undefined) {
      this.#handOver(frame);
    } else if (this.#frames.length >= maxQueuedFrames && frame.type !== 'task_assigned' && frame.type !== 'cancel') {
      this.#frames = this.#frames.filter((waiting) => waiting.type === 'task_assigned' || waiting.type === 'cancel');
      this.#frames.push({ type: 'resync', reason: 'this connection reads too slowly' });
    } else {
      this.#frames.push(frame);
    }
  }

  /** May be called again. What waits is dropped: a worker that comes back is told anew. */
  close(): void {
    this.#closed = true;
    this.#frames = [];
    this.#handOver(undefined);
  }

  /** The next frame, when it comes; undefined once the channel is closed. One reader only. */
  next(): Promise<Frame | undefined> {
    const frame = this.#frames.shift();
    if (frame !== undefined || this.#closed) return Promise.resolve(frame);
    return new Promise((resolve) => {
      this.#reader = resolve;
    });
  }

  #handOver(frame: Frame | undefined): void {
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.(frame);
  }
}
