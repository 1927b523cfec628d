// Follows a task for the command line: the client's stream, with the command line's errors.
import { followTask, isConnectionError } from '../../client/follow.ts';
import { taskEvent, type TaskEventWire } from '../../contracts/event.ts';
import { CliError } from '../core/cli-error.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliServiceClient } from '../core/service-client.ts';

export interface CliFollowOptions {
  readonly client: Pick<CliServiceClient, 'api'>;
  readonly taskId: string;
  readonly signal: AbortSignal;
  /** Receives one line when the stream broke and is opened again. */
  readonly onReconnect: (line: string) => void;
  readonly now: () => number;
}

/**
 * The task's events from the first to the last, in order.
 * @throws CliError when the task does not exist, the token may not read it, or the service stays unreachable
 */
export async function* followTaskEvents(options: CliFollowOptions): AsyncGenerator<TaskEventWire, void, undefined> {
  const { client, taskId, signal, now } = options;
  const onReconnect = (error: Error, lastSeq: number): void =>
    options.onReconnect(`The stream was cut (${error.message}); going on from event ${lastSeq}.`);
  const following = { client: client.api, taskId, signal, onReconnect, isTransient, now };
  for await (const event of followTask(following)) {
    const parsed = taskEvent.safeParse(event);
    // Types of events that a later service adds are skipped.
    if (parsed.success) yield parsed.data;
  }
}

function isTransient(error: Error): boolean {
  if (error instanceof CliError) return error.exitCode === exitCodes.unreachable && error.code !== 'not_switchyard';
  return isConnectionError(error);
}
