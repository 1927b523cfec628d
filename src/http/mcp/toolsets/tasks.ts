// The toolset tasks: create, read, list and cancel tasks, and poll for changes. tools-4.2.
import { z } from 'zod';
import { givenTime, id, label } from '../../../contracts/common.ts';
import { cancelTask } from '../../../domain/tasks/cancel.ts';
import type { TaskDeps } from '../../../domain/tasks/deps.ts';
import { addActivities, viewActiveTask } from '../../../domain/tasks/exchange/task-activity.ts';
import { listTasks, buildNewTaskView } from '../../../domain/tasks/read.ts';
import { submitTask } from '../../../domain/tasks/submit.ts';
import { listTaskUpdates } from '../../../domain/tasks/updates.ts';
import { draftFromBody, taskToWire } from '../../routes/tasks/task-wire.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { agentTypes, anyId, listArguments, nextCursor, status, taskShape } from '../tools/tool-schemas.ts';
import { parseEntityId } from '../../pipeline/entity-id.ts';
import { taskArguments, workerIdFromArgument } from '../tools/task-arguments.ts';
import { additive, destructive, readOnly, tool, type Tool } from '../tools/tool.ts';
import { fallbackCodebaseId } from './active-codebase.ts';

const exampleId = '019ac5a0-0000-7000-8000-000000000001';

export function taskTools(deps: TaskDeps): Tool[] {
  return [createTaskTool(deps), getTaskTool(deps), listTasksTool(deps), cancelTaskTool(deps), taskUpdatesTool(deps)];
}

function createTaskTool(deps: TaskDeps): Tool {
  return tool({
    name: 'create_task',
    title: 'Create a task',
    description:
      'Queue work for a worker agent; returns at once with task_id while the work continues in the background. ' +
      'Put the instructions in description. Without codebase_id the active codebase is used; without either the ' +
      'task waits with waiting_reason no_codebase ("global" always exists). ' +
      'Follow it with get_task or get_task_updates.',
    toolset: 'tasks',
    keywords: 'job queue submit new work schedule delegate assign run',
    permission: 'tasks:write',
    hints: { ...additive, openWorldHint: true },
    input: z.strictObject({
      title: z.string().min(1).max(200),
      description: z.string().min(1).max(200_000).optional().describe('the full instructions; default: the title'),
      codebase_id: anyId.optional(),
      agent_type: z.enum(agentTypes).optional(),
      target_agent: label.optional().describe('only workers of this name, or with this agent'),
      conversation_id: anyId.optional(),
      ...taskArguments,
    }),
    output: z.looseObject({
      task_id: z.string(),
      run_id: z.string(),
      title: z.string(),
      status,
      created_at: z.string(),
      waiting_reason: z.string().nullable(),
    }),
    example: { title: 'Fix the login test', description: 'The test login.spec fails on main.', codebase_id: 'global' },
    createsTask: true,
    links: ({ task_id }) => [{ uri: `coord://tasks/${task_id}`, name: 'the task' }],
    run: async (caller, args, { idempotency, codebaseId, markReplayed }) => {
      const { description, title, ...rest } = args;
      const target_worker_id = workerIdFromArgument(args.target_worker_id);
      const body = { ...rest, title, prompt: description ?? title, target_worker_id };
      const named = args.codebase_id ?? codebaseId ?? (await fallbackCodebaseId(deps, caller));
      const draft = draftFromBody(body, named ?? null);
      const { task, replayed } = await submitTask(deps, caller, draft, idempotency);
      if (replayed) markReplayed();
      const view = await buildNewTaskView(deps, caller, task);
      return {
        task_id: task.id,
        run_id: task.attemptId,
        title: task.title,
        status: task.status,
        created_at: task.createdAt,
        waiting_reason: view.waitingReason,
      };
    },
  });
}

