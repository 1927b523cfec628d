// Agents that are programs which speak the Agent Client Protocol over stdio: known ones, and any that is named.
import type { ConductedAgent } from '../adapter/adapter.ts';

/** Programs that are known to speak it, with the arguments that make them. */
export const acpPrograms: readonly { name: string; args: readonly string[] }[] = [
  { name: 'claude-agent-acp', args: [] },
  { name: 'claude-code-acp', args: [] },
  { name: 'codex-acp', args: [] },
  { name: 'goose', args: ['acp'] },
  { name: 'kimi', args: ['acp'] },
  { name: 'qwen', args: ['--acp'] },
];

export interface AcpAgentOptions {
  name: string;
  argv: [string, ...string[]];
  version: string | undefined;
  /** Absolute paths of the worker's own, which its file requests do not reach. */
  hidden: readonly string[];
}

/** What speaks the protocol is loaded when the first task comes. */
export function acpAgent({ name, argv, version, hidden }: AcpAgentOptions): ConductedAgent {
  return {
    name,
    program: argv.join(' '),
    version,
    converses: true,
    live: true,
    resumes: true,
    // Which models it has it says only when it runs; what it does not have is refused then.
    takesModel: () => true,
    async conduct(context) {
      const { conductAcp } = await import('./conduct-acp.ts');
      return conductAcp({ context, name, argv, hidden });
    },
  };
}
