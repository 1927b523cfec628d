// The definition of one kind of agent program, and the adapter of a found program.
import {
  AgentError,
  type StartedAgent,
  type AgentReader,
  type AgentInput,
  type Invocation,
  type SessionImport,
} from '../adapter/adapter.ts';
import type { AgentProgram } from './agent-program.ts';
import type { OptionalSet, ProgramNeeds } from './program-needs.ts';

export interface ProgramStart {
  /** Path of the program. */
  readonly program: string;
  /** The operator's extra arguments, appended to ours. */
  readonly extra: string[];
  /** The optional options that this program has. */
  readonly options: OptionalSet;
  readonly input: AgentInput;
}

/** The start and the output of one kind of agent program. To add one: a file like `pi.ts` and a row in `programs.ts`. */
export interface ProgramKind {
  /** The program's base name. */
  readonly name: string;
  /** Lists every option that `invocation` uses. */
  readonly needs: ProgramNeeds;
  /** As in `AgentAdapter`. */
  readonly live?: true;
  readonly resumes?: true;
  takesModel(model: string): boolean;
  readonly importSession?: (program: string, source: SessionImport) => Promise<boolean>;
  invocation(start: ProgramStart): Invocation;
  read(): AgentReader;
}

/**
 * @param extra the operator's extra arguments, appended to ours
 * @param version as reported at its detection
 */
export function programAdapter(
  kind: ProgramKind,
  program: AgentProgram,
  extra: string[],
  version: string | undefined,
): StartedAgent {
  const { importSession } = kind;
  const { path } = program;
  return {
    name: kind.name,
    program: [path, ...extra].join(' '),
    version,
    converses: true,
    ...(kind.live && { live: kind.live }),
    ...(kind.resumes && { resumes: kind.resumes }),
    ...(importSession && { importSession: (source) => importSession(path, source) }),
    findProblem: async () => (await program.probe()).problem?.message,
    takesModel: (model) => kind.takesModel(model),
    async invoke(input) {
      const { options, problem } = await program.probe();
      if (problem)
        throw new AgentError('agent_unusable', `${kind.name} at ${path} cannot be used: ${problem.message}.`);
      return kind.invocation({ program: path, extra, options, input });
    },
    read: () => kind.read(),
  };
}
