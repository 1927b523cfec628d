// Registers a worker with its codebases, and unregisters it. choices-5.
import { changeOwned } from '../access/change-owned.ts';
import { permitOwner, anyOtherOwner } from '../access/permit.ts';
import type { Caller } from '../model/access/caller.ts';
import { globalCodebaseId, pendingCodebaseId, type Codebase, type WorkspaceMode } from '../model/codebase.ts';
import { notFound } from '../model/errors.ts';
import type { Worker, WorkerProfile } from '../model/worker.ts';
import type { Rows } from '../ports/store/store.ts';
import { announceChange } from '../tasks/announce.ts';
import { requeueTask } from '../tasks/requeue.ts';
import { invalidField } from '../tasks/routing/invalid-field.ts';
import { isRegistrable, reservedLabelMessage } from '../tasks/routing/reserved-labels.ts';
import type { WorkerDeps } from './deps.ts';

/** A codebase as a worker declares it at registration. */
export interface DeclaredCodebase {
  readonly codebaseId?: string | undefined;
  readonly name: string;
  readonly path: string;
  readonly description: string;
  /** Only this worker may run its tasks. */
  readonly exclusive: boolean;
  readonly workspaceMode?: WorkspaceMode | undefined;
}

/**
 * Registers a worker, or updates it: the same name from the same credential is the same worker, and the same path of
 * the same worker is the same codebase.
 * @returns also `routeKeys`, the names of this worker's routes in the broker's channel; empty without a broker. choices-5
 * @throws DomainError invalid for a reserved capability; not_found for a codebase id that does not exist; forbidden when it claims `global` exclusively
 *   and the caller is not an operator
 */
export async function registerWorker(
  deps: WorkerDeps,
  caller: Caller,
  profile: WorkerProfile,
  declared: readonly DeclaredCodebase[],
): Promise<{ worker: Worker; codebases: Codebase[]; routeKeys: string[] }> {
  const { tenantId } = caller;
  if (!profile.capabilities.every(isRegistrable)) throw invalidField('/capabilities', reservedLabelMessage);
  // Exclusive use of `global` withholds it from the rest of the tenant. choices-3.
  if (declared.some(({ codebaseId, exclusive }) => exclusive && codebaseId === globalCodebaseId))
    await permitOwner(deps.policy, caller, anyOtherOwner);
  const registered = await deps.store.within(caller, async (rows) => {
    const workerId = await rows.workers.upsert(caller.subject, deps.makeId(), profile);
    const ids = new Set<string>();
    for (const codebase of declared) ids.add(await bindDeclaredCodebase(deps, caller, rows, workerId, codebase));
    // The worker may now serve folders that it refused before.
    await rows.taskMoves.clearRefusals(workerId);
    const codebases = await rows.codebases.boundTo(workerId, [...ids]);
    const worker = await rows.workers.find(workerId);
    if (worker === undefined) throw notFound('worker');
    return { worker, codebases };
  });
  deps.wake.announce({ kind: 'workers', tenantId, workerId: registered.worker.workerId });
  const { routeKeys: keys } = deps;
  const served = [...registered.worker.codebaseIds, pendingCodebaseId];
  return { ...registered, routeKeys: keys === undefined ? [] : served.map((id) => keys.routeKeyOf(tenantId, id)) };
}

async function bindDeclaredCodebase(
  deps: WorkerDeps,
  caller: Caller,
  rows: Rows,
  workerId: string,
  declared: DeclaredCodebase,
): Promise<string> {
  const known = declared.codebaseId ?? (await rows.codebases.findBound(workerId, declared.path))?.codebaseId;
  const codebaseId = known ?? deps.makeId();
  if (known === undefined || known === globalCodebaseId) {
    await rows.codebases.create({
      codebaseId,
      name: declared.name,
      path: declared.path,
      description: declared.description,
      workerId: declared.exclusive ? workerId : null,
      workspaceMode: declared.workspaceMode ?? 'worktree',
      createdBy: caller.subject,
    });
  } else if ((await rows.codebases.boundTo(workerId, [known])).length === 0) {
    throw notFound('codebase');
  }
  await rows.codebases.bind(codebaseId, workerId, declared.path);
  return codebaseId;
}

/** Unregisters a worker. Its tasks become pending again and keep their attempt counts. @throws DomainError not_found, forbidden */
export async function unregisterWorker(deps: WorkerDeps, caller: Caller, workerId: string): Promise<Worker> {
  const { tenantId } = caller;
  const find = async (rows: Rows): Promise<Worker> => {
    const found = await rows.workers.find(workerId);
    if (found === undefined) throw notFound('worker');
    return found;
  };
  const worker = await changeOwned(deps, caller, {
    ownerOf: async (rows) => (await find(rows)).subject,
    change: async (rows) => {
      const found = await find(rows);
      await rows.workers.unregister(workerId);
      return { ...found, status: 'unregistered' as const, running: 0 };
    },
  });
  // A separate transaction sees the claims that the first one waited for, and holds no other lock when it locks tasks.
  const returned = await deps.store.within(caller, async (rows) => {
    const running = await rows.tasks.runningOf(workerId);
    for (const { taskId, epoch } of running) {
      await requeueTask(rows, { taskId, lease: { epoch }, why: 'unregistered' });
    }
    return Promise.all(running.map(({ taskId }) => rows.tasks.find(taskId)));
  });
  for (const task of returned) {
    if (task !== undefined) announceChange(deps.wake, tenantId, task, { wasOn: workerId });
  }
  deps.wake.announce({ kind: 'workers', tenantId, workerId });
  return worker;
}
