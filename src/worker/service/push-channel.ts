// One connection of the push channel: opens the stream, reads its frames, and ends it when it is silent for too long.
import { createSseReader, type ReceivedFrame } from '../../client/sse.ts';
import type { z } from 'zod';
import { streamFrames, type SentInterventionWire } from '../../contracts/worker.ts';
import type { WorkerClient } from './client.ts';
import type { Clock } from '../base/clock.ts';
import { tryParseJson } from '../../lib/json/json-text.ts';

type Assigned = z.infer<typeof streamFrames.task_assigned>;

/** Handlers for the frames of a stream, called in order. None of them may throw. */
export interface PushListener {
  /** The service has registered this connection: tasks will be pushed. */
  up(): void;
  assigned(assignment: Assigned): void;
  cancel(taskId: string): void;
  /** A person's intervention. */
  intervention(intervention: SentInterventionWire): void;
  /** Tasks may be waiting that will not be pushed: claim them. */
  tasksWaiting(): void;
}

export interface PushChannelOptions {
  readonly client: Pick<WorkerClient, 'openStream'>;
  readonly workerId: string;
  /** How many tasks may be assigned without a claim: the slots that are free now. */
  readonly slots: number;
  readonly listener: PushListener;
  readonly clock: Clock;
  /** The last event id of the previous connection; updated with each event. */
  readonly cursor: { lastEventId?: string };
  /** The requested interval of heartbeats. */
  readonly heartbeatMs?: number;
  /** A stream that is silent for so long counts as dead. */
  readonly silenceMs: number;
  /** How long the service may take to accept the stream. */
  readonly withinMs?: number;
}

/** The stream was open, but nothing arrived any more: its connection is half-open, or the service is stuck. */
export class ChannelSilent extends Error {
  override readonly name = 'ChannelSilent';
}

/** Data that arrived while this process was suspended is read before the stream counts as dead. */
const catchUpMs = 50;

/** An assignment contains a task with all its messages. */
const maxFrameChars = 32 * 1024 * 1024;

/**
 * Reads the stream until the service ends it or `signal` aborts.
 * @throws ServiceRefusal or ServiceUnreachable when the stream does not open, and the error that breaks it
 */
export async function listenToPushChannel(options: PushChannelOptions, signal: AbortSignal): Promise<void> {
  const { client, clock, cursor, heartbeatMs, silenceMs, slots, withinMs, workerId } = options;
  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal]);
  const stream = await client.openStream({ workerId, slots, ...cursor, heartbeatMs, withinMs }, ended);
  let lastReceivedMs = clock.monotonicMs();
  const reader = createSseReader(
    {
      onFrame: (frame) => dispatch(frame, options.listener),
      onId: (id) => {
        cursor.lastEventId = id;
      },
      onOverflow: (error) => over.abort(error),
    },
    maxFrameChars,
  );
  const watching = (async () => {
    while (!ended.aborted) {
      const leftMs = lastReceivedMs + silenceMs - clock.monotonicMs();
      const receivedBeforeMs = lastReceivedMs;
      await clock.wait(Math.max(leftMs, catchUpMs), ended);
      if (leftMs > 0 || lastReceivedMs !== receivedBeforeMs) continue;
      over.abort(new ChannelSilent(`the push channel was silent for ${silenceMs} ms`));
    }
  })();
  try {
    for await (const chunk of stream) {
      lastReceivedMs = clock.monotonicMs();
      reader.feed(chunk);
    }
  } finally {
    over.abort();
    await watching;
  }
}

function dispatch({ event, data }: ReceivedFrame, listener: PushListener): void {
  switch (event) {
    case 'connected':
      return listener.up();
    case 'task_assigned': {
      const assignment = parse(streamFrames.task_assigned, data);
      // An unreadable assignment cannot run; its lease expires by itself.
      return assignment === undefined ? listener.tasksWaiting() : listener.assigned(assignment);
    }
    case 'cancel': {
      const cancel = parse(streamFrames.cancel, data);
      return cancel === undefined ? undefined : listener.cancel(cancel.task_id);
    }
    case 'intervention': {
      const intervention = parse(streamFrames.intervention, data);
      return intervention === undefined ? undefined : listener.intervention(intervention);
    }
    case 'task_available':
    case 'resync':
      return listener.tasksWaiting();
    // A heartbeat only has to arrive. Frames of a newer service are ignored.
    default:
      return undefined;
  }
}

function parse<T>(schema: z.ZodType<T>, data: string): T | undefined {
  // Data that is not JSON is ignored like an unknown frame.
  return schema.safeParse(tryParseJson(data)).data;
}
