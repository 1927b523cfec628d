// What one kind of agent program is, and the adapter that a found program becomes.
import { AgentError } from '../adapter/adapter.ts';
import type { StartedAgent, AgentReader, AgentRun, Invocation, SessionMove } from '../adapter/adapter.ts';
import type { AgentProgram } from './agent-program.ts';
import type { OptionalSet, ProgramNeeds } from './program-needs.ts';

export interface ProgramStart {
  /** Path of the program. */
  program: string;
  /** The operator's further arguments, after ours. */
  extra: string[];
  /** The optional options that this program has. */
  options: OptionalSet;
  run: AgentRun;
}

/** How one kind of agent program is started and read. To add one: a file like `pi.ts` and a row in `programs.ts`. */
export interface ProgramKind {
  /** The program's base name. */
  name: string;
  /** Every option that `invocation` uses is in here. */
  needs: ProgramNeeds;
  /** As `AgentAdapter` has them. */
  live?: true;
  resumes?: true;
  takesModel(model: string): boolean;
  bring?: (program: string, move: SessionMove) => Promise<boolean>;
  invocation(start: ProgramStart): Invocation;
  read(): AgentReader;
}

/**
 * @param extra the operator's further arguments, after ours
 * @param version as it told at its detection
 */
export function programAdapter(
  kind: ProgramKind,
  program: AgentProgram,
  extra: string[],
  version: string | undefined,
): StartedAgent {
  const { bring } = kind;
  const { path } = program;
  return {
    name: kind.name,
    program: [path, ...extra].join(' '),
    version,
    converses: true,
    ...(kind.live && { live: kind.live }),
    ...(kind.resumes && { resumes: kind.resumes }),
    ...(bring && { bring: (move) => bring(path, move) }),
    trouble: async () => (await program.ask()).problem?.message,
    takesModel: (model) => kind.takesModel(model),
    async invoke(run) {
      const { options, problem } = await program.ask();
      if (problem)
        throw new AgentError('agent_unusable', `${kind.name} at ${path} cannot be used: ${problem.message}.`);
      return kind.invocation({ program: path, extra, options, run });
    },
    read: () => kind.read(),
  };
}
