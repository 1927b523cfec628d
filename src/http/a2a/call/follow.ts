// The stream of one task: a snapshot of the task, then each later event of its log once and in order.
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
 * Streams the given snapshot and every event after it. Sets the call's `seq` and `isLastFrame` before each frame; a
 * client that has this frame has every event up to `seq`. The last frame is the status-update that ends the task or
 * asks the caller a question. A client that disconnects ends the stream, not the task.
 * @param historyLength how many of the newest messages the snapshot has; undefined for all
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

/** Resumes after the event that Last-Event-ID names. Starts with a snapshot when the log has no such event. */
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
 * Subscribes to an existing task. Over v1.0 the stream of a subscription continues past questions to the end of the
 * task, and a finished task is rejected unless the client resumes after an event.
 * @throws UnsupportedOperationError over v1.0 for a finished task
 */
export async function* subscribeToTask(deps: StreamDeps & ViewDeps, call: CallContext, taskId: string): Frames {
  if (call.info.wire === '1.0' && parseLastEventId(call.info.lastEventId) === undefined) {
    const { status } = await getTask(deps, call.info.caller, taskId);
    if (isTerminal(status)) {
      throw new UnsupportedOperationError(`This task is already ${status}; there are no events to subscribe to.`);
    }
  }
  call.continuesPastQuestions = call.info.wire === '1.0';
  yield* resumeStream(deps, call, taskId);
}

/** Event ids of this service are sequence numbers; any other text counts as absent. */
function parseLastEventId(lastEventId: string | undefined): number | undefined {
  return lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
}

async function* streamUpdates(deps: FollowDeps, call: CallContext, details: TaskDetails, after: number): Frames {
  const { task } = details;
  const { caller, signal } = call.info;
  let { status } = task;
  if (!isStreamEnd(call, status) || after < task.lastSeq) {
    const options = { after, signal, onCaughtUp: call.started.resolve };
    for await (const event of followTask(deps, caller, task.id, options)) {
      // The cursor was checked against the log's end, and logs only grow.
      if (event.type === 'resync') continue;
      status = statusAfter(status, event);
      setPosition(call, event.seq, await isLast(deps, call, task.id, event));
      yield eventToFrame(task, event, status);
      if (call.isLastFrame) return;
    }
    if (signal.aborted) return;
  }
  // The client has every event: the closing frame repeats the final status.
  setPosition(call, Math.max(after, call.seq), true);
  yield closingFrame(details);
}

function setPosition(call: CallContext, seq: number, last: boolean): void {
  call.seq = seq;
  call.isLastFrame = last;
}

/** True when this status ends the stream. */
function isStreamEnd(call: CallContext, status: TaskStatus): boolean {
  return call.continuesPastQuestions ? isTerminal(status) : isAtRest(status);
}

/** A question ends the stream only while it is unanswered: later events may already be in the log. */
async function isLast(deps: FollowDeps, call: CallContext, taskId: string, event: TaskEvent): Promise<boolean> {
  if (isFinal(event)) return true;
  if (event.type !== 'status' || !isStreamEnd(call, event.data.status)) return false;
  const now = await getTask(deps, call.info.caller, taskId);
  return now.lastSeq === event.seq;
}
