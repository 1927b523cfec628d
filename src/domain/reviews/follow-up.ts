// The verb follow-up: sends the comments of a review to the agent as a task on top of the reviewed one. ui-6.6.
import { cutText } from '../../lib/text/cut-text.ts';
import type { Caller } from '../model/access/caller.ts';
import { DomainError } from '../model/errors.ts';
import type { ReviewComment } from '../model/review.ts';
import type { Task } from '../model/task/task.ts';
import { newDraft, type TaskDraft } from '../model/task/task-draft.ts';
import { isTerminal } from '../model/task/task-state.ts';
import type { IdempotencyKey } from '../ports/store/queue.ts';
import type { TaskDeps } from '../tasks/deps.ts';
import { requireTask } from '../tasks/read.ts';
import { invalidField } from '../tasks/routing/invalid-field.ts';
import { submitTask, type SubmitResult } from '../tasks/submit.ts';
import { refuseStep } from '../tasks/task-owner.ts';
import { readDiff } from '../tasks/results/changes.ts';
import { parseDiff, type FileDiff } from '../tasks/results/parse-diff.ts';
import { buildFollowUpPrompt, type FollowUpText } from './follow-up-prompt.ts';
import { inspectReviewed, type ReviewedTask } from './reviewed-task.ts';

export interface FollowUp {
  readonly message?: string | undefined;
  readonly comments: readonly ReviewComment[];
  /** Another agent, or another worker, than those of the reviewed task. */
  readonly agent?: string | undefined;
  readonly workerId?: string | undefined;
}

const maxTitle = 200;

/**
 * Creates the task that does what the comments ask, on the reviewed task's branch, and drops the caller's draft.
 * @throws DomainError not_found (task, worker); invalid without message and comments; conflict (not finished, or a step
 *   of a run); key_reused, unavailable
 */
export async function followUpTask(
  deps: TaskDeps,
  caller: Caller,
  taskId: string,
  request: FollowUp,
  idempotency?: IdempotencyKey,
): Promise<SubmitResult> {
  if (request.comments.length === 0 && (request.message ?? '').trim() === '') {
    throw invalidField('/comments', 'must have a comment unless message is given');
  }
  const { task, reviewed, comments } = await deps.store.within(caller, async (rows) => {
    const found = await requireTask(rows, taskId);
    checkReviewable(found);
    const isQuoted = request.comments.every(({ line, quote }) => line === undefined || quote !== undefined);
    const files = isQuoted ? [] : parseDiff(await readDiff(rows, taskId, undefined));
    return {
      task: found,
      reviewed: await inspectReviewed(rows, found),
      comments: request.comments.map((comment) => fillQuote(comment, files)),
    };
  });
  const change = { taskId, branch: reviewed.branch?.name, commit: reviewed.branch?.commit };
  const text = buildFollowUpPrompt(change, request.message, comments);
  const submitted = await submitTask(deps, caller, draftOf(deps, task, reviewed, request, text), idempotency);
  await deps.store.within(caller, async (rows) => {
    if (text.comments !== undefined) await rows.reviews.attach(submitted.task.id, text.comments);
    // A draft that was changed since is of a later review.
    await rows.reviews.drop(taskId, caller.subject, submitted.task.createdAt);
  });
  return submitted;
}

function checkReviewable(task: Task): void {
  refuseStep(task);
  if (isTerminal(task.status)) return;
  const message = `This task is ${task.status}; only a finished task can be followed up. Send its agent a message instead.`;
  throw new DomainError('conflict', 'task_not_finished', message);
}

function draftOf(
  { makeId }: Pick<TaskDeps, 'makeId'>,
  task: Task,
  reviewed: ReviewedTask,
  request: FollowUp,
  { prompt, comments }: FollowUpText,
): TaskDraft {
  const { branch } = reviewed;
  const session = sessionFor(reviewed, request);
  const isRerouted = request.agent !== undefined || request.workerId !== undefined;
  return newDraft({
    title: cutText(`Review of ${task.title}`, maxTitle),
    prompt,
    codebaseId: task.codebaseId,
    agentType: request.agent ?? task.agentType ?? session?.agent,
    model: request.agent === undefined ? task.model : null,
    priority: task.priority,
    requiredCapabilities: task.requiredCapabilities,
    targetAgent: isRerouted ? null : task.targetAgent,
    targetWorkerId: request.workerId ?? reviewed.holderId,
    // A task without a conversation is one of its own, under its id.
    conversationId: task.conversationId ?? task.id,
    maxAttempts: task.maxAttempts,
    metadata: { ...(branch !== undefined && { git_base: branch.name }), ...session?.metadata },
    follows: task.id,
    message:
      comments === undefined
        ? null
        : { messageId: makeId(), parts: [{ text: prompt }, { text: comments }], metadata: {} },
  });
}

/** The session to resume: of the same agent, on the worker that will have the task. */
function sessionFor({ session, holderId }: ReviewedTask, request: FollowUp): ReviewedTask['session'] {
  if (session === undefined) return undefined;
  if (request.agent !== undefined && request.agent !== session.agent) return undefined;
  const workerId = request.workerId ?? holderId;
  return workerId === undefined || workerId === session.workerId ? session : undefined;
}

const maxQuotedLines = 50;

/** The comment with the quoted lines, where it names a line that the diff shows and quotes none. */
function fillQuote(comment: ReviewComment, files: readonly FileDiff[]): ReviewComment {
  const { path, line, end_line: endLine = line, side = 'new', quote } = comment;
  if (path === undefined || line === undefined || endLine === undefined || quote !== undefined) return comment;
  const file = files.find((one) => one.path === path);
  if (file === undefined) return comment;
  const lines = linesOf(file.patch, side, line, Math.min(endLine, line + maxQuotedLines - 1));
  return lines.length === 0 ? comment : { ...comment, quote: lines.join('\n') };
}

/** Lines of one side, by their numbers in the hunks. */
function linesOf(patch: string, side: 'new' | 'old', first: number, last: number): string[] {
  const found: string[] = [];
  let next: number | undefined;
  for (const text of patch.split('\n')) {
    const starts = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    const sign = text[0];
    if (starts !== null) next = Number(starts[side === 'new' ? 2 : 1]);
    else if (next !== undefined && (sign === ' ' || sign === (side === 'new' ? '+' : '-'))) {
      if (next >= first && next <= last) found.push(Buffer.from(text.slice(1), 'latin1').toString().toWellFormed());
      next += 1;
    }
  }
  return found;
}
