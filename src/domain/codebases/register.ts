// The verb register a codebase: bound to a worker at once, or workers are asked to look for its path. choices §3.
import { changeOwned } from '../access/change-owned.ts';
import type { Caller } from '../model/caller.ts';
import { globalCodebaseId, pendingCodebaseId, type Codebase, type WorkspaceMode } from '../model/codebase.ts';
import { notFound, unavailable } from '../model/errors.ts';
import type { TaskDraft } from '../model/task.ts';
import type { IdempotencyKey } from '../ports/queue.ts';
import type { Rows } from '../ports/store.ts';
import type { TaskDeps } from '../tasks/deps.ts';
import { queueTask, type Submitted } from '../tasks/submit.ts';
import { cutText } from '../../lib/cut-text.ts';

export interface NewCodebase {
  readonly codebaseId?: string | undefined;
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly workerId?: string | undefined;
  readonly workspaceMode?: WorkspaceMode | undefined;
}

export type Registration =
  { readonly kind: 'bound'; readonly codebase: Codebase } | ({ readonly kind: 'pending' } & Submitted);

/** A registration by path that nobody answers ends after this long, so that no task waits for ever. */
const registrationMs = 10 * 60_000;

interface RegisterDeps extends TaskDeps {
  readonly now: () => number;
}

/**
 * With a `workerId` the codebase is bound to that worker; without, a `__pending__` task asks the workers.
 * @param idempotency of the task, where one is made; a binding repeats itself by its path
 * @throws DomainError not_found (codebase id, worker), unavailable `no_workers_available`, key_reused
 */
export async function registerCodebase(
  deps: RegisterDeps,
  caller: Caller,
  request: NewCodebase,
  idempotency?: IdempotencyKey,
): Promise<Registration> {
  const { workerId } = request;
  if (workerId === undefined) return { kind: 'pending', ...(await askWorkers(deps, caller, request, idempotency)) };
  // Who may speak for the worker may bind it, to what another registered too: nothing of that is changed but who
  // serves it. choices §3: a service account writes what its own worker binds; nobody else below operator has workers.
  const codebase = await changeOwned(deps, caller, {
    ownerOf: (rows) => ownerOfRegistered(rows, workerId),
    change: (rows) => bindTo(deps, caller, rows, workerId, request),
  });
  deps.wake.announce({ kind: 'workers', tenantId: caller.tenantId });
  return { kind: 'bound', codebase };
}

async function ownerOfRegistered(rows: Rows, workerId: string): Promise<string> {
  const worker = await rows.workers.find(workerId);
  if (worker === undefined || worker.status === 'unregistered') throw notFound('worker');
  return worker.subject;
}

/**
 * A new codebase goes to that worker alone. A known one that another worker now holds too is shared by both;
 * `global` goes to the worker named here alone.
 */
async function bindTo(
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
      createdBy: caller.subject,
    });
  } else if (codebaseId === globalCodebaseId) {
    await rows.codebases.setAffinity(codebaseId, workerId);
  } else if (known.workerId !== null && known.workerId !== workerId) {
    await rows.codebases.setAffinity(codebaseId, null);
  }
  await rows.codebases.bind(codebaseId, workerId, request.path);
  const codebase = await rows.codebases.find(codebaseId);
  if (codebase === undefined) throw notFound('codebase');
  return codebase;
}

async function askWorkers(
  deps: RegisterDeps,
  caller: Caller,
  request: NewCodebase,
  idempotency: IdempotencyKey | undefined,
): Promise<Submitted> {
  const { codebaseId } = request;
  const { active } = await deps.store.within(caller, async (rows) => {
    // Said at once, and not by the worker that finds the path.
    const isKnown = codebaseId === undefined || codebaseId === globalCodebaseId;
    if (!isKnown && (await rows.codebases.find(codebaseId)) === undefined) throw notFound('codebase');
    return rows.workers.totals();
  });
  if (active === 0) {
    throw unavailable(
      'no_workers_available',
      'No workers are available: start one on the machine that has this path, with `switchyard worker`.',
      5,
    );
  }
  const draft: TaskDraft = {
    title: cutText(`Register codebase ${request.name}`, 200),
    prompt: request.path,
    codebaseId: pendingCodebaseId,
    requiredCapabilities: [],
    targetAgent: null,
    targetWorkerId: null,
    agentType: null,
    model: null,
    priority: 0,
    conversationId: null,
    deadlineAt: new Date(deps.now() + registrationMs).toISOString(),
    maxAttempts: null,
    webhookUrl: null,
    retryOf: null,
    message: null,
    metadata: {
      registration: {
        name: request.name,
        path: request.path,
        description: request.description,
        ...(codebaseId === undefined ? {} : { codebase_id: codebaseId }),
        ...(request.workspaceMode === undefined ? {} : { workspace_mode: request.workspaceMode }),
      },
    },
  };
  return queueTask(deps, caller, draft, idempotency);
}
