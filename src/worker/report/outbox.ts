// The events of one lease that the service has not taken yet: numbered, batched, and set apart where one is refused.
import type { WorkerEvent } from '../../contracts/worker.ts';
import type { NewWorkerEvent } from '../base/event.ts';

export interface Outbox {
  put(event: NewWorkerEvent): void;
  /** The batch to send now, the same one until it is taken or refused; undefined when there is none. */
  head(): WorkerEvent[] | undefined;
  /** The service has the batch. */
  taken(): void;
  /** The service will never take the batch: its events go one by one, and a single bad one is replaced by a note. */
  refused(): void;
  /**
   * The service lacks events before the batch that it has taken once (its database was restored): what is here is
   * numbered anew from there, behind a note that says so.
   */
  renumber(expected: number): void;
  /** Everything that was not taken, numbered for good: in this order, or not at all, the service will have it. */
  pending(): WorkerEvent[];
  /** Whether a whole batch waits. */
  hasFullBatch(): boolean;
  /** Resolves when the buffer is below its bound. */
  untilCapacity(): Promise<void>;
  /** Resolves when nothing is left. */
  untilEmpty(): Promise<void>;
  /** Forgets everything and takes nothing more. */
  drop(): void;
}

interface Batch {
  events: WorkerEvent[];
  bytes: number;
}

interface Sized {
  event: NewWorkerEvent;
  bytes: number;
}

const batchEvents = 200;
/** An agent that prints line by line makes one event of many lines, not one row for each. */
const mergedTextLength = 32_000;

export interface OutboxOptions {
  batchBytes: number;
  bufferBytes: number;
  /** What an earlier life of the worker did not get rid of. */
  pending?: readonly WorkerEvent[];
}

export function createOutbox({ batchBytes, bufferBytes, pending = [] }: OutboxOptions): Outbox {
  let waiting: Sized[] = [];
  let waitingBytes = 0;
  let batch: Batch | undefined;
  /** Numbered and not under way yet. */
  let numbered = splitIntoBatches(pending, batchBytes);
  /** Events of a refused batch that still have to go, each by itself. */
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
      const text = `[${missing} events that the service had taken are missing from its log]\n`;
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

/** Numbered events in batches of the size in which they are posted. */
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

/** Two outputs of one stream as one; undefined where they are not two such, or would grow too long. */
function mergeOutputs(one: NewWorkerEvent, other: NewWorkerEvent): NewWorkerEvent | undefined {
  if (one.type !== 'output' || other.type !== 'output' || one.stream !== other.stream) return undefined;
  if (one.text.length + other.text.length > mergedTextLength) return undefined;
  return { ...one, text: one.text + other.text };
}

/** Under the same number, so that the log shows that something is missing and no number is. */
function toRefusalNote({ n, type }: WorkerEvent): WorkerEvent {
  return { type: 'output', n, stream: 'stderr', text: `[an event of type ${type} was refused by the service]\n` };
}

function eventBytes(event: NewWorkerEvent): number {
  return event.type === 'output' ? Buffer.byteLength(event.text) + 64 : Buffer.byteLength(JSON.stringify(event));
}
