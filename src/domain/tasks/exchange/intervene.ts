// The verb intervene: records an instruction for a running agent and notifies its worker at once. choices-3.
import { changeOwned } from '../../access/change-owned.ts';
import type { Caller } from '../../model/access/caller.ts';
import { DomainError, notFound } from '../../model/errors.ts';
import type { Intervention, InterventionAction } from '../../model/intervention.ts';
import type { InterventionFilter, InterventionVerdict, NewIntervention } from '../../ports/store/interventions.ts';
import type { Rows, Store } from '../../ports/store/store.ts';
import { addMessage } from './add-message.ts';
import { announceChange } from '../announce.ts';
import { alreadyFinished } from '../cancel.ts';
import type { TaskDeps } from '../deps.ts';
import { requireTask } from '../read.ts';
import { findTaskOwner, refuseStep } from '../task-owner.ts';

type Deps = Pick<TaskDeps, 'store' | 'policy' | 'wake' | 'makeId'>;

export interface InterventionRequest {
  readonly action: InterventionAction;
  /** The text of a message; the reason of a cancel. */
  readonly message: string | undefined;
  /** Exactly one of the two: the task, or the agent that runs it (a worker's id or name, or an agent's name). */
  readonly taskId: string | undefined;
  readonly agentId: string | undefined;
}

/**
 * Sends an instruction to a task's agent. A message joins the exchange too, so that a later attempt sees it; a cancel
 * takes effect in the record at once.
 * @throws DomainError invalid; not_found (task, agent); forbidden (another's, and the caller is no operator); conflict:
 *   `task_finished`, `exchange_full`, `task_not_running` (pause, resume), `too_many_interventions`, `agent_idle`, `ambiguous_agent`
 */
export async function intervene(deps: Deps, caller: Caller, request: InterventionRequest): Promise<Intervention> {
  checkRequest(request);
  const { action, message, agentId = '' } = request;
  const taskId = request.taskId ?? (await findAgentTask(deps, caller, agentId));
  const id = deps.makeId();
  const messageId = action === 'message' ? id : null;
  const newIntervention = { id, taskId, action, message: message ?? null, messageId, createdBy: caller.subject };
  const { task, workerId, intervention } = await changeOwned(deps, caller, {
    ownerOf: (rows) => findTaskOwner(rows, caller, taskId),
    change: async (rows) => {
      if (action === 'cancel') refuseStep(await requireTask(rows, taskId));
      if (action === 'message') {
        const parts = [{ text: message ?? '' }];
        await addMessage(rows, taskId, { messageId: id, parts, metadata: {}, by: caller.subject });
      }
      const verdict = await addIntervention(rows, newIntervention);
      if (action === 'cancel')
        await rows.taskMoves.end(taskId, 'cancelled', null, message ?? `cancelled by ${caller.name}`);
      const written = await rows.interventions.find(id);
      if (written === undefined) throw notFound('intervention');
      return { task: await requireTask(rows, taskId), workerId: verdict.workerId, intervention: written };
    },
  });
  const { tenantId } = caller;
  announceChange(deps.wake, tenantId, task, { wasOn: action === 'cancel' ? workerId : null });
  if (workerId !== null) deps.wake.announce({ kind: 'intervention', tenantId, workerId });
  return intervention;
}

function checkRequest({ action, message, taskId, agentId }: InterventionRequest): void {
  const errors = [
    ...((taskId === undefined) === (agentId === undefined)
      ? [{ path: '/task_id', message: 'or agent_id must be given, but not both' }]
      : []),
    ...(action === 'message' && (message ?? '').trim() === ''
      ? [{ path: '/message', message: 'must not be empty' }]
      : []),
  ];
  const [first] = errors;
  if (first === undefined) return;
  const errorMessage = `The request is not valid: ${first.path} ${first.message}.`;
  throw new DomainError('invalid', 'invalid_request', errorMessage, { errors });
}

/**
 * Records an intervention, within the caller's transaction.
 * @throws DomainError not_found, conflict: as `intervene`
 */
export async function addIntervention(
  rows: Rows,
  newIntervention: NewIntervention,
): Promise<Extract<InterventionVerdict, { verdict: 'queued' | 'terminal' | 'idle' | 'full' }>> {
  const added = await rows.interventions.add(newIntervention);
  switch (added.verdict) {
    case 'missing':
      throw notFound('task');
    case 'terminal':
      throw alreadyFinished(added.status);
    case 'idle': {
      const errorMessage = `This task is ${added.status}: no running agent could ${newIntervention.action}.`;
      throw new DomainError('conflict', 'task_not_running', errorMessage);
    }
    case 'full': {
      const errorMessage =
        'This task has the maximum number of undelivered interventions. Retry after its agent has received some.';
      throw new DomainError('conflict', 'too_many_interventions', errorMessage);
    }
    default:
      return added;
  }
}

/** @throws DomainError not_found */
export async function getIntervention(deps: { store: Store }, caller: Caller, id: string): Promise<Intervention> {
  const found = await deps.store.within(caller, (rows) => rows.interventions.find(id));
  if (found === undefined) throw notFound('intervention');
  return found;
}

/** Newest first. @param page.before the id after which the page begins */
export async function listInterventions(
  deps: { store: Store },
  caller: Caller,
  filter: InterventionFilter,
  page: { limit: number; before: string | undefined },
): Promise<{ interventions: Intervention[]; next: string | null }> {
  const found = await deps.store.within(caller, (rows) =>
    rows.interventions.list(filter, { ...page, limit: page.limit + 1 }),
  );
  const interventions = found.slice(0, page.limit);
  return { interventions, next: found.length > page.limit ? (interventions.at(-1)?.id ?? null) : null };
}

/** Tasks listed in the error for an ambiguous name. */
const maxNamed = 10;

/**
 * The one task that an agent runs. The agent is looked up by worker id, else by worker name, else by agent name.
 * @throws DomainError not_found (no such worker or agent); conflict `agent_idle`, `ambiguous_agent`
 */
async function findAgentTask(deps: { readonly store: Store }, caller: Caller, agent: string): Promise<string> {
  const { attempts, known } = await deps.store.within({ tenantId: caller.tenantId }, async (rows) => {
    const found = await rows.interventions.findRunningAttempts(agent, maxNamed + 1);
    return { attempts: found, known: found.length > 0 || (await rows.interventions.hasAgent(agent)) };
  });
  const [attempt, ...others] = attempts;
  if (!known) throw notFound('agent');
  if (attempt === undefined)
    throw new DomainError('conflict', 'agent_idle', 'This agent is not running a task. Name a task by its id.');
  if (others.length === 0) return attempt.taskId;
  const tasks = attempts.slice(0, maxNamed).map(({ taskId, workerName }) => `${taskId} (on ${workerName})`);
  const more = attempts.length > maxNamed ? ', and more' : '';
  const errorMessage = `This name matches several running tasks. Choose one by task_id: ${tasks.join(', ')}${more}.`;
  throw new DomainError('conflict', 'ambiguous_agent', errorMessage);
}
