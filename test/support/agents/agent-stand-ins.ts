// Programs that tell their version and help as real agent programs of several versions do, refuse options that those do
// not have, and otherwise say at once that they are done.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentProgram } from '../../../src/worker/agents/programs/agent-program.ts';
import { programKinds } from '../../../src/worker/agents/programs/programs.ts';
import type { AgentName } from './real-agents.ts';

interface Manner {
  /** Its error for an unknown option, and its exit code then. */
  refusal: (flag: string) => string;
  code: number;
  /** Its output when it has done a task. */
  events: object[];
  /** It prints its help to stderr. */
  helpToStderr?: true;
}

const piDone = { role: 'assistant', content: [{ type: 'text', text: 'Done.' }], stopReason: 'stop' };
const manners: Record<AgentName, Manner> = {
  claude: {
    refusal: (flag) => `error: unknown option '${flag}'`,
    code: 1,
    events: [{ type: 'result', subtype: 'success', is_error: false, result: 'Done.', session_id: 's' }],
  },
  codex: {
    refusal: (flag) => `error: unexpected argument '${flag}' found`,
    code: 2,
    events: [
      { type: 'thread.started', thread_id: 't' },
      { type: 'item.completed', item: { type: 'agent_message', text: 'Done.' } },
      { type: 'turn.completed' },
    ],
  },
  gemini: {
    refusal: (flag) => `Unknown argument: ${flag.replace(/^-+/, '')}`,
    code: 1,
    events: [
      { type: 'message', role: 'assistant', content: 'Done.' },
      { type: 'result', status: 'success' },
    ],
  },
  opencode: {
    refusal: () => 'opencode run [message..]',
    code: 1,
    helpToStderr: true,
    events: [
      { type: 'text', part: { text: 'Done.' } },
      { type: 'step_finish', part: { reason: 'stop' } },
    ],
  },
  pi: {
    refusal: (flag) => `Error: Unknown option: ${flag}`,
    code: 1,
    events: [{ type: 'message_end', message: piDone }],
  },
};

export interface StandIn {
  name: AgentName;
  version: string;
  /** Its output for `--version`, in place of the version alone. */
  output?: string;
  versionToStderr?: true;
  /** Its options as its help has them, in its layout. */
  help: string;
}

const claudeHelp = (mode: string, more: string): string => `Usage: claude [options] [command] [prompt]

Options:
  --allowedTools, --allowed-tools <tools...>
      Comma or space-separated list of tool names to allow (e.g. "Bash(git *)
      Edit")
  --forward-subagent-text               Forward subagent text (only works with
                                        --print and --output-format=stream-json)
  --model <model>                       Model for the current session.
  --output-format <format>              Output format (only works with --print):
                                        "text" (default), "json" (single
                                        result), or "stream-json" (realtime
                                        streaming) (choices: "text", "json",
                                        "stream-json")
  --permission-mode <mode>              Permission mode to use for the session
                                        (choices: ${mode})
${more}  -p, --print                           Print response and exit
  -r, --resume [value]                  Resume a conversation by session ID
  --tools <tools...>                    Built-in tools to make available
  --verbose                             Override the verbose setting
  -v, --version                         Output the version number
`;

const codexHelp = (commands: string): string => `Run Codex non-interactively

Usage: codex exec [OPTIONS] [PROMPT]
${commands}
Options:
  -c, --config <key=value>
          Override a configuration value, e.g. with --json
  -m, --model <MODEL>
          Model the agent should use
  -s, --sandbox <SANDBOX_MODE>
          Select the sandbox policy to use when executing model-generated shell commands
          
          [possible values: read-only, workspace-write, danger-full-access]
      --skip-git-repo-check
          Allow running Codex outside a Git repository
      --json
          Print events to stdout as JSONL
`;

const geminiHelp = (modes: string, more: string): string => `Usage: gemini [options] [command]

Options:
  -m, --model                     Model  [string]
  -p, --prompt                    Appended to input on stdin (if any).  [string]
      --approval-mode             Set the approval mode  [string] [choices: ${modes}]
${more}  -v, --version                   Show version number  [boolean]
`;
const geminiSessions = `  -r, --resume                    Resume a previous session (e.g. --resume 5)  [string]
  -o, --output-format             The format of the CLI output.  [string] [choices: "text", "json", "stream-json"]
`;

const opencodeHelp = (more: string): string => `opencode run [message..]

Options:
      --help        show help                                          [boolean]
  -s, --session     session id to continue                              [string]
  -m, --model       model to use in the format of provider/model        [string]
      --agent       agent to use                                        [string]
${more}`;

const piHelp = (more: string): string => `pi - AI coding assistant

Options:
  --model <pattern>              Model pattern or ID
  --mode <mode>                  Output mode: text (default), json, or rpc
  --print, -p                    Non-interactive mode: process prompt and exit
${more}  --tools, -t <tools>            Comma-separated allowlist of tool names to enable
`;
const piFork = '  --fork <path|id>               Fork specific session file or partial UUID into a new session\n';

