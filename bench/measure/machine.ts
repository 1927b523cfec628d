// Facts about the machine that a reader needs to judge the figures.
import { availableParallelism, cpus, totalmem, type } from 'node:os';

export interface MachineFacts {
  readonly command: string;
  readonly date: string;
  readonly node: string;
  readonly cores: number;
  readonly processor: string;
  readonly memoryGib: number;
  readonly system: string;
}

/** @param args of the script that made the run */
export function machineFacts(
  script: 'bench' | 'bench:workers' | 'bench:runs' | 'bench:ui',
  args: readonly string[],
  at: Date,
): MachineFacts {
  return {
    command: `npm run ${script}${args.length === 0 ? '' : ` -- ${args.join(' ')}`}`,
    date: at.toISOString().slice(0, 10),
    node: process.version,
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${process.arch}`,
  };
}
