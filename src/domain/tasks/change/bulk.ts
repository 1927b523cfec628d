// The verb bulk: cancels, retries or prioritises many tasks, each as its own call would. ui-6.10.
import { permitOwner } from '../../access/permit.ts';
import type { AuditIntent } from '../../model/audit-entry.ts';
import type { Caller } from '../../model/access/caller.ts';
import { DomainError } from '../../model/errors.ts';
import { isTerminal } from '../../model/task/task-state.ts';
import type { AuditTrail } from '../../ports/audit.ts';
import type { IdempotencyKey } from '../../ports/store/queue.ts';
import type { TaskFilter, TaskPlace } from '../../ports/tasks/task-lists.ts';
import { alreadyFinished, cancelTask } from '../cancel.ts';
import type { TaskDeps } from '../deps.ts';
import { getTask } from '../read.ts';
import { notFinished, retryTask } from '../retry.ts';
import { findTaskOwner, refuseStep } from '../task-owner.ts';
import { changeTask, notPending } from './change-task.ts';

export type BulkAction =
  | { readonly action: 'cancel' }
  | { readonly action: 'retry'; readonly idempotency: IdempotencyKey | undefined }
  | { readonly action: 'priority'; readonly priority: number };

/** The tasks of a bulk change. */
export type BulkScope =
  { readonly ids: readonly string[] } | { readonly filter: TaskFilter; readonly after: TaskPlace | undefined };

export interface BulkOutcome {
  readonly taskId: string;
  /** The code of the error; undefined: it is done, or would be. */
  readonly code: string | undefined;
  /** The new task of a retry. */
  readonly newTaskId: string | undefined;
}

export interface BulkResult {
  readonly outcomes: readonly BulkOutcome[];
  /** The place after which further tasks match the filter. */
  readonly next: TaskPlace | null;
}

export interface BulkDeps extends TaskDeps {
  readonly trail: AuditTrail;
}

/** Tasks of one call; a filter that matches more has a `next`. */
const maxTasks = 2_000;
/** Tasks of a filter that are read at once. */
const pageSize = 200;
/** Tasks that are changed at once: each takes a connection, and other calls need some. */
const concurrency = 4;

/**
 * Does the same to many tasks. A task that refuses has its error's code, and does not stop the others.
 * @param isDryRun true: nothing is changed, and the outcomes are those of now
 * @param signal stops the call between two tasks
 * @throws DomainError unavailable
 */
export async function changeTasks(
  deps: BulkDeps,
  caller: Caller,
  scope: BulkScope,
  action: BulkAction,
  { isDryRun, signal }: { readonly isDryRun: boolean; readonly signal: AbortSignal },
): Promise<BulkResult> {
  // The tasks are found before the first is changed: a change may move a task out of the filter, or into it.
  const { ids, next } =
    'ids' in scope ? { ids: [...new Set(scope.ids)], next: null } : await findIds(deps, caller, scope);
  const outcomes: BulkOutcome[] = [];
  for (let i = 0; i < ids.length; i += concurrency) {
    signal.throwIfAborted();
    const some = ids.slice(i, i + concurrency);
    outcomes.push(...(await Promise.all(some.map((taskId) => tryOne(deps, caller, taskId, action, isDryRun)))));
  }
  return { outcomes, next };
}

async function findIds(
  { store }: BulkDeps,
  { tenantId }: Caller,
  { filter, after }: Extract<BulkScope, { filter: TaskFilter }>,
): Promise<{ ids: string[]; next: TaskPlace | null }> {
  const ids: string[] = [];
  let place = after;
  do {
    const page = { limit: pageSize, after: place };
    const { tasks, next } = await store.within({ tenantId }, (rows) => rows.tasks.page(filter, 'created', page));
    ids.push(...tasks.map(({ id }) => id));
    place = next ?? undefined;
  } while (place !== undefined && ids.length < maxTasks);
  return { ids, next: place ?? null };
}

/** @throws what is no refusal of this task: an outage ends the whole call */
async function tryOne(
  deps: BulkDeps,
  caller: Caller,
  taskId: string,
  action: BulkAction,
  isDryRun: boolean,
): Promise<BulkOutcome> {
  try {
    const newTaskId = isDryRun
      ? await checkOne(deps, caller, taskId, action)
      : await audited(deps, caller, taskId, action, (own) => changeOne(deps, own, taskId, action));
    return { taskId, code: undefined, newTaskId };
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind === 'unavailable' || error.kind === 'internal') throw error;
    return { taskId, code: error.code, newTaskId: undefined };
  }
}

/** @returns the id of a new task */
async function changeOne(
  deps: BulkDeps,
  caller: Caller,
  taskId: string,
  action: BulkAction,
): Promise<string | undefined> {
  if (action.action === 'retry') {
    return (await retryTask(deps, caller, taskId, keyOfOne(action.idempotency, taskId))).task.id;
  }
  if (action.action === 'cancel') await cancelTask(deps, caller, taskId);
  else await changeTask(deps, caller, taskId, { priority: action.priority });
  return undefined;
}

/** A repeat of the whole call finds the new task of each. The store has no limit for the length of a key. */
function keyOfOne(key: IdempotencyKey | undefined, taskId: string): IdempotencyKey | undefined {
  return key === undefined ? undefined : { ...key, key: `${key.key} ${taskId}` };
}

/** The refusals of `changeOne`, without its change. */
async function checkOne(deps: BulkDeps, caller: Caller, taskId: string, { action }: BulkAction): Promise<undefined> {
  const tenant = { ...caller, intent: undefined };
  const task = await getTask(deps, tenant, taskId);
  const owner = await deps.store.within({ tenantId: caller.tenantId }, (rows) => findTaskOwner(rows, caller, taskId));
  await permitOwner(deps.policy, caller, action === 'retry' ? task.createdBy : owner);
  refuseStep(task);
  const { status } = task;
  if (action === 'cancel' && isTerminal(status)) throw alreadyFinished(status);
  if (action === 'retry' && !isTerminal(status)) throw notFinished(status);
  if (action === 'priority' && status !== 'pending') throw notPending(status);
}

/** The name and path of the call that does the same to one task. */
const singleCalls = {
  cancel: { name: 'tasks.cancel', suffix: '/cancel' },
  retry: { name: 'tasks.retry', suffix: '/retry' },
  priority: { name: 'tasks.update', suffix: '' },
} as const;

/** Makes one change as its own call would: with an intent that is committed with it, and an entry of its own. */
async function audited<T>(
  { trail, makeId }: BulkDeps,
  caller: Caller,
  taskId: string,
  { action }: BulkAction,
  change: (caller: Caller) => Promise<T>,
): Promise<T> {
  if (caller.intent === undefined) return change(caller);
  const { name, suffix } = singleCalls[action];
  const intent: AuditIntent = {
    ...caller.intent,
    id: makeId(),
    action: name,
    resource: `/v1/agent/tasks/${taskId}${suffix}`,
    trace: { rows: [] },
  };
  try {
    const changed = await change({ ...caller, intent });
    await trail.record({ ...intent, outcome: 'success' });
    return changed;
  } catch (error) {
    const code = error instanceof DomainError ? error.code : 'internal_error';
    const outcome = error instanceof DomainError && error.kind === 'forbidden' ? 'denied' : 'failure';
    trail.note({ ...intent, metadata: { ...intent.metadata, code }, outcome });
    throw error;
  }
}
