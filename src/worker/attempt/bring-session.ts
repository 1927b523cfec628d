// Brings a session of an earlier run to the work place of this one, for agents whose sessions belong to a folder.
import type { StartedAgent } from '../agents/adapter/adapter.ts';
import { runChild, type ChildOptions } from '../process/child.ts';
import type { WorkDesk } from './run-desk.ts';

export interface BringStart extends Pick<ChildOptions, 'env' | 'contained' | 'killGraceMs' | 'signal'> {
  session: string | undefined;
  /** The work place. */
  path: string;
  /** The run's own folder. */
  folder: string;
  desk: Pick<WorkDesk, 'pausing'>;
}

/** @returns false when the session cannot be gone on with here */
export async function bringSession(agent: StartedAgent, start: BringStart): Promise<boolean> {
  const { session, path, folder, desk, env, contained, killGraceMs, signal } = start;
  if (agent.bring === undefined || session === undefined) return true;
  return agent.bring({
    session,
    path,
    folder,
    async ask(argv) {
      await desk.pausing.whenGoing(signal);
      const said: string[] = [];
      const onText = (stream: string, text: string): Promise<void> => {
        if (stream === 'stdout') said.push(text);
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
      return exit.kind === 'exited' && exit.code === 0 ? said.join('') : undefined;
    },
  });
}
