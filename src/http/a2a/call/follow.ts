// The stream of one task: what was before it as one Task, then each event of the log once and in order, to the end.
import type { StreamResponse } from '@a2a-js/sdk';
import { UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { followTask, type FollowDeps } from '../../../domain/events/follow.ts';
import { isFinal, type TaskEvent } from '../../../domain/model/task/task-event.ts';
import { isAtRest, isTerminal, type TaskStatus } from '../../../domain/model/task/task-state.ts';
import { getTask, type ViewDeps } from '../../../domain/tasks/read.ts';
import { getWhole, type WholeTask } from '../../../domain/tasks/whole.ts';
import type { CallContext } from './call.ts';
import type { ArtifactAddress } from './objects.ts';
import { closing, snapshot, statusAfter, update } from './updates.ts';

export interface StreamDeps extends FollowDeps {
  readonly addressOf: ArtifactAddress;
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
  whole: WholeTask,
  historyLength?: number,
): Frames {
  mark(call, whole.task.lastSeq, false);
  yield snapshot(whole, historyLength, deps.addressOf);
  yield* updates(deps, call, whole, whole.task.lastSeq);
}

/** Follows from the event that the client saw last, or, when it names none that the log has, from a snapshot. */
export async function* resume(
  deps: StreamDeps & ViewDeps,
  call: CallContext,
  taskId: string,
  historyLength?: number,
): Frames {
  const whole = await getWhole(deps, call.facts.caller, taskId);
  const cursor = cursorOf(call.facts.lastEventId);
  if (cursor === undefined || cursor > whole.task.lastSeq) yield* followFrom(deps, call, whole, historyLength);
  else yield* updates(deps, call, whole, cursor);
}

/**
 * Subscribes to a task that somebody sent. Over v1.0 a finished task has nothing to subscribe to, unless the client
 * goes on behind an event it saw; and there such a stream goes on over a question, to the end of the task.
 * @throws UnsupportedOperationError
 */
export async function* subscribe(deps: StreamDeps & ViewDeps, call: CallContext, taskId: string): Frames {
  if (call.facts.wire === '1.0' && cursorOf(call.facts.lastEventId) === undefined) {
    const { status } = await getTask(deps, call.facts.caller, taskId);
    if (isTerminal(status)) {
      throw new UnsupportedOperationError(`This task is ${status} already; there is nothing to subscribe to.`);
    }
  }
  call.overQuestions = call.facts.wire === '1.0';
  yield* resume(deps, call, taskId);
}

/** Our event ids are numbers; anything else is no place in a log. */
function cursorOf(lastEventId: string | undefined): number | undefined {
  return lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
}

async function* updates(deps: FollowDeps, call: CallContext, whole: WholeTask, after: number): Frames {
  const { task } = whole;
  const { caller, signal } = call.facts;
  let { status } = task;
  if (!isOver(call, status) || after < task.lastSeq) {
    for await (const event of followTask(deps, caller, task.id, after, signal, call.begun.resolve)) {
      // The cursor was looked at above, and logs only grow.
      if (event.type === 'resync') continue;
      status = statusAfter(status, event);
      mark(call, event.seq, await isLast(deps, call, task.id, event));
      yield update(task, event, status);
      if (call.last) return;
    }
    if (signal.aborted) return;
  }
  // Nothing is left to tell: the client learns at once how the task rests.
  mark(call, Math.max(after, call.seq), true);
  yield closing(whole);
}

function mark(call: CallContext, seq: number, last: boolean): void {
  call.seq = seq;
  call.last = last;
}

/** True when nothing more comes to this stream. */
function isOver(call: CallContext, status: TaskStatus): boolean {
  return call.overQuestions ? isTerminal(status) : isAtRest(status);
}

/** A question ends the stream only while nobody has answered it: the log may go on behind it. */
async function isLast(deps: FollowDeps, call: CallContext, taskId: string, event: TaskEvent): Promise<boolean> {
  if (isFinal(event)) return true;
  if (event.type !== 'status' || !isOver(call, event.data.status)) return false;
  const now = await getTask(deps, call.facts.caller, taskId);
  return now.lastSeq === event.seq;
}
