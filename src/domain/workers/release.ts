// Releases a task: ends its attempt with an outcome that the worker reports.
import { canonicalHash } from '../../lib/json/canonical-hash.ts';
import type { MakeId } from '../../lib/uuid7.ts';
import type { Caller } from '../model/access/caller.ts';
import { pendingCodebaseId } from '../model/codebase.ts';
import { leaseLost } from '../model/errors.ts';
import type { Task, TaskError, Usage } from '../model/task/task.ts';
import { taskLimits } from '../model/task/task-limits.ts';
import type { TaskStatus } from '../model/task/task-state.ts';
import type { SizedArtifact } from '../ports/store/queue.ts';
import { announceChange } from '../tasks/announce.ts';
import { invalidField } from '../tasks/routing/invalid-field.ts';
import { requeueTask } from '../tasks/requeue.ts';
import { findOwningSubject, type WorkerDeps } from './deps.ts';
import { checkChoice, toQuestionChoice, type AskedChoice } from './asked-choice.ts';
import { measureDiff } from './measure-diff.ts';
import { artifactsFull, toSizedArtifact, type ReportedArtifact } from './report.ts';

export interface ReleaseRequest {
  readonly leaseToken: string;
  readonly status: 'completed' | 'failed' | 'cancelled' | 'needs_input' | 'pending';
  readonly result?: string | undefined;
  readonly error?: TaskError | undefined;
  /** The question, for `needs_input`. */
  readonly question?: string | undefined;
  /** The parts of the question beside its text. */
  readonly choice?: AskedChoice | undefined;
  readonly artifacts: readonly ReportedArtifact[];
  readonly usage?: Usage | undefined;
}

export interface ReleaseResult {
  readonly status: TaskStatus;
  readonly seq: number;
}

/**
 * Ends the attempt under this lease. An identical repeat gets the answer of the first release; a release that differs
 * from the first is rejected as a whole.
 * @throws DomainError conflict: `lease_lost`, `artifacts_full`; invalid when `needs_input` has no question
 */
export async function releaseTask(
  deps: WorkerDeps,
  caller: Caller,
  taskId: string,
  request: ReleaseRequest,
): Promise<ReleaseResult> {
  try {
    return request.status === 'needs_input' || request.status === 'pending'
      ? await requeue(deps, caller, taskId, request)
      : await finish(deps, caller, taskId, request, request.status);
  } finally {
    // The worker is done with the task whether or not the release succeeded. A worker that released it for lack of a
    // slot frees none: it would be sent task after task and release them all. Its heartbeats report when it has a slot.
    const { error, leaseToken } = request;
    if (error?.code !== noFreeSlot) deps.wake.announce({ kind: 'slot', tenantId: caller.tenantId, leaseToken });
  }
}

/** Error code of a release by a worker that was assigned more tasks than it has slots for. */
const noFreeSlot = 'no_free_slot';

async function finish(
  deps: WorkerDeps,
  caller: Caller,
  taskId: string,
  request: ReleaseRequest,
  status: 'completed' | 'failed' | 'cancelled',
): Promise<ReleaseResult> {
  const subject = await findOwningSubject(deps.policy, caller);
  const artifacts = request.artifacts.map((artifact, i) => toFinalArtifact(artifact, i, deps.makeId));
  const finished = await deps.queue.finish(caller, {
    taskId,
    leaseToken: request.leaseToken,
    subject,
    status,
    result: request.result ?? null,
    error: request.error ?? (status === 'failed' ? unexplainedFailure : null),
    usage: request.usage ?? null,
    artifacts,
    changes: measureDiff(artifacts.map(({ data }) => data)),
    digest: releaseDigestOf(request),
  });
  if (finished.verdict === 'differs') throw leaseLost();
  if (finished.verdict === 'artifacts_full') throw artifactsFull();
  // Artifacts of a release that arrives after a cancel are kept, like artifacts reported before it. choices-2.
  if (finished.verdict !== 'finished') await appendArtifacts(deps, caller, taskId, subject, request);
  if (finished.verdict === 'lease_lost') throw leaseLost();
  announceChange(deps.wake, caller.tenantId, { id: taskId, status });
  return { status, seq: finished.seq };
}

