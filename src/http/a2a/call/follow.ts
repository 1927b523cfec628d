// The stream of one task: what was before it as one Task, then each event of the log once and in order, to the end.
import type { StreamResponse } from '@a2a-js/sdk';
import { UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { followTask, type FollowDeps } from '../../../domain/events/follow.ts';
import { isFinal, type TaskEvent } from '../../../domain/model/task/task-event.ts';
import { isAtRest, isTerminal, type TaskStatus } from '../../../domain/model/task/task-state.ts';
import { getTask, type ViewDeps } from '../../../domain/tasks/read.ts';
import { getTaskDetails, type TaskDetails } from '../../../domain/tasks/task-details.ts';
import type { CallContext } from './call-context.ts';
import type { BuildArtifactUrl } from './sdk-objects.ts';
import { closingFrame, taskSnapshotFrame, statusAfter, eventToFrame } from './task-updates.ts';

export interface StreamDeps extends FollowDeps {
  readonly addressOf: BuildArtifactUrl;
}

type Frames = AsyncGenerator<StreamResponse, void, undefined>;

/**
 * Follows from the task as given. Sets the call's `seq` and `last` before each frame: the sequence number up to which
 * a client has everything when it has this frame. The last frame is the status-update that ends the task, or that asks
 * the caller something. A stream that the client leaves just ends; the task does not notice.
 * @param historyLength of the task that it begins with: how many of the newest messages; undefined: all
 */
export async function* followFrom(
  deps: StreamDeps,
  call: CallContext,
  details: TaskDetails,
  historyLength?: number,
): Frames {
  setPosition(call, details.task.lastSeq, false);
  yield taskSnapshotFrame(details, historyLength, deps.addressOf);
  yield* streamUpdates(deps, call, details, details.task.lastSeq);
}

/** Follows from the event that the client saw last, or, when it names none that the log has, from a snapshot. */
export async function* resumeStream(
  deps: StreamDeps & ViewDeps,
  call: CallContext,
  taskId: string,
  historyLength?: number,
): Frames {
  const details = await getTaskDetails(deps, call.info.caller, taskId);
  const cursor = parseLastEventId(call.info.lastEventId);
  if (cursor === undefined || cursor > details.task.lastSeq) yield* followFrom(deps, call, details, historyLength);
  else yield* streamUpdates(deps, call, details, cursor);
}

/**
 * Subscribes to a task that somebody sent. Over v1.0 a finished task has nothing to subscribe to, unless the client
 * goes on behind an event it saw; and there such a stream goes on over a question, to the end of the task.
 * @throws UnsupportedOperationError
 */
export async function* subscribeToTask(deps: StreamDeps & ViewDeps, call: CallContext, taskId: string): Frames {
  if (call.info.wire === '1.0' && parseLastEventId(call.info.lastEventId) === undefined) {
    const { status } = await getTask(deps, call.info.caller, taskId);
    if (isTerminal(status)) {
      throw new UnsupportedOperationError(`This task is ${status} already; there is nothing to subscribe to.`);
    }
  }
  call.continuesPastQuestions = call.info.wire === '1.0';
  yield* resumeStream(deps, call, taskId);
}

/** Our event ids are numbers; anything else is no place in a log. */
function parseLastEventId(lastEventId: string | undefined): number | undefined {
  return lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
}

async function* streamUpdates(deps: FollowDeps, call: CallContext, details: TaskDetails, after: number): Frames {
  const { task } = details;
  const { caller, signal } = call.info;
  let { status } = task;
  if (!isStreamEnd(call, status) || after < task.lastSeq) {
    for await (const event of followTask(deps, caller, task.id, after, signal, call.started.resolve)) {
      // The cursor was looked at above, and logs only grow.
      if (event.type === 'resync') continue;
      status = statusAfter(status, event);
      setPosition(call, event.seq, await isLast(deps, call, task.id, event));
      yield eventToFrame(task, event, status);
      if (call.isLastFrame) return;
    }
    if (signal.aborted) return;
  }
  // Nothing is left to tell: the client learns at once how the task rests.
  setPosition(call, Math.max(after, call.seq), true);
  yield closingFrame(details);
}

function setPosition(call: CallContext, seq: number, last: boolean): void {
  call.seq = seq;
  call.isLastFrame = last;
}

/** True when nothing more comes to this stream. */
function isStreamEnd(call: CallContext, status: TaskStatus): boolean {
  return call.continuesPastQuestions ? isTerminal(status) : isAtRest(status);
}

/** A question ends the stream only while nobody has answered it: the log may go on behind it. */
async function isLast(deps: FollowDeps, call: CallContext, taskId: string, event: TaskEvent): Promise<boolean> {
  if (isFinal(event)) return true;
  if (event.type !== 'status' || !isStreamEnd(call, event.data.status)) return false;
  const now = await getTask(deps, call.info.caller, taskId);
  return now.lastSeq === event.seq;
}
