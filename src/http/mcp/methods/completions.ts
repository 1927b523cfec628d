// Completes arguments of prompts and resources with values that the caller may see.
import { isPermitted, type Demand } from '../../../domain/access/permit.ts';
import { listCodebases } from '../../../domain/codebases/manage.ts';
import type { Caller } from '../../../domain/model/access/caller.ts';
import type { Policy } from '../../../domain/ports/policy.ts';
import { listTasks, type ViewDeps } from '../../../domain/tasks/read.ts';
import { agentTypes, status } from '../tools/tool-schemas.ts';

export interface CompletionDeps extends ViewDeps {
  readonly policy: Policy;
}

interface Source {
  readonly permission: Demand;
  readonly values: (deps: CompletionDeps, caller: Caller) => Promise<readonly string[]>;
}

/** The protocol's limit. */
const maxValues = 100;

/** Sources of values by the name of the argument, the same for every prompt and resource. */
const sources: Readonly<Record<string, Source>> = {
  agent_type: { permission: 'any_credential', values: () => Promise.resolve(agentTypes) },
  status: { permission: 'any_credential', values: () => Promise.resolve(status.options) },
  codebase_id: {
    permission: 'codebases:read',
    values: async (deps, caller) => {
      const { codebases } = await listCodebases(deps, caller, { limit: 200, before: undefined, workerId: undefined });
      return codebases.map(({ codebaseId }) => codebaseId);
    },
  },
  task_id: {
    permission: 'tasks:read',
    values: async (deps, caller) => {
      const { tasks } = await listTasks(deps, caller, {}, { limit: maxValues, before: undefined });
      return tasks.map(({ task }) => task.id);
    },
  },
};

export interface Completion {
  readonly values: string[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** @param prefix the text typed so far */
export async function completeArgument(
  deps: CompletionDeps,
  caller: Caller,
  argument: string,
  prefix: string,
): Promise<Completion> {
  const source = Object.hasOwn(sources, argument) ? sources[argument] : undefined;
  const isAllowed = source !== undefined && (await isPermitted(deps.policy, caller, source.permission));
  const values = isAllowed ? await source.values(deps, caller) : [];
  const matching = values.filter((value) => value.toLowerCase().startsWith(prefix.toLowerCase()));
  return { values: matching.slice(0, maxValues), total: matching.length, hasMore: matching.length > maxValues };
}
