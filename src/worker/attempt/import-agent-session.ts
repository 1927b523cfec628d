// Imports a session of an earlier attempt into this workspace, for agents whose sessions belong to a folder.
import type { StartedAgent } from '../agents/adapter/adapter.ts';
import { runChild, type ChildOptions } from '../process/child.ts';
import type { AgentInterventions } from './intervention-handler.ts';

export interface SessionImportOptions extends Pick<ChildOptions, 'env' | 'contained' | 'killGraceMs' | 'signal'> {
  readonly session: string | undefined;
  /** The workspace. */
  readonly path: string;
  /** The folder of this attempt. */
  readonly folder: string;
  readonly interventions: Pick<AgentInterventions, 'pausing'>;
}

/** @returns false when the session cannot be resumed here */
export async function importAgentSession(agent: StartedAgent, start: SessionImportOptions): Promise<boolean> {
  const { session, path, folder, interventions, env, contained, killGraceMs, signal } = start;
  if (agent.importSession === undefined || session === undefined) return true;
  return agent.importSession({
    session,
    path,
    folder,
    async runProgram(argv) {
      await interventions.pausing.untilResumed(signal);
      const stdout: string[] = [];
      const onText = (stream: string, text: string): Promise<void> => {
        if (stream === 'stdout') stdout.push(text);
        return Promise.resolve();
      };
      const { exit } = await runChild({
        argv,
        cwd: path,
        env,
        contained,
        stdin: undefined,
        killGraceMs,
        signal,
        onText,
      });
      return exit.kind === 'exited' && exit.code === 0 ? stdout.join('') : undefined;
    },
  });
}
