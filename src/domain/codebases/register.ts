// The verb register a codebase: binds it to a worker at once, or asks workers to look for its path. choices-3.
import { changeOwned } from '../access/change-owned.ts';
import { mayChangeOthers, permitOwner, anyOtherOwner } from '../access/permit.ts';
import type { Caller } from '../model/access/caller.ts';
import { globalCodebaseId, pendingCodebaseId, type Codebase, type WorkspaceMode } from '../model/codebase.ts';
import { notFound, unavailable } from '../model/errors.ts';
import { newDraft } from '../model/task/task-draft.ts';
import type { IdempotencyKey } from '../ports/store/queue.ts';
import type { Rows } from '../ports/store/store.ts';
import type { TaskDeps } from '../tasks/deps.ts';
import { enqueueTask, type SubmitResult } from '../tasks/submit.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import { findPathOwner } from './path-owner.ts';

export interface NewCodebase {
  readonly codebaseId?: string | undefined;
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly workerId?: string | undefined;
  readonly workspaceMode?: WorkspaceMode | undefined;
}

export type Registration =
  { readonly kind: 'bound'; readonly codebase: Codebase } | ({ readonly kind: 'pending' } & SubmitResult);

/** A registration by path without an answer ends after this long, so that its task does not wait for ever. */
const registrationTimeoutMs = 10 * 60_000;

interface RegisterDeps extends TaskDeps {
  readonly now: () => number;
}

/**
 * With a `workerId` the codebase is bound to that worker; without, a `__pending__` task asks the workers.
 * @param idempotency key of the task, where one is created; a binding is idempotent by its path
 * @throws DomainError not_found (codebase id, worker), forbidden (another's worker or exclusive codebase, `global`),
 * conflict `path_not_allowed`, unavailable `no_workers_available`, key_reused
 */
export async function registerCodebase(
  deps: RegisterDeps,
  caller: Caller,
  request: NewCodebase,
  idempotency?: IdempotencyKey,
): Promise<Registration> {
  const { workerId } = request;
  if (workerId === undefined)
    return { kind: 'pending', ...(await requestRegistration(deps, caller, request, idempotency)) };
  const codebase = await changeOwned(deps, caller, {
    ownerOf: (rows) => findBindingOwner(rows, caller, workerId, request),
    change: (rows) => bindToWorker(deps, caller, rows, workerId, request),
  });
  deps.wake.announce({ kind: 'workers', tenantId: caller.tenantId });
  return { kind: 'bound', codebase };
}

/**
 * The subject that must consent to the binding: the caller where everything is the caller's, else the first owner of
 * something that it changes.
 */
async function findBindingOwner(rows: Rows, caller: Caller, workerId: string, request: NewCodebase): Promise<string> {
  const worker = await rows.workers.find(workerId);
  if (worker === undefined || worker.status === 'unregistered') throw notFound('worker');
  const registration = await findPendingRegistration(rows, workerId, request);
  // A worker that answers a registration has found the folder itself, and the registration's creator was authorised.
  if (registration !== undefined && worker.subject === caller.subject) return caller.subject;
  const owner = findPathOwner(worker, caller, request.path);
  if (owner !== caller.subject || request.codebaseId === undefined) return owner;
  return findCodebaseOwner(rows, caller, request.codebaseId, workerId);
}

/**
 * The subject that must consent to binding a worker to a known codebase: its creator when it is exclusive to another
 * worker. Binding `global` over this call makes it exclusive to one worker, so only operators may.
 */
async function findCodebaseOwner(
  rows: Rows,
  caller: Caller,
  codebaseId: string,
  workerId: string | undefined,
): Promise<string> {
  const known = await rows.codebases.find(codebaseId);
  if (codebaseId === globalCodebaseId) {
    return known !== undefined && known.workerId !== null && known.workerId === workerId
      ? caller.subject
      : anyOtherOwner;
  }
  if (known === undefined) throw notFound('codebase');
  return known.workerId === null || known.workerId === workerId ? caller.subject : known.createdBy;
}

