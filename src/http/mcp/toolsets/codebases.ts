// The toolset codebases: list, read, register and remove codebases. tools-4.2.
import { z } from 'zod';
import { getCodebase, listCodebases, removeCodebase } from '../../../domain/codebases/manage.ts';
import { registerCodebase } from '../../../domain/codebases/register.ts';
import type { TaskDeps } from '../../../domain/tasks/deps.ts';
import { codebaseToWire } from '../../routes/codebases.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { parseEntityId } from '../../pipeline/entity-id.ts';
import { anyId, codebaseShape, listArguments, nextCursor } from '../tools/tool-schemas.ts';
import { workerIdFromArgument } from '../tools/task-arguments.ts';
import { additive, destructive, readOnly, tool, type Tool } from '../tools/tool.ts';

interface CodebaseDeps extends TaskDeps {
  readonly now: () => number;
}

const byId = { input: z.strictObject({ codebase_id: anyId }), example: { codebase_id: 'global' } };

export function codebaseTools(deps: CodebaseDeps): Tool[] {
  return [listTool(deps), getTool(deps), createTool(deps), deleteTool(deps)];
}

function listTool(deps: CodebaseDeps): Tool {
  return tool({
    name: 'list_codebases',
    title: 'List codebases',
    description:
      'List the codebases that tasks can be created for, with their workers. "unbound" ones have no worker. ' +
      'Pass next_cursor as cursor for more.',
    toolset: 'codebases',
    keywords: 'repositories repos projects workspaces folders all show',
    permission: 'codebases:read',
    hints: readOnly,
    input: z.strictObject(listArguments),
    output: z.looseObject({ codebases: z.array(codebaseShape), next_cursor: nextCursor }),
    example: {},
    untrusted: true,
    run: async (caller, args) => {
      const page = { ...parsePage(args, 'text'), workerId: undefined };
      const { codebases, next } = await listCodebases(deps, caller, page);
      return { codebases: codebases.map(codebaseToWire), next_cursor: encodeCursor(next) };
    },
  });
}

function getTool(deps: CodebaseDeps): Tool {
  return tool({
    name: 'get_codebase',
    title: 'Get a codebase',
    description: 'Get one codebase: its path and its workers.',
    toolset: 'codebases',
    keywords: 'repository repo project workspace read show details',
    permission: 'codebases:read',
    hints: readOnly,
    ...byId,
    output: codebaseShape,
    untrusted: true,
    run: async (caller, { codebase_id }) =>
      codebaseToWire(await getCodebase(deps, caller, parseEntityId('codebase', codebase_id))),
  });
}

function createTool(deps: CodebaseDeps): Tool {
  return tool({
    name: 'create_codebase',
    title: 'Register a codebase',
    description:
      'Register a folder of code. With worker_id it is bound at once and returned as codebase. Without it, a task makes ' +
      'workers look for the path: pending is true, and the task task_id completes with {codebase_id} as its result.',
    toolset: 'codebases',
    keywords: 'repository repo project workspace add new bind folder path',
    permission: 'codebases:write',
    hints: additive,
    input: z.strictObject({
      name: z.string().min(1).max(200),
      path: z.string().min(1).max(4096).describe('on the machine of the worker'),
      description: z.string().max(2000).default(''),
      worker_id: anyId.optional(),
    }),
    output: z.looseObject({
      codebase: codebaseShape.optional(),
      pending: z.boolean().optional(),
      task_id: z.string().optional(),
      message: z.string().optional(),
    }),
    example: { name: 'shop', path: '/srv/shop' },
    createsTask: true,
    run: async (caller, { name, path, description, worker_id }, { idempotency, markReplayed }) => {
      const request = { name, path, description, workerId: workerIdFromArgument(worker_id) };
      const registration = await registerCodebase(deps, caller, request, idempotency);
      if (registration.kind === 'bound') return { codebase: codebaseToWire(registration.codebase) };
      if (registration.replayed) markReplayed();
      const message = 'Workers look for this path; the task completes with the codebase_id as its result.';
      return { pending: true, task_id: registration.task.id, message };
    },
  });
}

function deleteTool(deps: CodebaseDeps): Tool {
  return tool({
    name: 'delete_codebase',
    title: 'Remove a codebase',
    description: 'Remove a codebase from the service; its files stay. Rejected while it has open tasks.',
    toolset: 'codebases',
    keywords: 'repository repo project workspace remove unregister drop',
    permission: 'codebases:delete',
    hints: destructive,
    ...byId,
    output: z.looseObject({ codebase_id: z.string(), deleted: z.boolean() }),
    run: async (caller, { codebase_id }) => {
      const codebase = await removeCodebase(deps, caller, parseEntityId('codebase', codebase_id));
      return { codebase_id: codebase.codebaseId, deleted: true };
    },
  });
}
