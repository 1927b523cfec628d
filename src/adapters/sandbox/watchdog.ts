// Measures a run twenty times a second, and reports when it exceeds a limit.
import type { ToolLimits } from '../../domain/model/tool-limits.ts';
import type { KilledBy } from '../../domain/ports/sandbox.ts';
import { measureUsage } from './process-tree.ts';

const pollMs = 50;
const mebibyte = 1024 * 1024;
/** Tasks of the sandbox itself: its first process. */
const sandboxTasks = 1;

export class Watchdog implements Disposable {
  readonly #timer: NodeJS.Timeout;
  readonly #startedAt: number;
  #peakMemoryBytes = 0;
  #cpuMs = 0;

  /**
   * @param root first process of the run
   * @param over called at each measurement while the run exceeds a limit
   */
  constructor(
    run: { readonly root: number; readonly limits: ToolLimits; readonly elapsedMs: () => number },
    over: (why: KilledBy) => void,
  ) {
    const { root, limits, elapsedMs } = run;
    this.#startedAt = elapsedMs();
    const most = limits.memoryMb * mebibyte;
    this.#timer = setInterval(() => {
      const usage = measureUsage(root, most);
      if (usage !== undefined) {
        this.#peakMemoryBytes = Math.max(this.#peakMemoryBytes, usage.memoryBytes);
        // The CPU time of a process whose parent did not wait for it disappears: keep the highest sum.
        this.#cpuMs = Math.max(this.#cpuMs, usage.cpuMs);
        if (usage.memoryBytes > most) return over('memory');
        if (usage.tasks > limits.processes + sandboxTasks) return over('processes');
      }
      if (this.#cpuMs > limits.cpuSeconds * 1000) return over('cpu');
      if (elapsedMs() - this.#startedAt > limits.wallSeconds * 1000) over('time');
    }, pollMs);
  }

  get usage(): { peakMemoryBytes: number; cpuMs: number } {
    return { peakMemoryBytes: this.#peakMemoryBytes, cpuMs: this.#cpuMs };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
