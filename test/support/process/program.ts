// Runs the command line as processes of its own: started, watched line by line, stopped, and never left behind.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../until.ts';
import { compileCache } from './compile-cache.ts';

const root = path.resolve(import.meta.dirname, '../../..');
export const sourceEntry = path.join(root, 'src', 'cli.ts');

export interface ProgramOptions {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Added to a bare environment in which no agent program is found. */
  readonly env?: Readonly<Record<string, string>>;
  /** The program that runs the arguments; the command line from its sources by default. */
  readonly command?: readonly [string, ...string[]];
  /** Its standard input is over at once, unless it stays open to be written to. */
  readonly input?: 'open';
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** A folder of one's own, removed with all in it. */
export async function temporaryFolder(name = 'switchyard test '): Promise<AsyncDisposable & { path: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), name));
  const remove = async (): Promise<void> =>
    rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  return { path: folder, [Symbol.asyncDispose]: remove };
}

/** A running program. Disposing it ends it and waits; what does not end is killed, its group too. */
export class Program implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly ended: Promise<Ended>;
  out = '';
  err = '';

  constructor({ args, cwd, env, command = [process.execPath, sourceEntry], input }: ProgramOptions) {
    const [program, ...first] = command;
    this.#child = spawn(program, [...first, ...args], {
      cwd,
      env: { ...bareEnvironment(), ...env },
      // A group of its own, as a terminal gives one: Ctrl-C is a signal to the group.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.out += text));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.err += text));
    this.#child.stdin?.on('error', () => undefined);
    if (input === undefined) this.#child.stdin?.end();
    this.ended = this.#watch();
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('the program did not start');
    return this.#child.pid;
  }

  get #isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The first match in what it prints, now or when it comes. @throws when it ends before, or takes too long */
  async printed(pattern: RegExp, timeoutMs = 90_000): Promise<RegExpExecArray> {
    const findMatch = (): RegExpExecArray | undefined => pattern.exec(this.out) ?? pattern.exec(this.err) ?? undefined;
    return until(
      String(pattern),
      () => {
        const found = findMatch();
        if (found === undefined && this.#isOver)
          throw new Error(`it ended before ${String(pattern)}: ${this.#printed()}`);
        return found;
      },
      timeoutMs,
    );
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  write(text: string): void {
    this.#child.stdin?.write(text);
  }

  /** Its input is over, where it was open. */
  endInput(): void {
    this.#child.stdin?.end();
  }

  /** As Ctrl-C does: to every process of the group. */
  interrupt(): void {
    process.kill(-this.pid, 'SIGINT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOver) this.#child.kill('SIGTERM');
    const timer = setTimeout(() => process.kill(-this.pid, 'SIGKILL'), 60_000);
    await this.ended;
    clearTimeout(timer);
  }

  async #watch(): Promise<Ended> {
    await once(this.#child, 'close');
    const { exitCode, signalCode } = this.#child;
    return { code: exitCode, signal: signalCode, out: this.out, err: this.err };
  }

  #printed(): string {
    return `${this.out.slice(-2000)}\n${this.err.slice(-2000)}`;
  }
}

/** Runs a command to its end. */
export async function run(args: readonly string[], options: Omit<ProgramOptions, 'args'>): Promise<Ended> {
  await using program = new Program({ args, ...options });
  return await program.ended;
}

/** Nothing of the test run's own: npm's variables would say where the user stands. */
export function bareEnvironment(): Record<string, string> {
  const { HOME = '/', TMPDIR = tmpdir() } = process.env;
  return { PATH: '/usr/bin:/bin', HOME, TMPDIR, LC_ALL: 'C.UTF-8', ...compileCache };
}

/** Below all ports that systems hand out to whoever names none; a part of them for each process of a test run. */
const [lowestPort, portsOfEach] = [20_000, 3_000];
let portsTried = Math.floor(Math.random() * portsOfEach);

/** A port that is free, and stays so until a test uses it, and while what listened there is started again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const share = (Number(process.env['VITEST_POOL_ID'] ?? 0) % 4) * portsOfEach;
    const port = lowestPort + share + ((portsTried += 1) % portsOfEach);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}

export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  /** As every user of the machine can read it. */
  readonly command: string;
}

/** Processes of this machine now. Linux only. */
export async function processes(): Promise<ProcessFacts[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const facts = await Promise.all(
    pids.map(async (pid) => {
      const [stat, command] = await Promise.all(
        ['stat', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
      );
      // The program's name, in brackets, may hold anything; after it come state and parent.
      const [state, parent] = (stat ?? '').slice((stat ?? '').lastIndexOf(')') + 2).split(' ');
      return { pid, parent: Number(parent), state, command: (command ?? '').replaceAll('\0', ' ') };
    }),
  );
  return facts.filter(({ state }) => state !== undefined && state !== '' && state !== 'Z');
}

/** A process and all below it. */
export async function processTreeOf(pid: number): Promise<ProcessFacts[]> {
  const all = await processes();
  const tree = all.filter((one) => one.pid === pid);
  for (const one of tree) tree.push(...all.filter(({ parent }) => parent === one.pid));
  return tree;
}

/** Those of these processes that still run. */
export async function living(pids: readonly number[]): Promise<ProcessFacts[]> {
  return (await processes()).filter(({ pid }) => pids.includes(pid));
}
