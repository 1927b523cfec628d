// Where this worker has which codebase: learned from the service's answers, looked up when a task names one.
import type { CodebaseWire } from '../contracts/codebase.ts';
import type { ModedCodebase } from './workspace-mode.ts';
import type { Workplace } from './workspace/workspace.ts';

export interface Codebases {
  /** Notes what of these codebases the worker holds, and at which path. */
  learn(workerId: string, codebases: readonly CodebaseWire[]): void;
  find(codebaseId: string): Workplace | undefined;
}

/** @param own what the worker was set up with */
export function createCodebases(own: readonly ModedCodebase[]): Codebases {
  // The one `global` is as many folders as there are workers: how to work in ours is for us to say.
  const globalMode = own.find(({ codebase_id }) => codebase_id === 'global')?.workspace_mode;
  const places = new Map<string, Workplace>();
  return {
    learn(workerId, codebases) {
      for (const { codebase_id: codebaseId, bindings, workspace_mode: mode } of codebases) {
        const binding = bindings.find(({ worker_id }) => worker_id === workerId);
        if (binding === undefined) continue;
        const ownMode = codebaseId === 'global' ? (globalMode ?? mode) : mode;
        places.set(codebaseId, { codebaseId, path: binding.path, mode: ownMode });
      }
    },
    find: (codebaseId) => places.get(codebaseId),
  };
}
