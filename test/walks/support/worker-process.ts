// `switchyard worker` with the agent `command` as a process: started, stopped, killed, suspended, and started again.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Program } from '../../support/process/program.ts';
import { suspendProcess } from '../../support/process/suspend-process.ts';
import { tokenOf, type Subject } from './credentials.ts';
import { installedCommand } from './service-process.ts';

export interface WorkerOptions {
  /** Its own name in the tenant. */
  readonly name: string;
  readonly as?: Subject;
  /** The address of the service as the worker has it. */
  readonly url: string;
  /** Everything of it lies below; paths below `roots` may be named over the API. */
  readonly folder: string;
  readonly roots: string;
  readonly codebases?: readonly { path: string; codebase_id?: string; exclusive?: boolean; name?: string }[];
  /** The folder that it offers as `global`; none by default. */
  readonly global?: string;
  readonly slots?: number;
  readonly capabilities?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export class WalkWorker implements AsyncDisposable {
  readonly #options: WorkerOptions;
  readonly #printed: string[] = [];
  #program: Program | undefined;
  /** As the service names it. */
  id = '';

  private constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** Resolves when the service knows it. */
  static async start(options: WorkerOptions): Promise<WalkWorker> {
    await mkdir(options.folder, { recursive: true });
    const worker = new WalkWorker(options);
    await worker.start();
    return worker;
  }

  get name(): string {
    return this.#options.name;
  }

  get printed(): string {
    const now = this.#program;
    return [...this.#printed, ...(now === undefined ? [] : [now.out, now.err])].join('\n');
  }

  /** The first match in what it printed in its present life, now or when it comes. */
  async logged(pattern: RegExp): Promise<void> {
    await this.#running().printed(pattern);
  }

  async start(): Promise<void> {
    const { folder, codebases = [], global = false, slots = 1, capabilities, url, roots, env } = this.#options;
    const settings = { codebases, global, slots, ...(capabilities !== undefined && { capabilities }) };
    const [config, token] = [path.join(folder, 'worker.json'), path.join(folder, 'token')];
    await writeFile(config, JSON.stringify(settings));
    await writeFile(token, tokenOf(this.#options.as ?? 'agent'), { mode: 0o600 });
    const args = ['worker', '--config', config, '--server-url', url, '--token-file', token];
    const allowed = { A2A_AGENT_BIN: 'command', A2A_WORKER_ALLOW_COMMAND: 'true', A2A_WORKER_CODEBASE_ROOTS: roots };
    const usual = { A2A_WORKER_NAME: this.name, A2A_WORKER_KILL_GRACE_SECONDS: '1', ...allowed };
    this.#program = new Program({ command: installedCommand, args, cwd: folder, env: { ...usual, ...env } });
    await this.#program.printed(/registered/);
    this.id = /"worker":"([^"]+)"/.exec(this.#program.err)?.[1] ?? '';
  }

  /** SIGTERM, as a service manager stops it. @returns its exit code */
  async stop(): Promise<number | null> {
    const program = this.#running();
    program.signal('SIGTERM');
    await program.ended;
    return this.#over(program);
  }

  async kill(): Promise<void> {
    const program = this.#running();
    program.signal('SIGKILL');
    await program.ended;
    await this.#over(program);
  }

  /** Suspended, as a laptop that is shut. */
  async suspend(): Promise<void> {
    await suspendProcess(this.#running().pid);
  }

  wake(): void {
    this.#running().signal('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const program = this.#program;
    if (program === undefined) return;
    program.signal('SIGCONT');
    await program[Symbol.asyncDispose]();
    await this.#over(program);
  }

  #running(): Program {
    if (this.#program === undefined) throw new Error(`the worker ${this.name} does not run`);
    return this.#program;
  }

  async #over(program: Program): Promise<number | null> {
    const { code, out, err } = await program.ended;
    this.#printed.push(out, err);
    this.#program = undefined;
    return code;
  }
}
