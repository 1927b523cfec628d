// Finds the agent programs of this machine, or the one that the operator names. choices-5.
import { access, constants, stat } from 'node:fs/promises';
import { basename, delimiter, resolve } from 'node:path';
import { findSandbox } from '../sandboxed-fs/sandbox.ts';
import { acpAgent, acpPrograms } from './acp/acp-agent.ts';
import type { AgentAdapter } from './adapter/adapter.ts';
import { agentProgram, type AgentProgram, type ProgramProbe } from './programs/agent-program.ts';
import { commandAgent } from './programs/command.ts';
import { modelAgent } from './model/model-agent.ts';
import type { ModelSettings } from './model/model-settings.ts';
import { programAdapter, type ProgramKind } from './programs/program.ts';
import type { ProgramNeeds } from './programs/program-needs.ts';
import { programKinds } from './programs/programs.ts';
import { splitCommand, templateAdapter } from './programs/template.ts';
import { partitionUsable } from './programs/usable-agents.ts';

export interface DetectOptions {
  /** `agent_bin`: a name or a path, each with optional arguments, or a template. Undefined: search the PATH. */
  readonly agentBin?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** Whether the operator enabled the agent `command`. */
  readonly allowCommand: boolean;
  /** The endpoint of the agent `model`, and the `fetch` that calls it. Undefined: no such agent. */
  readonly model?: { settings: ModelSettings; fetch: typeof fetch } | undefined;
  /** Absolute paths of the worker itself; file requests of agents cannot reach them. */
  readonly hidden?: readonly string[];
}

/** A known agent program on this machine, and the result of its probe. */
export interface FoundProgram extends ProgramProbe {
  readonly name: string;
  readonly program: AgentProgram;
  /** Undefined for a program that only has to run. */
  readonly needs: ProgramNeeds | undefined;
}

/** The agent that the operator named is missing or cannot run. */
export class AgentMissing extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AgentMissing';
  }
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Searches the PATH for a bare name; anything with a slash is a path. */
async function locate(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const folders = name.includes('/') ? [''] : (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  for (const folder of folders) {
    // Absolute, because the program is started in another folder.
    const path = resolve(folder, name);
    if (await isProgram(path)) return path;
  }
  return undefined;
}

/**
 * Every known agent program on the PATH, including those that cannot be used.
 * @param deadlineMs how long each answer of a program may take
 */
export async function findAgentPrograms(env: NodeJS.ProcessEnv, deadlineMs?: number): Promise<FoundProgram[]> {
  const known = [...programKinds, ...acpPrograms.map(({ name }) => ({ name, needs: undefined }))];
  const found = await Promise.all(
    known.map(async ({ name, needs }) => {
      const path = await locate(name, env);
      if (path === undefined) return undefined;
      const program = agentProgram({ path, env, needs, deadlineMs });
      return { name, program, needs, ...(await program.probe()) };
    }),
  );
  return found.filter((program) => program !== undefined);
}

function baseName(program: string): string {
  return basename(program).replace(/\.(exe|cmd|js)$/, '');
}

function findProgramKind(program: string): ProgramKind | undefined {
  return programKinds.find((kind) => kind.name === baseName(program));
}

/** The adapter of a program known to speak the Agent Client Protocol; undefined for any other. */
function knownAcpAgent(
  [program, ...extra]: [string, ...string[]],
  version: string | undefined,
  hidden: readonly string[],
): AgentAdapter[] {
  const known = acpPrograms.find(({ name }) => name === baseName(program));
  if (known === undefined) return [];
  return [acpAgent({ name: known.name, argv: [program, ...known.args, ...extra], version, hidden })];
}

/** Prefix of a command whose program speaks the Agent Client Protocol. */
const acpPrefix = 'acp:';

async function namedAgent(agentBin: string, env: NodeJS.ProcessEnv, hidden: readonly string[]): Promise<AgentAdapter> {
  const speaksAcp = agentBin.startsWith(acpPrefix);
  const command = speaksAcp ? agentBin.slice(acpPrefix.length) : agentBin;
  // A path may contain spaces.
  const commandWords = (await isProgram(command)) ? [command] : splitCommand(command);
  const [name, ...extra] = commandWords ?? [];
  if (name === undefined) throw new AgentMissing(`agent_bin is not a command: ${agentBin}`);
  const program = await locate(name, env);
  if (program === undefined) throw new AgentMissing(`agent_bin: the program ${name} was not found`);
  if (speaksAcp) return acpAgent({ name: baseName(program), argv: [program, ...extra], version: undefined, hidden });
  const [known] = knownAcpAgent([program, ...extra], undefined, hidden);
  if (known !== undefined) return known;
  const kind = findProgramKind(program) ?? findProgramKind(name);
  if (kind === undefined || /\{(prompt|prompt_file|model)\}/.test(agentBin))
    return templateAdapter([program, ...extra]);
  const found = agentProgram({ path: program, env, needs: kind.needs });
  const { problem, version } = await found.probe();
  if (problem) throw new AgentMissing(`agent_bin: ${program} cannot be used: ${problem.message}`);
  return programAdapter(kind, found, extra, version);
}

/** Path of `bwrap`, if it is installed and works here. */
export async function locateSandbox(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const program = await locate('bwrap', env);
  return program !== undefined && (await findSandbox(program)).works ? program : undefined;
}

async function openModel(
  { settings, fetch }: NonNullable<DetectOptions['model']>,
  env: NodeJS.ProcessEnv,
  hidden: readonly string[],
): Promise<AgentAdapter> {
  return modelAgent(settings, { fetch, hidden, sandbox: await locateSandbox(env) });
}

/**
 * The agents of this worker, in order of preference, including those that `partitionUsable` rejects later.
 * @throws AgentMissing when the program of `agentBin` is missing or cannot be used
 */
export async function findAgents(options: DetectOptions): Promise<AgentAdapter[]> {
  const { agentBin, env, allowCommand, model, hidden = [] } = options;
  const models = model === undefined ? [] : [await openModel(model, env, hidden)];
  const built: AgentAdapter[] = [...models, ...(allowCommand ? [commandAgent] : [])];
  const named = built.find(({ name }) => name === agentBin);
  if (named !== undefined) return [named, ...built.filter((agent) => agent !== named)];
  if (agentBin !== undefined) return [await namedAgent(agentBin, env, hidden), ...built];
  const programs = (await findAgentPrograms(env)).flatMap(({ name, program, version, problem }) => {
    const kind = programKinds.find((row) => row.name === name);
    if (kind !== undefined) return [programAdapter(kind, program, [], version)];
    return problem === undefined ? knownAcpAgent([program.path], version, hidden) : [];
  });
  return [...programs, ...built];
}

/**
 * The agents that this worker can use, in order of preference.
 * @throws as `findAgents`
 */
export async function detectAgents(options: DetectOptions): Promise<AgentAdapter[]> {
  return (await partitionUsable(await findAgents(options))).usable;
}
