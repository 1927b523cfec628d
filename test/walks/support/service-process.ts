// `switchyard serve` as a process, on ports and a data folder that it keeps when it is started again.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { freePort, Program } from '../../support/process/program.ts';

/** The command line as an installation has it. */
export const switchyard = path.resolve(import.meta.dirname, '../../../bin/switchyard.js');
export const installedCommand: readonly [string, string] = [process.execPath, switchyard];

interface ServiceOptions {
  /** It stands in here; its data are in `.switchyard` below. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

export class ServiceProcess implements AsyncDisposable {
  readonly #options: ServiceOptions;
  readonly #ports: readonly [number, number];
  readonly #printed: string[] = [];
  #program: Program | undefined;

  private constructor(options: ServiceOptions, ports: readonly [number, number]) {
    this.#options = options;
    this.#ports = ports;
  }

  /** Resolves when it serves. */
  static async start(options: ServiceOptions): Promise<ServiceProcess> {
    await mkdir(options.folder, { recursive: true });
    const service = new ServiceProcess(options, [await freePort(), await freePort()]);
    await service.start();
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#ports[0]}`;
  }

  get toolUrl(): string {
    return `http://127.0.0.1:${this.#ports[1]}`;
  }

  get dataDir(): string {
    return path.join(this.#options.folder, '.switchyard');
  }

  /** Everything that it has printed in all its lives. */
  get printed(): string {
    const now = this.#program;
    return [...this.#printed, ...(now === undefined ? [] : [now.out, now.err])].join('\n');
  }

  async start(): Promise<void> {
    const [port, toolPort] = this.#ports;
    const args = ['serve', '--port', String(port), '--mcp-port', String(toolPort)];
    this.#program = new Program({ command: installedCommand, args, cwd: this.#options.folder, env: this.#options.env });
    await this.#program.printed(/is running/);
  }

  /** SIGTERM. @throws Error when it does not end with 0 */
  async stop(): Promise<void> {
    const ended = await this.#end('SIGTERM');
    if (ended !== undefined && ended !== 0) throw new Error(`the service ended with ${ended}:\n${this.printed}`);
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<number | undefined> {
    const program = this.#program;
    if (program === undefined) return undefined;
    program.signal(signal);
    await program[Symbol.asyncDispose]();
    const { code, out, err } = await program.ended;
    this.#printed.push(out, err);
    this.#program = undefined;
    return code ?? undefined;
  }
}
