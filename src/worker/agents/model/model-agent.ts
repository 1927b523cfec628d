// The built-in agent `model`: any model behind an OpenAI-compatible address, with tools of its own. choices-5.
import { AgentError, type ConductedAgent } from '../adapter/adapter.ts';
import { parseModel } from '../adapter/model-name.ts';
import type { ModelSettings, ModelAgentDeps } from './model-settings.ts';

export const modelAgentName = 'model';

/** The address without query and credentials, for people. */
function shownAddress(endpoint: string): string {
  const { origin, pathname } = new URL(endpoint);
  return `${origin}${pathname}`;
}

/** Describes the rights of the agent's commands for people; `doctor` prints it. */
export function describeShell({ shell, shellNetwork }: ModelSettings, sandbox: string | undefined): string {
  if (shell === 'off') return 'no shell';
  if (sandbox !== undefined) return `shell in bubblewrap ${shellNetwork ? 'with' : 'without'} network`;
  return shell === 'unconfined' ? 'shell without a sandbox' : 'no shell: bubblewrap is missing or does not work here';
}

/** The loop is loaded with the first task, so that a worker without such tasks spends no memory on it. */
export function modelAgent(settings: ModelSettings, deps: ModelAgentDeps): ConductedAgent {
  return {
    name: modelAgentName,
    program: shownAddress(settings.endpoint),
    version: undefined,
    converses: false,
    live: true,
    defaultModel: settings.model,
    takesModel: () => true,
    async conduct(context) {
      const { model: requested } = context.task;
      const name = requested === null ? settings.model : parseModel(requested).model;
      if (name === undefined) {
        const hint = 'Set `model` of the task, or MODEL_DEPLOYMENT_NAME on the worker.';
        throw new AgentError('bad_model', `The task names no model and the worker has no default model. ${hint}`);
      }
      const { conductModel } = await import('./conduct-model.ts');
      await conductModel({ context, settings, deps, name });
      return { kind: 'exited', code: 0 };
    },
  };
}