/** The pending registration by path that this worker was asked for and that this binding answers. */
async function findPendingRegistration(
  rows: Rows,
  workerId: string,
  request: NewCodebase,
): Promise<{ createdBy: string } | undefined> {
  const registrations = await rows.tasks.findPendingRegistrations(workerId);
  return registrations.find(({ metadata: { registration } }) => {
    if (typeof registration !== 'object' || registration === null) return false;
    const named = 'codebase_id' in registration ? registration.codebase_id : undefined;
    return 'name' in registration && registration.name === request.name && named === request.codebaseId;
  });
}

/**
 * A new codebase is exclusive to that worker, and belongs to the caller that asked for it. A known one that another
 * worker binds too becomes shared by both; `global` becomes exclusive to the worker named here.
 */
async function bindToWorker(
  deps: RegisterDeps,
  caller: Caller,
  rows: Rows,
  workerId: string,
  request: NewCodebase,
): Promise<Codebase> {
  const known =
    request.codebaseId === undefined
      ? await rows.codebases.findBound(workerId, request.path)
      : await rows.codebases.find(request.codebaseId);
  const codebaseId = known?.codebaseId ?? request.codebaseId ?? deps.makeId();
  if (known === undefined) {
    if (request.codebaseId !== undefined && request.codebaseId !== globalCodebaseId) throw notFound('codebase');
    await rows.codebases.create({
      codebaseId,
      name: request.name,
      path: request.path,
      description: request.description,
      workerId,
      workspaceMode: request.workspaceMode ?? 'worktree',
      createdBy: (await findPendingRegistration(rows, workerId, request))?.createdBy ?? caller.subject,
    });
  } else if (codebaseId === globalCodebaseId) {
    await rows.codebases.setAffinity(codebaseId, workerId);
  } else if (known.workerId !== null && known.workerId !== workerId) {
    await rows.codebases.setAffinity(codebaseId, null);
  }
  await rows.codebases.bind(codebaseId, workerId, request.path);
  await rows.taskMoves.clearRefusals(workerId);
  const codebase = await rows.codebases.find(codebaseId);
  if (codebase === undefined) throw notFound('codebase');
  return codebase;
}

async function requestRegistration(
  deps: RegisterDeps,
  caller: Caller,
  request: NewCodebase,
  idempotency: IdempotencyKey | undefined,
): Promise<SubmitResult> {
  const { codebaseId } = request;
  const { active, owner, ownWorkerIds } = await deps.store.within(caller, async (rows) => ({
    // Resolved now, from the caller, not later from the worker that finds the path.
    owner: codebaseId === undefined ? caller.subject : await findCodebaseOwner(rows, caller, codebaseId, undefined),
    ownWorkerIds: await rows.workers.ownedBy(caller.subject),
    active: (await rows.workers.totals()).active,
  }));
  await permitOwner(deps.policy, caller, owner);
  if (active === 0) {
    throw unavailable(
      'no_workers_available',
      'No workers are available: start one on the machine that has this path, with `switchyard worker`.',
      5,
    );
  }
  const draft = newDraft({
    title: cutText(`Register codebase ${request.name}`, 200),
    prompt: request.path,
    codebaseId: pendingCodebaseId,
    deadlineAt: new Date(deps.now() + registrationTimeoutMs).toISOString(),
    metadata: {
      registration: {
        name: request.name,
        path: request.path,
        description: request.description,
        codebase_id: codebaseId,
        workspace_mode: request.workspaceMode,
        // Only these may name a folder on a worker whose roots allow the whole machine.
        named_by: { operator: await mayChangeOthers(deps.policy, caller), worker_ids: ownWorkerIds },
      },
    },
  });
  return enqueueTask(deps, caller, draft, idempotency);
}
