// Agents that are programs speaking the Agent Client Protocol over stdio: the known ones, and any that the operator
// names.
import type { ConductedAgent } from '../adapter/adapter.ts';

/** Programs known to speak the protocol, with the arguments that switch it on. */
export const acpPrograms: readonly { name: string; args: readonly string[] }[] = [
  { name: 'claude-agent-acp', args: [] },
  { name: 'claude-code-acp', args: [] },
  { name: 'codex-acp', args: [] },
  { name: 'goose', args: ['acp'] },
  { name: 'kimi', args: ['acp'] },
  { name: 'qwen', args: ['--acp'] },
];

export interface AcpAgentOptions {
  readonly name: string;
  readonly argv: [string, ...string[]];
  readonly version: string | undefined;
  /** Absolute paths of the worker itself; the program's file requests cannot reach them. */
  readonly hidden: readonly string[];
}

/** The protocol code is loaded with the first task. */
export function acpAgent({ name, argv, version, hidden }: AcpAgentOptions): ConductedAgent {
  return {
    name,
    program: argv.join(' '),
    version,
    converses: true,
    live: true,
    resumes: true,
    // The program lists its models only while it runs. A model that it does not have is rejected then.
    takesModel: () => true,
    async conduct(context) {
      const { conductAcp } = await import('./conduct-acp.ts');
      return conductAcp({ context, name, argv, hidden });
    },
  };
}
