// The command `worker`: claims tasks from a service and runs agents on them.
import type { Command } from 'commander';
import { newCommand, type CommandContext } from '../core/command.ts';
import { exitCodes, type ExitCode } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { defaultLogFormat, printJson } from '../core/output.ts';
import { describeExposedSecrets } from '../process/exposed-secrets.ts';
import { workerDoctorCommand } from '../doctor/worker-doctor.ts';
import { withWorkerFlags, workerSources, type WorkerFlags } from '../flags/worker-flags.ts';
import { workerDrainCommand } from './worker-drain.ts';
import type { workerReadyMessage } from './worker-message.ts';
import { freeYoungHeap } from '../process/young-heap.ts';
import type { z } from 'zod';

export function workerCommand({ io, end }: CommandContext): Command {
  const command = newCommand('worker', 'run a worker, which claims tasks and runs agents on this machine');
  command.addCommand(workerDoctorCommand({ io, end }));
  command.addCommand(workerDrainCommand({ io, end }));
  return withWorkerFlags(command).action(async (flags: WorkerFlags) => {
    io.ignoreBrokenPipe();
    const { runWorker } = await import('../../worker/main.ts');
    const unlink = stopWithParent(io.process);
    const { version, fetch, process: signals } = io;
    const onReady = (workerId: string): void => {
      freeYoungHeap();
      announceReady(io, flags['json'] === true, workerId);
    };
    const logFormat = flags['json'] === true ? 'json' : defaultLogFormat(io);
    const shown = await describeExposedSecrets();
    const warnings = shown === undefined ? [] : [`${shown}; docs/SECURITY.md`];
    const sources = workerSources(io, flags);
    const code = await runWorker({ ...sources, version, fetch, signals, logFormat, warnings, onReady });
    unlink();
    end(toExitCode(code));
  });
}

function announceReady(io: CliIo, json: boolean, workerId: string): void {
  const message: z.output<typeof workerReadyMessage> = { event: 'ready', worker_id: workerId };
  if (io.process.connected) io.process.send?.(message);
  else if (json) printJson(io, message);
}

/** For a worker started by `up`: drains and exits when `up` is gone, however it ended. */
function stopWithParent(workerProcess: NodeJS.Process): () => void {
  if (!workerProcess.connected) return () => undefined;
  const onParentExit = (): void => {
    workerProcess.kill(workerProcess.pid, 'SIGTERM');
  };
  workerProcess.once('disconnect', onParentExit);
  // The channel must not keep the process alive by itself.
  workerProcess.channel?.unref();
  return () => workerProcess.off('disconnect', onParentExit);
}

function toExitCode(code: number): ExitCode {
  if (code === 0) return exitCodes.ok;
  if (code === 2) return exitCodes.usage;
  return code === 6 ? exitCodes.conflict : exitCodes.failed;
}
