// Operations that explain and change waiting tasks: why, update, bulk. ui-6.7, ui-6.10.
import { z } from 'zod';
import { id } from '../../../contracts/common.ts';
import * as wire from '../../../contracts/task.ts';
import {
  changeTasks,
  type BulkAction,
  type BulkDeps,
  type BulkResult,
  type BulkScope,
} from '../../../domain/tasks/change/bulk.ts';
import { changeTask } from '../../../domain/tasks/change/change-task.ts';
import { viewActiveTask } from '../../../domain/tasks/exchange/task-activity.ts';
import { explainDraft, explainTask, type WhyView } from '../../../domain/tasks/waiting/why.ts';
import { operation, type Operation, type RequestContext } from '../../pipeline/operation.ts';
import { invalidInput } from '../../pipeline/schema.ts';
import { filterFromWire, placeCursor, placePageOf } from './task-filter.ts';
import { taskToWire } from './task-wire.ts';

const byId = { params: z.object({ id }), names: 'task' as const };

export function taskChangeOperations(deps: BulkDeps): Operation[] {
  return [
    operation({
      name: 'tasks.why',
      method: 'GET',
      path: '/v1/agent/tasks/:id/why',
      summary: 'Explain why a task waits, worker by worker.',
      description: 'The reasons come from the rule that assigns tasks. Each remedy names a command.',
      permission: 'tasks:read',
      ...byId,
      answers: { 200: wire.taskWhy },
      run: async (caller, { params }) => ({ status: 200, body: whyToWire(await explainTask(deps, caller, params.id)) }),
    }),
    operation({
      name: 'tasks.why_draft',
      method: 'POST',
      path: '/v1/agent/tasks/why',
      summary: 'Explain whether a worker could take a new task.',
      description: 'Takes the fields of a creation, all optional, and creates nothing.',
      permission: 'tasks:read',
      body: wire.taskDraft,
      answers: { 200: wire.taskWhy },
      run: async (caller, { body }) => {
        const draft = {
          codebaseId: body.codebase_id ?? null,
          requiredCapabilities: body.required_capabilities,
          targetAgent: body.target_agent ?? null,
          targetWorkerId: body.target_worker_id ?? null,
          priority: body.priority,
        };
        return { status: 200, body: whyToWire(await explainDraft(deps, caller, draft)) };
      },
    }),
    operation({
      name: 'tasks.update',
      method: 'PATCH',
      path: '/v1/agent/tasks/:id',
      summary: 'Change priority, deadline or title of a pending task.',
      permission: 'tasks:write',
      ...byId,
      body: wire.taskChange,
      answers: { 200: wire.taskAnswer },
      run: async (caller, { params, body }) => {
        const change = { priority: body.priority, deadlineAt: body.deadline_at, title: body.title };
        const task = await changeTask(deps, caller, params.id, change);
        return { status: 200, body: { task: taskToWire(await viewActiveTask(deps, caller, task.id)) } };
      },
    }),
    operation({
      name: 'tasks.bulk',
      method: 'POST',
      path: '/v1/agent/tasks/bulk',
      summary: 'Cancel, retry or prioritize many tasks.',
      description:
        'Each task is permitted and audited as by its own call. One call changes at most 2,000 tasks; next_cursor names the rest of a filter.',
      permission: 'tasks:write',
      body: wire.bulkRequest,
      createsTask: true,
      answers: { 200: wire.bulkAnswer },
      run: async (caller, { body, context }) => {
        const options = { isDryRun: body.dry_run, signal: context.signal };
        const result = await changeTasks(deps, caller, scopeOf(body), actionOf(body, context), options);
        return { status: 200, body: bulkToWire(result) };
      },
    }),
  ];
}

type BulkBody = z.output<typeof wire.bulkRequest>;

/** @throws DomainError invalid unless there is exactly one of `ids` and `filter` */
function scopeOf({ ids, filter, cursor }: BulkBody): BulkScope {
  if (filter === undefined) {
    if (ids === undefined) throw invalidInput([{ path: '/ids', message: 'is required unless filter is given' }]);
    if (cursor !== undefined) throw invalidInput([{ path: '/cursor', message: 'may only be given with filter' }]);
    return { ids };
  }
  if (ids !== undefined) throw invalidInput([{ path: '/filter', message: 'cannot be given with ids' }]);
  const { after } = placePageOf({ limit: 1, cursor }, 'created');
  return { filter: filterFromWire(filter, '/filter'), after };
}

/** @throws DomainError invalid unless `priority` is given with the action of that name alone */
function actionOf({ action, priority }: BulkBody, { idempotency }: RequestContext): BulkAction {
  if (action === 'priority') {
    if (priority === undefined) throw invalidInput([{ path: '/priority', message: 'is required for this action' }]);
    return { action, priority };
  }
  if (priority !== undefined)
    throw invalidInput([{ path: '/priority', message: 'may only be given with the action priority' }]);
  return action === 'retry' ? { action, idempotency } : { action };
}

function bulkToWire({ outcomes, next }: BulkResult): wire.BulkAnswerWire {
  const results = outcomes.map(({ taskId, code, newTaskId }) => ({
    id: taskId,
    ok: code === undefined,
    code,
    task_id: newTaskId,
  }));
  return { matched: outcomes.length, results, next_cursor: placeCursor(next, 'created') };
}

function whyToWire({ reason, ahead, workers, remedy }: WhyView): wire.TaskWhyWire {
  return {
    reason,
    ahead,
    workers: workers.map(({ workerId, name, obstacle, at }) => ({
      worker_id: workerId,
      name,
      can: obstacle === null,
      because: obstacle,
      at,
    })),
    remedy,
  };
}
