// What one kind of agent program is, and the adapter that a found program becomes.
import type { StartedAgent, AgentReader, AgentRun, Invocation } from './adapter.ts';

/** How one kind of agent program is started and read. To add one: a file like `pi.ts` and a row in `programs.ts`. */
export interface ProgramKind {
  /** The program's base name. */
  name: string;
  /** As `AgentAdapter` has them. */
  live?: true;
  resumes?: true;
  takesModel(model: string): boolean;
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
  return {
    name: kind.name,
    program: [program, ...extra].join(' '),
    version,
    converses: true,
    ...(kind.live && { live: kind.live }),
    ...(kind.resumes && { resumes: kind.resumes }),
    takesModel: (model) => kind.takesModel(model),
    invoke: (run) => Promise.resolve(kind.invocation({ program, extra, run })),
    read: () => kind.read(),
  };
}
