// The events of one lease that the service has not taken yet: numbered, batched, and sent singly after a rejection.
import type { WorkerEvent } from '../../contracts/worker.ts';
import type { NewWorkerEvent } from '../base/event.ts';

interface Batch {
  readonly events: WorkerEvent[];
  bytes: number;
}

interface Sized {
  readonly event: NewWorkerEvent;
  readonly bytes: number;
}

const batchEvents = 200;
/**
 * Adjacent output is merged up to this length, so that an agent that prints line by line does not make one row per
 * line.
 */
const mergedTextLength = 32_000;

export interface OutboxOptions {
  readonly batchBytes: number;
  readonly bufferBytes: number;
  /** Unreported events of an earlier process of this worker. */
  readonly pending?: readonly WorkerEvent[];
}

interface Waiter {
  readonly when: () => boolean;
  readonly resolve: () => void;
}

/** Numbers the events of one lease and hands them out in batches, the same batch until it is taken or rejected. */
export class Outbox {
  readonly #batchBytes: number;
  readonly #bufferBytes: number;
  /** Events without a number. */
  #waiting: Sized[] = [];
  #waitingBytes = 0;
  /** Numbered and not sent yet. */
  #numbered: Batch[];
  /** The batch at the head, once it was asked for. */
  #batch: Batch | undefined;
  /** Events of a rejected batch that still have to be sent, one at a time. */
  #singles: WorkerEvent[] = [];
  #lastN: number;
  /** The number of the last event that a note replaced. */
  #noted = 0;
  #dropped = false;
  #waiters: Waiter[] = [];

  constructor({ batchBytes, bufferBytes, pending = [] }: OutboxOptions) {
    this.#batchBytes = batchBytes;
    this.#bufferBytes = bufferBytes;
    this.#numbered = splitIntoBatches(pending, batchBytes);
    this.#lastN = pending.at(-1)?.n ?? 0;
  }

