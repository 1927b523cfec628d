// Follows a task's event stream to its end, over cut connections, each event once.
import { createParser } from 'eventsource-parser';
import { taskEvent, type TaskEventWire } from '../../contracts/event.ts';
import { CliError } from '../core/cli-error.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliServiceClient } from '../core/service-client.ts';
import { sleep } from '../../lib/wait.ts';
import { tryParseJson } from '../../lib/json/json-text.ts';

export interface FollowOptions {
  readonly client: Pick<CliServiceClient, 'open' | 'url'>;
  readonly taskId: string;
  readonly signal: AbortSignal;
  /** Told when the stream was cut and is opened again, in one line. */
  readonly onReconnect: (line: string) => void;
  readonly now: () => number;
}

/** The service sends a comment every 15 s; a stream that is silent for longer is dead, whatever its socket says. */
const silenceTimeoutMs = 45_000;
const firstRetryMs = 250;
const longestRetryMs = 5_000;
/** How long the service may be away before following is given up; a restart takes seconds. */
const giveUpMs = 120_000;
/** An artifact's event holds the artifact. */
const maxFrameChars = 64 * 1024 * 1024;

/**
 * The task's events from the first to the last, in order.
 * @throws CliError when the task is not there, the token may not see it, or the service stays away
 */
export async function* followTaskEvents(options: FollowOptions): AsyncGenerator<TaskEventWire, void, undefined> {
  const { signal, onReconnect, now } = options;
  let seen = 0;
  let waitMs = firstRetryMs;
  let lastDataAt = now();
  const onData = (): void => {
    lastDataAt = now();
    waitMs = firstRetryMs;
  };
  while (!signal.aborted) {
    try {
      for await (const event of streamEvents(options, seen, onData)) {
        // After a `resync` all comes from the start; what was seen is not told again.
        if (event.seq <= seen) continue;
        seen = event.seq;
        yield event;
        if (event.type === 'status' && event.data.final) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isTransient(error) || now() - lastDataAt > giveUpMs) throw error;
      onReconnect(`The stream was cut (${error.message}); going on from event ${seen}.`);
    }
    await sleep(waitMs, signal);
    waitMs = Math.min(longestRetryMs, waitMs * 2);
  }
}

function isTransient(error: unknown): error is Error {
  if (error instanceof CliError) return error.exitCode === exitCodes.unreachable && error.code !== 'not_switchyard';
  // What fetch and its streams throw when a connection breaks; anything else is a mistake of ours.
  return error instanceof TypeError || (error instanceof Error && error.name === 'AbortError');
}

/** One connection's events; `heard` is called whenever anything comes, a heartbeat too. */
async function* streamEvents(
  options: FollowOptions,
  after: number,
  onData: () => void,
): AsyncGenerator<TaskEventWire, void, undefined> {
  const { client, taskId, signal } = options;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceTimeoutMs);
  try {
    const path = `/v1/agent/tasks/${encodeURIComponent(taskId)}/events`;
    const ended = AbortSignal.any([signal, silence.signal]);
    const stream = await client.open(path, { lastEventId: after === 0 ? undefined : String(after), signal: ended });
    let events: TaskEventWire[] = [];
    const parser = createParser({
      maxBufferSize: maxFrameChars,
      onEvent: ({ data }) => {
        const parsed = taskEvent.safeParse(tryParseJson(data));
        // Frames that a later service may send more, and `resync`, are no events of the log.
        if (parsed.success) events.push(parsed.data);
      },
    });
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      onData();
      timer.refresh();
      parser.feed(decoder.decode(chunk, { stream: true }));
      yield* events;
      events = [];
    }
  } finally {
    clearTimeout(timer);
  }
}
