// The worker as a program: reads its settings, runs, and stops on a signal. Called by the command line.
import { openTracer } from '../telemetry/open-tracer.ts';
import { AgentMissing } from './agents/detect.ts';
import { findContainment } from './process/find-containment.ts';
import { withoutCredentials } from './process/environment.ts';
import { systemClock } from './base/clock.ts';
import { createLog, type WorkerLog } from './base/log.ts';
import { describeError, ServiceRefusal } from './base/service-error.ts';
import { loadSettings } from './settings/settings.ts';
import { SettingsError } from './settings/settings-error.ts';
import type { SettingsSources } from './settings/settings-layers.ts';
import { startWorker, type WorkerHandle } from './worker.ts';
import type { LogFormat } from '../lib/log/levels.ts';
import { WorkerRunsAlready } from './worker-lock.ts';

export interface RunWorkerOptions extends SettingsSources {
  readonly version: string;
  /** Used unless the settings name a format. */
  readonly logFormat: LogFormat;
  /** Gets every log line; default: stderr. */
  readonly write?: (text: string) => void;
  readonly fetch: typeof fetch;
  /** Warnings about how the worker was started, for the log. */
  readonly warnings?: readonly string[];
  /** The source of signals: the process. */
  readonly signals: Pick<NodeJS.Process, 'on' | 'off'>;
  /** Called with the worker's id after its registration. */
  readonly onReady?: (workerId: string) => void;
}

/** Exit codes of the worker. `taken`: another worker of this name runs on this machine. */
const workerExit = { ended: 0, broke: 1, cannotStart: 2, taken: 6 } as const;

const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Runs a worker until a signal ends it: the first drains it, a second stops it at once.
 * @returns the exit code: 0 ended by a signal, 1 failed, 2 cannot start with these settings, 6 another worker of this
 * name runs
 */
export async function runWorker(options: RunWorkerOptions): Promise<number> {
  const output = { format: options.logFormat, write: options.write };
  try {
    const { settings } = await loadSettings(options);
    output.format = settings.logFormat ?? output.format;
    const log = createLog({ level: settings.logLevel, ...output });
    for (const line of options.warnings ?? []) log.warn(line);
    const { env, fetch, hostname, version } = options;
    await using tracer = await openTracer(settings.traces, {
      version,
      instanceId: `${hostname}/${settings.workerName}`,
      log: (line, details) => log.warn({ ...toLogFields(details) }, line),
    });
    const { containment, found, remedy } = await findContainment(
      withoutCredentials({ env, passEnv: settings.agentEnv }),
    );
    if (containment.kind === 'none') log.warn(`${found}. ${remedy}`);
    const worker = startWorker(settings, {
      containment,
      env,
      fetch,
      hostname,
      version,
      clock: systemClock,
      random: Math.random,
      log,
      tracer,
    });
    return await untilEnd(worker, options, log);
  } catch (error) {
    createLog({ level: 'error', ...output }).error(describeError(error));
    if (error instanceof WorkerRunsAlready) return workerExit.taken;
    const hopeless = [SettingsError, AgentMissing, ServiceRefusal].some((kind) => error instanceof kind);
    return hopeless ? workerExit.cannotStart : workerExit.broke;
  }
}

function toLogFields(details: unknown): object {
  return typeof details === 'object' && details !== null ? details : {};
}

async function untilEnd(worker: WorkerHandle, { signals, onReady }: RunWorkerOptions, log: WorkerLog): Promise<number> {
  let signalCount = 0;
  const ending = new Set<Promise<void>>();
  const onSignal = (signal: NodeJS.Signals): void => {
    signalCount += 1;
    log.info(signalCount === 1 ? `${signal}: draining; signal again to stop at once` : `${signal}: stopping at once`);
    ending.add(signalCount === 1 ? worker.drain() : worker[Symbol.asyncDispose]());
  };
  for (const signal of endSignals) signals.on(signal, onSignal);
  try {
    // A failure before it is ready is reported by `done`.
    worker.ready.then(onReady, () => undefined);
    await worker.done;
    await Promise.all(ending);
    return workerExit.ended;
  } finally {
    for (const signal of endSignals) signals.off(signal, onSignal);
  }
}
