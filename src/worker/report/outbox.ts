// The events of one lease that the service has not taken yet: numbered, batched, and sent singly after a rejection.
import type { WorkerEvent } from '../../contracts/worker.ts';
import type { NewWorkerEvent } from '../base/event.ts';

export interface Outbox {
  put(event: NewWorkerEvent): void;
  /** The batch to send now, the same one until it is taken or rejected; undefined when there is none. */
  head(): WorkerEvent[] | undefined;
  /** Must be called when the service has taken the batch. */
  taken(): void;
  /**
   * Must be called when the service will never take the batch: its events are sent singly, and a rejected one is
   * replaced by a note.
   */
  refused(): void;
  /**
   * The service lacks events before the batch that it has taken once (its database was restored): pending events are
   * renumbered from `expected`, after a note about the gap.
   */
  renumber(expected: number): void;
  /** All events that were not taken, with their final numbers: the service gets them in this order or not at all. */
  pending(): WorkerEvent[];
  /** Whether a full batch is waiting. */
  hasFullBatch(): boolean;
  /** Resolves when the buffer is below its limit. */
  untilCapacity(): Promise<void>;
  /** Resolves when the outbox is empty. */
  untilEmpty(): Promise<void>;
  /** Drops all events and takes no more. */
  drop(): void;
}

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

export function createOutbox({ batchBytes, bufferBytes, pending = [] }: OutboxOptions): Outbox {
  let waiting: Sized[] = [];
  let waitingBytes = 0;
  let batch: Batch | undefined;
  /** Numbered and not sent yet. */
  let numbered = splitIntoBatches(pending, batchBytes);
  /** Events of a rejected batch that still have to be sent, one at a time. */
  let singles: WorkerEvent[] = [];
  let lastN = pending.at(-1)?.n ?? 0;
  let noted = 0;
  let dropped = false;
  let waiters: { when: () => boolean; resolve: () => void }[] = [];

  const isEmpty = (): boolean =>
    waiting.length === 0 && numbered.length === 0 && batch === undefined && singles.length === 0;
  const numberedBytes = (): number => numbered.reduce((sum, { bytes }) => sum + bytes, 0);
  const hasCapacity = (): boolean => waitingBytes + numberedBytes() + (batch?.bytes ?? 0) < bufferBytes;

  function resolveWaiters(): void {
    const ready = waiters.filter(({ when }) => dropped || when());
    waiters = waiters.filter((one) => !ready.includes(one));
    for (const { resolve } of ready) resolve();
  }

  async function until(when: () => boolean): Promise<void> {
    if (dropped || when()) return;
    await new Promise<void>((resolve) => {
      waiters.push({ when, resolve });
    });
  }

  function nextBatch(): Batch | undefined {
    const merged: NewWorkerEvent[] = [];
    let [bytes, count] = [0, 0];
    for (const { event, bytes: size } of waiting) {
      if (count > 0 && (bytes + size > batchBytes || merged.length === batchEvents)) break;
      const last = merged.at(-1);
      const joined = last === undefined ? undefined : mergeOutputs(last, event);
      if (joined === undefined) merged.push(event);
      else merged[merged.length - 1] = joined;
      bytes += size;
      count += 1;
    }
    waiting = waiting.slice(count);
    waitingBytes -= bytes;
    return count === 0 ? undefined : { events: merged.map((event) => ({ ...event, n: (lastN += 1) })), bytes };
  }

  const outbox: Outbox = {
    put(event) {
      if (dropped) return;
      const bytes = eventBytes(event);
      waiting.push({ event, bytes });
      waitingBytes += bytes;
    },
    head() {
      if (batch !== undefined) return batch.events;
      const [single] = singles;
      batch =
        single === undefined ? (numbered.shift() ?? nextBatch()) : { events: [single], bytes: eventBytes(single) };
      return batch?.events;
    },
    taken() {
      if (batch !== undefined && singles[0] === batch.events[0]) singles.shift();
      batch = undefined;
      resolveWaiters();
    },
    refused() {
      const [first, ...rest] = batch?.events ?? [];
      if (batch === undefined || first === undefined) return;
      if (rest.length > 0) singles = batch.events;
      else if (noted === first.n) singles.shift();
      else singles = [toRefusalNote(first), ...singles.slice(1)];
      if (rest.length === 0) noted = first.n;
      batch = undefined;
      resolveWaiters();
    },
    renumber(expected) {
      const here = outbox.pending();
      const missing = (here[0]?.n ?? expected) - expected;
      const text = `[the service lost ${missing} events of this log that it had taken]\n`;
      const events = [{ type: 'output' as const, stream: 'stderr' as const, text }, ...here];
      numbered = splitIntoBatches(
        events.map((event, i) => ({ ...event, n: expected + i })),
        batchBytes,
      );
      lastN = expected + here.length;
      [batch, singles, noted] = [undefined, [], 0];
      resolveWaiters();
    },
    pending() {
      for (let more = nextBatch(); more !== undefined; more = nextBatch()) numbered.push(more);
      const underWay = singles.length > 0 ? singles : (batch?.events ?? []);
      return [...underWay, ...numbered.flatMap(({ events }) => events)];
    },
    hasFullBatch: () => numbered.length > 0 || waitingBytes >= batchBytes,
    untilCapacity: () => until(hasCapacity),
    untilEmpty: () => until(isEmpty),
    drop() {
      dropped = true;
      [waiting, waitingBytes, numbered, batch, singles] = [[], 0, [], undefined, []];
      resolveWaiters();
    },
  };
  return outbox;
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
