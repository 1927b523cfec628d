// What one kind of agent program is, and the adapter that a found program becomes.
import type { StartedAgent, AgentReader, AgentRun, Invocation, SessionMove } from './adapter.ts';

/** How one kind of agent program is started and read. To add one: a file like `pi.ts` and a row in `programs.ts`. */
export interface ProgramKind {
  /** The program's base name. */
  name: string;
  /** As `AgentAdapter` has them. */
  live?: true;
  resumes?: true;
  takesModel(model: string): boolean;
  bring?: (program: string, move: SessionMove) => Promise<boolean>;
  invocation(start: { program: string; extra: string[]; run: AgentRun }): Invocation;
  read(): AgentReader;
}

/**
 * @param program path of the program
 * @param extra the operator's further arguments, after ours
 */
export function programAdapter(
  kind: ProgramKind,
  program: string,
  extra: string[],
  version: string | undefined,
): StartedAgent {
  const { bring } = kind;
  return {
    name: kind.name,
    program: [program, ...extra].join(' '),
    version,
    converses: true,
    ...(kind.live && { live: kind.live }),
    ...(kind.resumes && { resumes: kind.resumes }),
    ...(bring && { bring: (move) => bring(program, move) }),
    takesModel: (model) => kind.takesModel(model),
    invoke: (run) => Promise.resolve(kind.invocation({ program, extra, run })),
    read: () => kind.read(),
  };
}
