// One worker's push channel: a bounded queue of frames, the worker's slots and the tasks that it runs.
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
  /** Tasks that may be assigned without a claim by the worker; 0: hints only; undefined: as heartbeats report. */
  readonly slots: number | undefined;
  /** When it was opened, by the database's clock. */
  readonly since: number;
  /** Interval of heartbeat frames. */
  readonly heartbeatMs: number;
}

/** Hints beyond this many are dropped and replaced by one `resync`; assignments are bounded by the worker's slots. */
const maxQueuedFrames = 256;

export class PushChannel {
  readonly tenantId: string;
  /** True when the stream was opened without a number of slots: heartbeats report the free ones. */
  readonly usesHeartbeatSlots: boolean;
  /** When it was opened, by the database's clock. */
  readonly since: number;
  worker: RoutableWorker;
  /** When the worker last sent something, in milliseconds by this process's monotonic clock. */
  lastSeenMs: number;
  /** Place in the registry's line of idle channels; valid while the channel is idle. */
  idleOrder = 0;
  /** Slots reserved for claims in progress. */
  reserved = 0;
  /** A task for this worker became pending while a claim was in progress; that claim may have missed it. */
  claimAgain = false;
  /** Tasks that the worker runs, as far as this process knows: lease token by task id. */
  readonly running = new Map<string, string>();
  /** Running tasks that no heartbeat has confirmed yet: when the assignment was sent, by the clock of `lastSeenMs`. */
  readonly unconfirmed = new Map<string, number>();
  readonly #heartbeatMs: number;
  #lastHeartbeatMs: number;
  #slots: number;
  #acceptsAssignments: boolean;
  #frames: Frame[] = [];
  /** Resolves the pending call of `next`. */
  #reader: ((frame: Frame | undefined) => void) | undefined;
  #closed = false;

  /** @param nowMs by this process's monotonic clock */
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

  /** Sends a heartbeat frame when one is due. @param nowMs by the clock of `lastSeenMs` */
  sendHeartbeatIfDue(nowMs: number): void {
    if (nowMs - this.#lastHeartbeatMs < this.#heartbeatMs) return;
    this.#lastHeartbeatMs = nowMs;
    this.push({ type: 'heartbeat' });
  }

  get slots(): number {
    return this.#slots;
  }

  /** True once the worker has declared slots: tasks are assigned to it. Otherwise it gets hints and claims by itself. */
  get acceptsAssignments(): boolean {
    return this.#acceptsAssignments;
  }

  /** Sets how many tasks the worker can run from now on, including those it already runs. */
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

  /** Idempotent. Drops queued frames: a worker that reconnects gets everything again. */
  close(): void {
    this.#closed = true;
    this.#frames = [];
    this.#handOver(undefined);
  }

  /** Resolves with the next frame, or with undefined once the channel is closed. Supports one reader. */
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