  put(event: NewWorkerEvent): void {
    if (this.#dropped) return;
    const bytes = eventBytes(event);
    this.#waiting.push({ event, bytes });
    this.#waitingBytes += bytes;
  }

  /** The batch to send now, the same one until it is taken or rejected; undefined when there is none. */
  head(): WorkerEvent[] | undefined {
    if (this.#batch !== undefined) return this.#batch.events;
    const [single] = this.#singles;
    this.#batch =
      single === undefined
        ? (this.#numbered.shift() ?? this.#nextBatch())
        : { events: [single], bytes: eventBytes(single) };
    return this.#batch?.events;
  }

  /** Must be called when the service has taken the batch. */
  taken(): void {
    if (this.#batch !== undefined && this.#singles[0] === this.#batch.events[0]) this.#singles.shift();
    this.#batch = undefined;
    this.#resolveWaiters();
  }

  /**
   * Must be called when the service will never take the batch: its events are sent singly, and a rejected one is
   * replaced by a note.
   */
  refused(): void {
    const [first, ...rest] = this.#batch?.events ?? [];
    if (this.#batch === undefined || first === undefined) return;
    if (rest.length > 0) this.#singles = this.#batch.events;
    else if (this.#noted === first.n) this.#singles.shift();
    else this.#singles = [toRefusalNote(first), ...this.#singles.slice(1)];
    if (rest.length === 0) this.#noted = first.n;
    this.#batch = undefined;
    this.#resolveWaiters();
  }

  /**
   * The service lacks events before the batch that it has taken once (its database was restored): pending events are
   * renumbered from `expected`, after a note about the gap.
   */
  renumber(expected: number): void {
    const here = this.pending();
    const missing = (here[0]?.n ?? expected) - expected;
    const text = `[the service lost ${missing} events of this log that it had taken]\n`;
    const events = [{ type: 'output' as const, stream: 'stderr' as const, text }, ...here];
    this.#numbered = splitIntoBatches(
      events.map((event, i) => ({ ...event, n: expected + i })),
      this.#batchBytes,
    );
    this.#lastN = expected + here.length;
    this.#batch = undefined;
    this.#singles = [];
    this.#noted = 0;
    this.#resolveWaiters();
  }

  /** All events that were not taken, with their final numbers: the service gets them in this order or not at all. */
  pending(): WorkerEvent[] {
    for (let more = this.#nextBatch(); more !== undefined; more = this.#nextBatch()) this.#numbered.push(more);
    const underWay = this.#singles.length > 0 ? this.#singles : (this.#batch?.events ?? []);
    return [...underWay, ...this.#numbered.flatMap(({ events }) => events)];
  }

  /** Whether a full batch is waiting. */
  hasFullBatch(): boolean {
    return this.#numbered.length > 0 || this.#waitingBytes >= this.#batchBytes;
  }

  /** Resolves when the buffer is below its limit. */
  untilCapacity(): Promise<void> {
    return this.#until(() => {
      const numberedBytes = this.#numbered.reduce((sum, { bytes }) => sum + bytes, 0);
      return this.#waitingBytes + numberedBytes + (this.#batch?.bytes ?? 0) < this.#bufferBytes;
    });
  }

  /** Resolves when the outbox is empty. */
  untilEmpty(): Promise<void> {
    return this.#until(
      () =>
        this.#waiting.length === 0 &&
        this.#numbered.length === 0 &&
        this.#batch === undefined &&
        this.#singles.length === 0,
    );
  }

  /** Drops all events and takes no more. */
  drop(): void {
    this.#dropped = true;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#numbered = [];
    this.#batch = undefined;
    this.#singles = [];
    this.#resolveWaiters();
  }

  async #until(when: () => boolean): Promise<void> {
    if (this.#dropped || when()) return;
    await new Promise<void>((resolve) => {
      this.#waiters.push({ when, resolve });
    });
  }

  #resolveWaiters(): void {
    const ready = this.#waiters.filter(({ when }) => this.#dropped || when());
    this.#waiters = this.#waiters.filter((one) => !ready.includes(one));
    for (const { resolve } of ready) resolve();
  }

  #nextBatch(): Batch | undefined {
    const merged: NewWorkerEvent[] = [];
    let [bytes, count] = [0, 0];
    for (const { event, bytes: size } of this.#waiting) {
      if (count > 0 && (bytes + size > this.#batchBytes || merged.length === batchEvents)) break;
      const last = merged.at(-1);
      const joined = last === undefined ? undefined : mergeOutputs(last, event);
      if (joined === undefined) merged.push(event);
      else merged[merged.length - 1] = joined;
      bytes += size;
      count += 1;
    }
    this.#waiting = this.#waiting.slice(count);
    this.#waitingBytes -= bytes;
    if (count === 0) return undefined;
    return { events: merged.map((event) => ({ ...event, n: (this.#lastN += 1) })), bytes };
  }
}

/** Splits numbered events into batches of the size of a request. */
function splitIntoBatches(events: readonly WorkerEvent[], batchBytes: number): Batch[] {
  const batches: Batch[] = [];
  for (const event of events) {
    const bytes = eventBytes(event);
    const last = batches.at(-1);
    if (last === undefined || last.bytes + bytes > batchBytes || last.events.length === batchEvents) {
      batches.push({ events: [event], bytes });
    } else {
      last.events.push(event);
      last.bytes += bytes;
    }
  }
  return batches;
}

/** Merges two outputs of one stream; undefined where they are of different streams, or would grow too long. */
function mergeOutputs(one: NewWorkerEvent, other: NewWorkerEvent): NewWorkerEvent | undefined {
  if (one.type !== 'output' || other.type !== 'output' || one.stream !== other.stream) return undefined;
  if (one.text.length + other.text.length > mergedTextLength) return undefined;
  return { ...one, text: one.text + other.text };
}

/** The note has the number of the rejected event, so that the log has no gap in its numbers. */
function toRefusalNote({ n, type }: WorkerEvent): WorkerEvent {
  return { type: 'output', n, stream: 'stderr', text: `[the service rejected an event of type ${type}]\n` };
}

function eventBytes(event: NewWorkerEvent): number {
  return event.type === 'output' ? Buffer.byteLength(event.text) + 64 : Buffer.byteLength(JSON.stringify(event));
}
