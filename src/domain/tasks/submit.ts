// The verb submit: queues a task durably before its promise settles.
import type { Caller } from '../model/access/caller.ts';
import { pendingCodebaseId } from '../model/codebase.ts';
import { DomainError, notFound } from '../model/errors.ts';
import type { Task } from '../model/task/task.ts';
import type { TaskDraft } from '../model/task/task-draft.ts';
import type { IdempotencyKey, Submission } from '../ports/store/queue.ts';
import { unreachable } from '../../lib/net/unreachable.ts';
import type { TaskDeps } from './deps.ts';
import { invalidField } from './routing/invalid-field.ts';
import { isReservedLabel, reservedLabelMessage } from './routing/reserved-labels.ts';
import { checkPushTarget, checkWebhookUrl } from './routing/target-url.ts';
import { getTask } from './read.ts';
import { pendingWake } from './routing/pending-wake.ts';
import { routeIdOf } from './routing/route-id.ts';

export interface SubmitResult {
  readonly task: Task;
  /** True: an earlier request with the same idempotency key created the task. */
  readonly replayed: boolean;
}

const maxMetadataBytes = 16 * 1024;

/**
 * Queues a task. When this returns, the task is on disk.
 * @throws DomainError invalid (metadata too large, malformed deadline), not_found (codebase, target worker),
 *   key_reused (the idempotency key was used for another request), unavailable
 */
export function submitTask(
  deps: TaskDeps,
  caller: Caller,
  draft: TaskDraft,
  idempotency?: IdempotencyKey,
): Promise<SubmitResult> {
  if (draft.codebaseId === pendingCodebaseId) {
    const message = `${pendingCodebaseId} is reserved for registrations: use POST /v1/agent/codebases`;
    return Promise.reject(invalidField('/codebase_id', message));
  }
  if (draft.requiredCapabilities.some(isReservedLabel)) {
    return Promise.reject(invalidField('/required_capabilities', reservedLabelMessage));
  }
  return enqueueTask(deps, caller, draft, idempotency);
}

/** As `submitTask`, and also accepts the codebase id of registrations. */
export async function enqueueTask(
  deps: TaskDeps,
  caller: Caller,
  draft: TaskDraft,
  idempotency?: IdempotencyKey,
): Promise<SubmitResult> {
  checkDraft(deps, draft);
  const submission: Submission = {
    id: deps.makeId(),
    attemptId: deps.makeId(),
    draft,
    maxAttempts: draft.maxAttempts ?? deps.defaultMaxAttempts,
    routeId: routeIdOf(draft),
    createdBy: caller.subject,
    traceparent: caller.traceparent,
    idempotency,
  };
  const answer = await deps.queue.submit(caller, submission);
  switch (answer.verdict) {
    case 'created':
      announce(deps, caller, submission);
      return { task: buildNewTask(submission, answer.createdAt), replayed: false };
    case 'replayed':
      return { task: await getTask(deps, caller, answer.taskId), replayed: true };
    case 'key_reused':
      throw keyReused();
    case 'no_such_codebase':
      throw notFound('codebase');
    case 'no_such_worker':
      throw notFound('worker');
    default:
      return unreachable(answer);
  }
}

/** The error for an idempotency key that was used for another call. choices-9. */
export function keyReused(): DomainError {
  const errorMessage =
    'This Idempotency-Key was used for a request with another body. Use a new key for a new request.';
  return new DomainError('key_reused', 'idempotency_key_reused', errorMessage);
}

function announce(deps: TaskDeps, caller: Caller, submission: Submission): void {
  deps.wake.announce(pendingWake(caller.tenantId, { ...submission.draft, id: submission.id }));
}

function checkDraft({ egress }: Pick<TaskDeps, 'egress'>, draft: TaskDraft): void {
  if (Object.keys(draft.metadata).length > 0 && Buffer.byteLength(JSON.stringify(draft.metadata)) > maxMetadataBytes) {
    throw invalidField('/metadata', 'may be at most 16 KiB as JSON');
  }
  // 1970 or later: times before the common era could not be read back.
  if (draft.deadlineAt !== null && !(Date.parse(draft.deadlineAt) >= 0)) {
    throw invalidField('/deadline_at', 'must be a time, in 1970 or later');
  }
  checkWebhookUrl(egress, draft.webhookUrl);
  if (draft.push !== undefined) checkPushTarget(egress, draft.push);
}

/** The task right after its creation, built without reading it back. */
function buildNewTask(submission: Submission, createdAt: string): Task {
  const { draft } = submission;
  return {
    id: submission.id,
    title: draft.title,
    prompt: draft.prompt,
    status: 'pending',
    agentType: draft.agentType,
    model: draft.model,
    priority: draft.priority,
    codebaseId: draft.codebaseId,
    workerId: null,
    targetAgent: draft.targetAgent,
    targetWorkerId: draft.targetWorkerId,
    requiredCapabilities: draft.requiredCapabilities,
    conversationId: draft.conversationId,
    createdBy: submission.createdBy,
    createdAt,
    updatedAt: createdAt,
    startedAt: null,
    completedAt: null,
    deadlineAt: draft.deadlineAt === null ? null : new Date(draft.deadlineAt).toISOString(),
    attemptId: submission.attemptId,
    attempt: 0,
    maxAttempts: submission.maxAttempts,
    lastSeq: 1,
    lastEventAt: createdAt,
    outputSeq: null,
    leaseExpiresAt: null,
    pausedAt: null,
    heldBack: false,
    webhookUrl: draft.webhookUrl,
    result: null,
    error: null,
    usage: null,
    changes: null,
    retryOf: draft.retryOf,
    follows: draft.follows,
    metadata: draft.metadata,
    step: draft.step,
    traceparent: submission.traceparent ?? null,
  };
}
