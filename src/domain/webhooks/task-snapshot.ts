// A task as it was right after one of its status changes: the content of a notification, however late it is sent.
import type { TaskEvent } from '../model/task/task-event.ts';
import { isTerminal } from '../model/task/task-state.ts';
import type { Rows } from '../ports/store/store.ts';
import { readInlineArtifacts, buildMessageHistory, type TaskDetails } from '../tasks/task-details.ts';

export interface TaskSnapshot {
  readonly details: TaskDetails;
  readonly event: Extract<TaskEvent, { type: 'status' }>;
}

/** Artifacts whose total size exceeds this are omitted: the receiver can read them from the task. */
const maxSnapshotArtifactBytes = 1024 * 1024;

/** @returns undefined when the task or the event no longer exists */
export async function readTaskSnapshot(rows: Rows, taskId: string, seq: number): Promise<TaskSnapshot | undefined> {
  const task = await rows.tasks.find(taskId);
  const [event] = await rows.tasks.events(taskId, seq - 1, 1);
  if (task === undefined || event?.seq !== seq || event.type !== 'status') return undefined;
  const { status } = event.data;
  const taskAtEvent = {
    ...task,
    status,
    attemptId: event.data.run_id ?? task.attemptId,
    lastSeq: seq,
    updatedAt: event.at,
    completedAt: isTerminal(status) ? task.completedAt : null,
  };
  const messages = buildMessageHistory(task, await rows.tasks.messages(taskId)).filter(({ at }) => at <= event.at);
  const summaries = await rows.tasks.artifacts(taskId);
  const fits = summaries.reduce((sum, { size }) => sum + size, 0) <= maxSnapshotArtifactBytes;
  const artifacts = fits ? await readInlineArtifacts(rows, taskAtEvent) : [];
  return { details: { task: taskAtEvent, waitingReason: null, messages, artifacts }, event };
}
