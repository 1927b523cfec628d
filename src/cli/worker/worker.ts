// The command `worker`: claims tasks from a service and runs agents on them. Its subcommands check and drain a worker.
import type { Command } from 'commander';
import { newCommand, type CommandContext } from '../core/command.ts';
import { exitCodes, type ExitCode } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { defaultLogFormat, printJson, singleLine } from '../core/output.ts';
import { describeExposedSecrets } from '../process/exposed-secrets.ts';
import { workerDoctorCommand } from '../doctor/doctor.ts';
import { withWorkerFlags, workerSources, type WorkerFlags } from '../flags/worker-flags.ts';
import type { workerReadyMessage } from './worker-message.ts';
import { freeYoungHeap } from '../process/young-heap.ts';
import type { z } from 'zod';
import { workerAnswer } from '../../contracts/worker.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { byId, createCliServiceClient } from '../core/service-client.ts';
import { tenantHeaders, withTenantFlag, type TenantFlag } from '../flags/tenant-flag.ts';

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

function workerDrainCommand({ io, end }: CommandContext): Command {
  const command = newCommand('drain', 'give a worker no more tasks; it keeps what it runs until it registers anew');
  withTenantFlag(withConnection(command))
    .argument('<worker>', 'its id')
    .action(async (id: string, _own: object, subcommand: Command) => {
      // `worker` has flags of the same names, which take them where they stand before the word `drain`.
      const flags: ConnectionFlags & TenantFlag & { json?: true } = subcommand.optsWithGlobals();
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const call = client.api.POST('/v1/agent/workers/{id}/drain', {
        ...byId(id),
        body: {},
        headers: tenantHeaders(flags),
      });
      const { worker } = await client.read(call, workerAnswer);
      if (flags.json) printJson(io, { worker });
      else io.out(`drained ${worker.worker_id}  ${singleLine(worker.name)}, ${worker.running} running\n`);
      end(exitCodes.ok);
    });
  return command;
}
