// One connection of the push channel: opens the stream, reads its frames, and ends it when it has fallen silent.
import { createSseReader, type SseFrame } from '../../client/sse.ts';
import type { z } from 'zod';
import { streamFrames, type SentInterventionWire } from '../../contracts/worker.ts';
import type { WorkerClient } from './client.ts';
import type { Clock } from '../base/clock.ts';

type Assigned = z.infer<typeof streamFrames.task_assigned>;

/** What a stream tells, in the order in which it comes. None of these may throw. */
export interface PushListener {
  /** The service has this worker on its list: tasks will come by themselves. */
  up(): void;
  assigned(assignment: Assigned): void;
  cancel(taskId: string): void;
  /** A person told a task something. */
  intervention(intervention: SentInterventionWire): void;
  /** There may be tasks that nobody will bring: ask for them. */
  tasksWaiting(): void;
}

export interface PushChannelOptions {
  client: Pick<WorkerClient, 'openStream'>;
  workerId: string;
  /** How many tasks may be assigned without a claim: the slots that are free now. */
  slots: number;
  listener: PushListener;
  clock: Clock;
  /** Where the last connection ended; written as events come. */
  cursor: { lastEventId?: string };
  /** The pace of heartbeats that is asked for. */
  heartbeatMs?: number;
  /** A stream that was silent for so long is dead, whatever its socket says. */
  silenceMs: number;
  /** How long the service may take to accept the stream. */
  withinMs?: number;
}

/** The stream stood, and nothing came any more: its connection is half-open, or the service stands still. */
export class ChannelSilent extends Error {
  override readonly name = 'ChannelSilent';
}

/** What came while this process stood still is read before the stream is taken for dead. */
const catchUpMs = 50;

/** An assignment brings a task with its whole exchange. */
const maxFrameChars = 32 * 1024 * 1024;

/**
 * Listens until the service ends the stream or `signal` aborts.
 * @throws ServiceRefusal or ServiceUnreachable when the stream does not open, and what broke it when it breaks
 */
export async function listenToPushChannel(options: PushChannelOptions, signal: AbortSignal): Promise<void> {
  const { client, clock, cursor, heartbeatMs, silenceMs, slots, withinMs, workerId } = options;
  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal]);
  const requested = { ...(heartbeatMs !== undefined && { heartbeatMs }), ...(withinMs !== undefined && { withinMs }) };
  const stream = await client.openStream({ workerId, slots, ...cursor, ...requested }, ended);
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

function dispatch({ event, data }: SseFrame, listener: PushListener): void {
  switch (event) {
    case 'connected':
      return listener.up();
    case 'task_assigned': {
      const assignment = parse(streamFrames.task_assigned, data);
      // It cannot be read, so it cannot be run; its lease runs out by itself.
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
    // A heartbeat has done its work by arriving; what a later service may send more is not for us.
    default:
      return undefined;
  }
}

function parse<T>(schema: z.ZodType<T>, data: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(data)).data;
  } catch {
    // Not JSON: as good as not sent.
    return undefined;
  }
}
