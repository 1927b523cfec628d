// The verbs register and unregister: a worker comes with its codebases, and goes. choices-5.
import { changeOwned } from '../access/change-owned.ts';
import { permitOwner, anyOtherOwner } from '../access/permit.ts';
import type { Caller } from '../model/access/caller.ts';
import { globalCodebaseId, pendingCodebaseId, type Codebase, type WorkspaceMode } from '../model/codebase.ts';
import { notFound } from '../model/errors.ts';
import type { Worker, WorkerProfile } from '../model/worker.ts';
import type { Rows } from '../ports/store/store.ts';
import { announceChange } from '../tasks/announce.ts';
import { requeueTask } from '../tasks/requeue.ts';
import type { WorkerDeps } from './deps.ts';

/** A codebase as a worker brings it. */
export interface DeclaredCodebase {
  readonly codebaseId?: string | undefined;
  readonly name: string;
  readonly path: string;
  readonly description: string;
  /** Its tasks go to this worker alone. */
  readonly exclusive: boolean;
  readonly workspaceMode?: WorkspaceMode | undefined;
}

/**
 * The same name from the same credential is the same worker; the same path of the same worker is the same codebase.
 * `routeKeys` are what the broker's channel calls the routes of this worker; none without a broker. choices-5.
 * @throws DomainError not_found for a codebase id that does not exist; forbidden when it keeps `global` for itself and
 * is no operator's
 */
export async function registerWorker(
  deps: WorkerDeps,
  caller: Caller,
  profile: WorkerProfile,
  declared: readonly DeclaredCodebase[],
): Promise<{ worker: Worker; codebases: Codebase[]; routeKeys: string[] }> {
  const { tenantId } = caller;
  // Keeping `global` for one worker takes it from the whole tenant. choices-3.
  if (declared.some(({ codebaseId, exclusive }) => exclusive && codebaseId === globalCodebaseId))
    await permitOwner(deps.policy, caller, anyOtherOwner);
  const registered = await deps.store.within(caller, async (rows) => {
    const workerId = await rows.workers.upsert(caller.subject, deps.makeId(), profile);
    const ids = new Set<string>();
    for (const codebase of declared) ids.add(await bindDeclaredCodebase(deps, caller, rows, workerId, codebase));
    // It may serve other folders than when it refused them.
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

/** Its leases go back to pending, with the attempts they used. @throws DomainError not_found, forbidden */
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
  // A transaction of its own: it sees the claims that the one before waited for, and locks tasks before nothing else.
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