const modes = {
  old: '"acceptEdits", "default", "plan"',
  new: '"acceptEdits", "auto", "default",\n   "dontAsk", "plan"',
};
const prompts = `  --permission-prompts <target>         Who answers permission prompts with
                                        --print: "host" (the SDK host or
                                        --permission-prompt-tool) or "none"
`;
const resume = '\nCommands:\n  resume  Resume a previous session by id or pick the most recent with --last\n';

/** For each program a version before the oldest that works, and some that do. */
export const standIns: Record<'old' | 'fit', StandIn[]> = {
  old: [
    { name: 'claude', version: '2.0.0', output: '2.0.0 (Claude Code)', help: claudeHelp(modes.old, '') },
    { name: 'codex', version: '0.20.0', output: 'codex-cli 0.20.0', help: codexHelp('') },
    { name: 'codex', version: '0.50.0', output: 'codex-cli 0.50.0', help: codexHelp(resume) },
    { name: 'gemini', version: '0.10.0', help: geminiHelp('"default", "auto_edit", "yolo"', '') },
    { name: 'opencode', version: '0.5.29', help: opencodeHelp('') },
    { name: 'pi', version: '0.52.10', help: piHelp('') },
  ],
  fit: [
    { name: 'claude', version: '2.1.197', output: '2.1.197 (Claude Code)', help: claudeHelp(modes.new, '') },
    { name: 'claude', version: '2.1.330', output: '2.1.330 (Claude Code)', help: claudeHelp(modes.new, prompts) },
    { name: 'codex', version: '0.169.0', output: 'codex-cli 0.169.0', help: codexHelp(resume) },
    { name: 'gemini', version: '0.36.0', help: geminiHelp('"default", "yolo", "plan"', geminiSessions) },
    {
      name: 'gemini',
      version: '0.61.0',
      help: geminiHelp(
        '"default", "yolo", "plan"',
        `${geminiSessions}      --skip-trust                Trust the workspace.  [boolean]\n`,
      ),
    },
    {
      name: 'opencode',
      version: '1.18.33',
      help: opencodeHelp(
        '      --format      format: default (formatted) or json (raw JSON events)\n                [string] [choices: "default", "json"]\n',
      ),
    },
    { name: 'pi', version: '0.74.0', versionToStderr: true, help: piHelp(piFork) },
    { name: 'pi', version: '0.87.1', help: piHelp(piFork) },
  ],
};

/** The help of a version of that program that works. */
export function fitHelp(name: AgentName): string {
  return standIns.fit.findLast((row) => row.name === name)?.help ?? '';
}

/** A program that is there and has every option. */
export function fitProgram(path: string): AgentProgram {
  const options = new Set(programKinds.flatMap(({ needs }) => needs.optional.map(({ name }) => name)));
  return { path, probe: () => Promise.resolve({ version: '1.0', options }) };
}

const source = (node: string, { name, version, output, help, versionToStderr }: StandIn): string => {
  const { code, events, helpToStderr, refusal } = manners[name];
  const helpArgs = programKinds.find((kind) => kind.name === name)?.needs.helpArgs;
  return `#!${node}
const { appendFileSync } = require('node:fs');
const args = process.argv.slice(2);
appendFileSync(process.env.STAND_IN_LOG ?? '/dev/null', JSON.stringify(args) + '\\n');
const print = (stream, text) => { stream.write(text + '\\n'); process.exitCode = 0; };
const help = ${JSON.stringify(help)};
const knows = (flag) => help.split('\\n').some((line) => line.trim().startsWith('-') && line.trim().split(/  +/)[0].split(/[ ,]+/).includes(flag));
const unknown = args.filter((word) => /^-./.test(word)).map((word) => word.split('=')[0]).find((flag) => !knows(flag));
if (args.join() === '--version') print(process.${versionToStderr ? 'stderr' : 'stdout'}, ${JSON.stringify(output ?? version)});
else if (args.join() === ${JSON.stringify(helpArgs?.join())}) print(process.${helpToStderr ? 'stderr' : 'stdout'}, help);
else if (unknown) {
  console.error(${JSON.stringify(refusal('{flag}'))}.replace('{flag}', unknown));
  process.exitCode = ${code};
} else {
  process.stdin.resume().on('end', () => { for (const event of ${JSON.stringify(events)}) console.log(JSON.stringify(event)); });
}
`;
};

export interface PlantedStandIn {
  /** The program's path. */
  program: string;
  /** For its environment. */
  env: Record<string, string>;
  /** The arguments of each start so far. */
  starts(): Promise<string[][]>;
}

/** Puts the program into a folder; one of that name is replaced, as an installer does it. */
export async function plantStandIn(folder: string, standIn: StandIn): Promise<PlantedStandIn> {
  const log = join(folder, 'stand-in.log');
  const program = join(folder, standIn.name);
  await mkdir(folder, { recursive: true });
  await writeFile(log, '', { flag: 'a' });
  await writeFile(program, source(process.execPath, standIn));
  await chmod(program, 0o755);
  return {
    program,
    env: { STAND_IN_LOG: log },
    async starts() {
      const lines = (await readFile(log, 'utf8')).split('\n').filter(Boolean);
      return lines.map((line): string[] => JSON.parse(line));
    },
  };
}