function getTaskTool(deps: TaskDeps): Tool {
  return tool({
    name: 'get_task',
    title: 'Get a task',
    description:
      'Get one task: its status, why it waits, and its result or error when it has ended. ' +
      'The output of its agent is the resource coord://tasks/{task_id}/log.',
    toolset: 'tasks',
    keywords: 'job status result outcome progress read show inspect check',
    permission: 'tasks:read',
    hints: readOnly,
    input: z.strictObject({ task_id: anyId }),
    output: taskShape,
    example: { task_id: exampleId },
    untrusted: true,
    links: (task) => [{ uri: `coord://tasks/${task.id}/log`, name: 'the output of its agent', mimeType: 'text/plain' }],
    run: async (caller, { task_id }) => {
      return taskToWire(await viewActiveTask(deps, caller, parseEntityId('task', task_id)));
    },
  });
}

function listTasksTool(deps: TaskDeps): Tool {
  return tool({
    name: 'list_tasks',
    title: 'List tasks',
    description:
      'List tasks, newest first, filtered by status or codebase. Without codebase_id the active codebase is the filter; ' +
      'codebase_id "*" lists all. Pass next_cursor as cursor for older ones.',
    toolset: 'tasks',
    keywords: 'jobs queue all show find search pending running failed history',
    permission: 'tasks:read',
    hints: readOnly,
    input: z.strictObject({ status: status.optional(), codebase_id: anyId.optional(), ...listArguments }),
    output: z.looseObject({ tasks: z.array(taskShape), next_cursor: nextCursor }),
    example: { status: 'failed', limit: 10 },
    untrusted: true,
    run: async (caller, args, { codebaseId }) => {
      const named = args.codebase_id ?? codebaseId ?? (await fallbackCodebaseId(deps, caller));
      const filter = { status: args.status, codebaseId: named === '*' ? undefined : named };
      const { tasks, next } = await listTasks(deps, caller, filter, parsePage(args, 'uuid'));
      return {
        tasks: (await addActivities(deps, caller, tasks)).map(taskToWire),
        next_cursor: encodeCursor(next),
      };
    },
  });
}

function cancelTaskTool(deps: TaskDeps): Tool {
  return tool({
    name: 'cancel_task',
    title: 'Cancel a task',
    description:
      'Cancel a task that is pending, running or waiting for input; its agent is stopped. It cannot be undone.',
    toolset: 'tasks',
    keywords: 'job stop abort kill end terminate',
    permission: 'tasks:write',
    hints: destructive,
    input: z.strictObject({ task_id: anyId, reason: z.string().max(2000).optional() }),
    output: z.looseObject({ task_id: z.string(), status }),
    example: { task_id: exampleId },
    run: async (caller, { task_id, reason }) => {
      const task = await cancelTask(deps, caller, parseEntityId('task', task_id), { reason });
      return { task_id: task.id, status: task.status };
    },
  });
}

function taskUpdatesTool(deps: TaskDeps): Tool {
  return tool({
    name: 'get_task_updates',
    title: 'Poll for changes of tasks',
    description:
      'Poll for changes since a cursor: pass next of the previous answer as since to miss no change. Without since the ' +
      'newest changes are returned. Cheaper than get_task for many tasks.',
    toolset: 'tasks',
    keywords: 'jobs watch follow changes poll new status progress events',
    permission: 'tasks:read',
    hints: readOnly,
    input: z.strictObject({
      since: z.string().min(1).max(200).optional().describe('next of an earlier answer'),
      since_timestamp: givenTime.optional().describe('instead of since'),
      task_ids: z.array(anyId).max(200).optional().describe('only these tasks'),
      limit: listArguments.limit,
    }),
    output: z.looseObject({
      updates: z.array(
        z.looseObject({ task_id: z.string(), status, seq: z.int(), at: z.string(), message: z.string().optional() }),
      ),
      next: z.string(),
    }),
    example: { limit: 20 },
    untrusted: true,
    run: async (caller, { since, since_timestamp: sinceTime, task_ids: given, limit }) => {
      // A malformed id is ignored, because an unknown task has no changes either.
      const taskIds = given?.filter((one) => id.safeParse(one).success);
      const { updates, next } = await listTaskUpdates(deps, caller, { since, sinceTime, taskIds, limit });
      return { updates: updates.map(({ taskId, ...update }) => ({ task_id: taskId, ...update })), next };
    },
  });
}
