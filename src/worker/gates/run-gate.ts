// Runs one command of a repository as a gate: confined, without terminal and input, bounded in time, memory and output.
import { randomUUID } from 'node:crypto';
import { cp, mkdir, realpath, rm } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { runChild } from '../process/child.ts';
import { BoundedText } from '../process/bounded-text.ts';
import type { AttemptContainment } from '../process/containment.ts';
import { attemptTagVariable } from '../process/environment.ts';
import { cleanText } from '../process/text.ts';
import { buildSandboxCommand } from '../sandboxed-fs/sandbox.ts';
import { watchMemory } from './memory-watch.ts';
import { nodePreload } from './node-preload.ts';

/** The confinement of a repository's commands. */
export type GateConfinement =
  /** In bubblewrap, at this path. */
  | { readonly kind: 'confined'; readonly program: string }
  /** With the worker's own rights, without its credentials. */
  | { readonly kind: 'unconfined' };

/** The properties that all commands of one step share. */
export interface GateMachine {
  readonly confinement: GateConfinement;
  /** The attempt's folder, where each command gets a temporary folder of its own. */
  readonly folder: string;
  readonly contained: AttemptContainment;
  /** The worker's environment without credentials. */
  readonly env: NodeJS.ProcessEnv;
  /** Absolute paths that a confined command does not see. */
  readonly hidden: readonly string[];
  readonly killGraceMs: number;
  readonly memoryBytes: number;
  readonly signal: AbortSignal;
}

export interface GateCommand {
  readonly command: string;
  /** The working tree. Absolute, with links resolved. */
  readonly path: string;
  /** Folders outside the tree that git reads there. */
  readonly gitFolders: readonly string[];
  readonly timeoutMs: number;
  readonly network: boolean;
  /** A folder whose content the command finds in its home; undefined: the home is empty. */
  readonly home?: string | undefined;
  /** The folder that keeps the home afterwards; undefined: it is removed. */
  readonly keepHome?: string | undefined;
  /** Node programs load the preload of gates first. */
  readonly preload: boolean;
}

export interface GateRun {
  /** Null: it was ended by a signal or a limit. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly seconds: number;
  /** The beginning and the end of what it printed. */
  readonly output: string;
}

const keptChars = 200_000;
const plainNames = /^(LANG|LANGUAGE|LC_\w+|TZ)$/;

/** Confined: what programs need to be found and to print. Unconfined: the worker's own without credentials. */
function gateEnvironment(machine: GateMachine, { path, preload }: GateCommand, home: string): NodeJS.ProcessEnv {
  const { env, confinement, contained } = machine;
  const isConfined = confinement.kind === 'confined';
  const kept = Object.entries(env).filter(([name]) => !isConfined || plainNames.test(name));
  return {
    ...Object.fromEntries(kept),
    // A relative entry would find programs of the repository.
    PATH: (env['PATH'] ?? '').split(delimiter).filter(isAbsolute).join(delimiter),
    ...(isConfined ? { HOME: home } : {}),
    TMPDIR: home,
    PWD: path,
    CI: '1',
    NO_COLOR: '1',
    FORCE_COLOR: '0',
    TERM: 'dumb',
    GOFLAGS: '-modcacherw',
    NODE_OPTIONS: preload ? nodePreload : '',
    [attemptTagVariable]: contained.tag,
  };
}

async function commandLine(machine: GateMachine, run: GateCommand, folder: string): Promise<[string, ...string[]]> {
  const shell: [string, ...string[]] = ['sh', '-c', run.command];
  if (machine.confinement.kind === 'unconfined') return shell;
  // Names are resolved by a file that may lie in a hidden folder.
  const resolver = run.network ? await realpath('/etc/resolv.conf').catch(() => undefined) : undefined;
  const sandbox = await buildSandboxCommand({
    program: machine.confinement.program,
    path: run.path,
    gitFolders: [...run.gitFolders, ...(resolver === undefined ? [] : [resolver])],
    folder,
    hidden: machine.hidden,
    network: run.network,
    env: machine.env,
  });
  return [...sandbox, ...shell];
}

function lastLine(overMemory: boolean, timedOut: boolean, { timeoutMs }: GateCommand, memoryBytes: number): string {
  if (overMemory) return `\n[ended: it used more than ${Math.round(memoryBytes / 1024 / 1024)} MB of memory]\n`;
  return timedOut ? `\n[ended after ${timeoutMs / 1000} s, its time limit]\n` : '';
}

/**
 * Runs a command with `sh -c` and ends everything that it started, daemons included.
 * @throws the reason of the machine's signal; system errors of this machine
 */
export async function runGateCommand(machine: GateMachine, run: GateCommand): Promise<GateRun> {
  const { contained, killGraceMs, memoryBytes, signal } = machine;
  signal.throwIfAborted();
  const folder = join(machine.folder, `gate-${randomUUID()}`);
  const home = join(folder, 'tmp');
  await mkdir(home, { recursive: true, mode: 0o700 });
  try {
    if (run.home !== undefined) await cp(run.home, home, { recursive: true, verbatimSymlinks: true });
    const limit = AbortSignal.timeout(run.timeoutMs);
    using memory = watchMemory(contained, memoryBytes);
    const output = new BoundedText(keptChars);
    const started = performance.now();
    const { exit, stopped } = await runChild({
      argv: await commandLine(machine, run, folder),
      cwd: run.path,
      env: gateEnvironment(machine, run, home),
      contained,
      stdin: undefined,
      killGraceMs,
      signal: AbortSignal.any([signal, limit, memory.exceeded]),
      onText: (_, text) => {
        output.take(text);
        return Promise.resolve();
      },
    });
    signal.throwIfAborted();
    if (exit.kind === 'missing') throw new Error(`sh was not started: ${exit.reason}`);
    if (run.keepHome !== undefined) await cp(home, run.keepHome, { recursive: true, verbatimSymlinks: true });
    const overMemory = memory.exceeded.aborted;
    const timedOut = stopped && !overMemory;
    return {
      exitCode: stopped || exit.kind === 'signalled' ? null : exit.code,
      timedOut,
      seconds: Math.round(performance.now() - started) / 1000,
      output: cleanText(output.text()) + lastLine(overMemory && stopped, timedOut, run, memoryBytes),
    };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