/** Hash of a release's content, to recognise an identical repeat. */
function releaseDigestOf({ status, result, error, question, choice, artifacts, usage }: ReleaseRequest): string {
  return canonicalHash({ status, result, error, question, choice, artifacts, usage });
}

const unexplainedFailure: TaskError = {
  code: 'agent_error',
  message: 'The worker reported a failure without a reason. See its log.',
};

async function requeue(
  deps: WorkerDeps,
  caller: Caller,
  taskId: string,
  request: ReleaseRequest,
): Promise<ReleaseResult> {
  if (request.status === 'needs_input' && request.question === undefined) {
    throw invalidField('/message', 'is required with needs_input');
  }
  if (request.choice !== undefined) checkChoice(request.choice);
  const subject = await findOwningSubject(deps.policy, caller);
  await appendArtifacts(deps, caller, taskId, subject, request);
  const { end, task } = await deps.store.within(caller, async (rows) => {
    const before = await rows.tasks.find(taskId);
    const verdict = await requeueTask(rows, {
      taskId,
      lease: { token: request.leaseToken, subject },
      why: request.status === 'needs_input' ? 'asked' : requeueReasonOf(before, request.error?.code),
      question:
        request.question === undefined
          ? undefined
          : {
              messageId: deps.makeId(),
              parts: [{ text: request.question }],
              choice: request.choice === undefined ? null : toQuestionChoice(request.choice),
            },
      error: request.error,
      digest: releaseDigestOf(request),
    });
    return { end: verdict, task: await rows.tasks.find(taskId) };
  });
  if (end.verdict === 'lease_lost' || end.status === null) throw leaseLost();
  if (task !== undefined) announceChange(deps.wake, caller.tenantId, task);
  return { status: end.status, seq: end.seq };
}

/** Whether the worker may get the task again later, or never because it cannot serve the folder. choices-2. */
function requeueReasonOf(task: Task | undefined, code: string | undefined): 'released' | 'declined' | 'refused' {
  if (task?.codebaseId === pendingCodebaseId)
    return code === 'path_not_found' || code === 'path_not_allowed' ? 'declined' : 'released';
  return code === 'unknown_codebase' || code === 'path_not_allowed' ? 'refused' : 'released';
}

/** An artifact of a release; it is the last chunk unless the worker says otherwise. */
function toFinalArtifact(artifact: ReportedArtifact, i: number, makeId: MakeId): SizedArtifact {
  return toSizedArtifact({ last_chunk: true, ...artifact }, makeId, `/artifacts/${i}`);
}

/**
 * Appends artifacts as ordinary events, for an attempt that does not end its task or whose task was cancelled. Their
 * numbers are reserved for releases, so a repeat drops them; queue-finish.sql numbers its artifacts in the same way.
 */
async function appendArtifacts(
  deps: WorkerDeps,
  caller: Caller,
  taskId: string,
  subject: string | undefined,
  { artifacts, leaseToken }: ReleaseRequest,
): Promise<void> {
  if (artifacts.length === 0) return;
  const events = artifacts.map((artifact, i) => ({
    n: taskLimits.firstReleaseNumber + i,
    type: 'artifact' as const,
    ...toFinalArtifact(artifact, i, deps.makeId),
  }));
  const changes = measureDiff(events.map(({ data }) => data));
  // The caller checks for a lost lease itself.
  const { verdict } = await deps.queue.report(caller, {
    taskId,
    leaseToken,
    subject,
    events,
    changes,
  });
  if (verdict === 'artifacts_full') throw artifactsFull();
  deps.wake.announce({ kind: 'task', tenantId: caller.tenantId, taskId });
}
