// The workers of a chaos test: processes that are killed and started again under their names.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild, type Child, type ChildProgram } from '../processes/child.ts';

export const slotsOfEach = 4;

export interface WorkerFleetOptions {
  readonly size: number;
  /** The address of the service. */
  readonly url: string;
  /** The program of the worker of this number. */
  readonly program: (i: number) => Exclude<ChildProgram, 'service'>;
  /** How far its clock stands apart from the machine's, in milliseconds. */
  readonly clockOffsetMs?: (i: number) => number;
  /** Further settings of the worker program. */
  readonly env?: Record<string, string>;
}

export class WorkerFleet implements AsyncDisposable {
  readonly #options: WorkerFleetOptions;
  readonly #stateDir: string;
  #workers: readonly Child[] = [];
  /** How many lines each had printed when its channel was last replaced. */
  #since: readonly number[] = [];

  private constructor(options: WorkerFleetOptions, stateDir: string) {
    this.#options = options;
    this.#stateDir = stateDir;
  }

  /** Resolves when each is registered. */
  static async start(options: WorkerFleetOptions): Promise<WorkerFleet> {
    const fleet = new WorkerFleet(options, await mkdtemp(join(tmpdir(), 'switchyard-fleet-')));
    fleet.#workers = await Promise.all(Array.from({ length: options.size }, (_, i) => fleet.#start(i)));
    fleet.#since = fleet.#workers.map(() => 0);
    return fleet;
  }

  get size(): number {
    return this.#workers.length;
  }

  nameOf(i: number): string {
    return `worker-${i % this.size}`;
  }

  /** kill -9; resolves when one of its name is registered again. */
  async kill(i: number): Promise<void> {
    const at = i % this.size;
    await this.#workers[at]?.kill();
    this.#workers = this.#workers.with(at, await this.#start(at));
    this.#since = this.#since.with(at, 0);
  }

  /** Channels that stand now do not count any more. */
  forgetChannels(): void {
    this.#since = this.#workers.map(({ printedLines }) => printedLines.length);
  }

  /** Whether the push channel of every worker stands. */
  get allUp(): boolean {
    return this.#workers.every(({ printedLines }, i) => {
      const at = printedLines.findLastIndex((line) => line === 'up' || line === 'down');
      return printedLines[at] === 'up' && at >= (this.#since[i] ?? 0);
    });
  }

  async #start(i: number): Promise<Child> {
    const { url, program, clockOffsetMs, env } = this.#options;
    const stateDir = join(this.#stateDir, String(i));
    const own = { CHAOS_URL: url, CHAOS_TOKEN: 'token-of-the-agent', CHAOS_NAME: `worker-${i}`, CHAOS_STATE: stateDir };
    const child = { ...own, CHAOS_SLOTS: String(slotsOfEach), ...env };
    return startChild(program(i), child, clockOffsetMs?.(i));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.kill()));
    await rm(this.#stateDir, { recursive: true, force: true });
  }
}
