// The events of one lease that the service has not taken yet: numbered, batched, and set apart where one is refused.
import type { WorkerEvent } from '../contracts/worker.ts';
import type { NewWorkerEvent } from './event.ts';

export interface Outbox {
  put(event: NewWorkerEvent): void;
  /** The batch to send now, the same one until it is taken or refused; undefined when there is none. */
  head(): WorkerEvent[] | undefined;
  /** The service has the batch. */
  taken(): void;
  /** The service will never take the batch: its events go one by one, and a single bad one is replaced by a note. */
  refused(): void;
  /** Whether a whole batch waits. */
  full(): boolean;
  /** Resolves when the buffer is below its bound. */
  room(): Promise<void>;
  /** Resolves when nothing is left. */
  empty(): Promise<void>;
  /** Forgets everything and takes nothing more. */
  drop(): void;
}

interface Sized {
  event: NewWorkerEvent;
  bytes: number;
}

const batchEvents = 200;
/** An agent that prints line by line makes one event of many lines, not one row for each. */
const mergedTextLength = 32_000;

export function createOutbox({ batchBytes, bufferBytes }: { batchBytes: number; bufferBytes: number }): Outbox {
  let waiting: Sized[] = [];
  let waitingBytes = 0;
  let batch: { events: WorkerEvent[]; bytes: number } | undefined;
  /** Events of a refused batch that still have to go, each by itself. */
  let singles: WorkerEvent[] = [];
  let lastN = 0;
  let noted = 0;
  let dropped = false;
  let settle: { when: () => boolean; resolve: () => void }[] = [];

  const isEmpty = (): boolean => waiting.length === 0 && batch === undefined && singles.length === 0;
  const hasRoom = (): boolean => waitingBytes + (batch?.bytes ?? 0) < bufferBytes;

  function changed(): void {
    const ready = settle.filter(({ when }) => dropped || when());
    settle = settle.filter((one) => !ready.includes(one));
    for (const { resolve } of ready) resolve();
  }

  async function until(when: () => boolean): Promise<void> {
    if (dropped || when()) return;
    await new Promise<void>((resolve) => {
      settle.push({ when, resolve });
    });
  }

  function nextBatch(): typeof batch {
    const merged: NewWorkerEvent[] = [];
    let [bytes, count] = [0, 0];
    for (const { event, bytes: size } of waiting) {
      if (count > 0 && (bytes + size > batchBytes || merged.length === batchEvents)) break;
      const last = merged.at(-1);
      const joined = last === undefined ? undefined : join(last, event);
      if (joined === undefined) merged.push(event);
      else merged[merged.length - 1] = joined;
      bytes += size;
      count += 1;
    }
    waiting = waiting.slice(count);
    waitingBytes -= bytes;
    return count === 0 ? undefined : { events: merged.map((event) => ({ ...event, n: (lastN += 1) })), bytes };
  }

  return {
    put(event) {
      if (dropped) return;
      const bytes = sizeOf(event);
      waiting.push({ event, bytes });
      waitingBytes += bytes;
    },
    head() {
      if (batch !== undefined) return batch.events;
      const [single] = singles;
      batch = single === undefined ? nextBatch() : { events: [single], bytes: sizeOf(single) };
      return batch?.events;
    },
    taken() {
      if (batch !== undefined && singles[0] === batch.events[0]) singles.shift();
      batch = undefined;
      changed();
    },
    refused() {
      const [first, ...rest] = batch?.events ?? [];
      if (batch === undefined || first === undefined) return;
      if (rest.length > 0) singles = batch.events;
      else if (noted === first.n) singles.shift();
      else singles = [noteInstead(first), ...singles.slice(1)];
      if (rest.length === 0) noted = first.n;
      batch = undefined;
      changed();
    },
    full: () => waitingBytes >= batchBytes,
    room: () => until(hasRoom),
    empty: () => until(isEmpty),
    drop() {
      dropped = true;
      [waiting, waitingBytes, batch, singles] = [[], 0, undefined, []];
      changed();
    },
  };
}

/** Two outputs of one stream as one; undefined where they are not two such, or would grow too long. */
function join(one: NewWorkerEvent, other: NewWorkerEvent): NewWorkerEvent | undefined {
  if (one.type !== 'output' || other.type !== 'output' || one.stream !== other.stream) return undefined;
  if (one.text.length + other.text.length > mergedTextLength) return undefined;
  return { ...one, text: one.text + other.text };
}

/** Under the same number, so that the log shows that something is missing and no number is. */
function noteInstead({ n, type }: WorkerEvent): WorkerEvent {
  return { type: 'output', n, stream: 'stderr', text: `[an event of type ${type} was refused by the service]\n` };
}

function sizeOf(event: NewWorkerEvent): number {
  return event.type === 'output' ? Buffer.byteLength(event.text) + 64 : Buffer.byteLength(JSON.stringify(event));
}
