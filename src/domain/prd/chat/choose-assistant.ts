// Chooses who answers a turn: workers of the session's codebase, workers of any folder, or nobody. runs-13.
import type { RoutableWorker } from '../../model/task/route.ts';
import { globalCodebaseId } from '../../model/codebase.ts';
import type { TenantScope } from '../../model/access/caller.ts';
import { prdCapability } from '../../model/prd/prd-session.ts';
import type { PrdChatDeps } from './chat-deps.ts';

export interface Assistant {
  readonly codebaseId: string;
  readonly targetAgent: string | null;
}

/** @returns undefined when no worker that is online can answer: the interviewer does */
export async function chooseAssistant(
  { workerDirectory, chatAgent }: Pick<PrdChatDeps, 'workerDirectory' | 'chatAgent'>,
  tenant: TenantScope,
  codebaseId: string | null,
): Promise<Assistant | undefined> {
  const workers = [...(await workerDirectory.workersOf(tenant)).values()].filter(canAnswer);
  for (const id of [codebaseId, globalCodebaseId]) {
    if (id === null) continue;
    const serving = workers.filter(({ servedCodebaseIds }) => servedCodebaseIds.has(id));
    const named = serving.filter(({ agents }) => chatAgent === undefined || agents.includes(chatAgent));
    if (named.length === 0) continue;
    const offered = named.flatMap(({ agents }) => agents.filter(isAssistant));
    const preferred = chatAgent ?? (offered.includes('model') ? 'model' : offered[0]);
    return { codebaseId: id, targetAgent: preferred ?? null };
  }
  return undefined;
}

function canAnswer({ online, drained, capabilities, agents }: RoutableWorker): boolean {
  return online && !drained && capabilities.includes(prdCapability) && agents.some(isAssistant);
}

/** The agent `command` runs the commands of a prompt; it answers nothing. */
function isAssistant(agent: string): boolean {
  return agent !== 'command';
}
