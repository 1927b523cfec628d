// Runs `up`: the service, the local worker beside it, and the first task once the worker has registered.
import type { LoadedConfig } from '../../server/config/config.ts';
import { makeDataDir, writeCliFile, type CliFile } from '../core/cli-file.ts';
import { allCodebases } from '../task/codebases.ts';
import { buildFirstTask, programCommand } from '../task/first-task.ts';
import type { CliIo } from '../core/io.ts';
import type { LocalWorkerPlan } from './local-worker.ts';
import { printJson } from '../core/output.ts';
import type { Stoppable } from '../process/run-until-stopped.ts';
import { createCliServiceClient } from '../core/service-client.ts';
import { requestSignInCode } from '../service/sign-in-code.ts';
import { startService } from '../service/start-service.ts';
import { startWorkerProcess } from '../worker/worker-process.ts';

interface UpOptions {
  readonly loaded: LoadedConfig;
  readonly plan: LocalWorkerPlan;
  readonly json: boolean;
  readonly stop: AbortSignal;
}

/** Starts the service, then the worker. @throws StartError */
export async function startServiceAndWorker(io: CliIo, options: UpOptions): Promise<Stoppable> {
  const { loaded, plan, json, stop } = options;
  const { dataDir, tokens, logFormat } = loaded.config;
  await using opened = new AsyncDisposableStack();
  const service = await startService(io, loaded, { json, stop });
  opened.defer(() => service.stop());
  const token = tokens.find(({ credential }) => credential === 'service_token')?.token ?? '';
  await makeDataDir(dataDir);
  await writeCliFile(dataDir, { url: service.url, token });
  const isForPerson = !json && (io.terminal.out || loaded.generatedToken !== undefined);
  if (isForPerson) await printSignInAddress(io, { url: service.url, token });
  const worker = startWorkerProcess({
    command: [io.process.execPath, io.entry, ...plan.args],
    // One terminal shows both logs, in one format.
    env: { ...plan.env, A2A_SERVER_URL: service.url, ...(logFormat !== undefined && { LOG_FORMAT: logFormat }) },
    cwd: io.cwd,
    note: (line) => io.err(`${line}\n`),
  });
  const readyMessage = printReady(io, options, { url: service.url, token, ready: worker.ready });
  opened.defer(async () => {
    // In this order: the ready message waits for the worker, and ends when the worker does.
    await worker.stop();
    await readyMessage;
  });
  const running = opened.move();
  return {
    stop: () => running.disposeAsync(),
    kill() {
      worker.kill();
      service.kill();
    },
  };
}

/** Prints where a browser signs in without the token. A failure is printed and does not stop the service. ui-6.14. */
async function printSignInAddress(io: CliIo, connection: CliFile): Promise<void> {
  try {
    const { url } = await requestSignInCode(createCliServiceClient(connection, io));
    io.out(
      `  monitor   ${url}\n            (signs one browser in, within two minutes; switchyard open makes another)\n`,
    );
  } catch (error) {
    io.err(`Cannot make a sign-in address: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

/** Prints the first task once the worker has registered. A failure is printed and does not stop the service. */
async function printReady(
  io: CliIo,
  { plan, loaded, json, stop }: UpOptions,
  service: { url: string; token: string; ready: Promise<string | undefined> },
): Promise<void> {
  try {
    const workerId = await service.ready;
    if (workerId === undefined || stop.aborted) return;
    const codebases = await allCodebases(createCliServiceClient(service, io));
    const bound = codebases.filter(({ bindings }) =>
      bindings.some(({ worker_id, path }) => worker_id === workerId && path === plan.folder),
    );
    const codebaseId = bound.find(({ codebase_id }) => codebase_id !== 'global')?.codebase_id ?? 'global';
    const [agent] = plan.agents;
    const { dataDir } = loaded.config;
    const task = await buildFirstTask(io, { agent: agent?.name, codebaseId, dataDir, url: service.url });
    const facts = { workerId, codebaseId, task };
    if (json) printJson(io, readyRecord(plan, facts));
    else io.out(`${(await readyLines(io, plan, facts)).join('\n')}\n`);
  } catch (error) {
    io.err(`Cannot print a first task: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

interface Ready {
  readonly workerId: string;
  readonly codebaseId: string;
  readonly task: { readonly command: string; readonly curl: string };
}

function readyRecord(plan: LocalWorkerPlan, { workerId, codebaseId, task }: Ready): Record<string, unknown> {
  return {
    event: 'worker_ready',
    worker_id: workerId,
    agents: plan.agents.map(({ name, version }) => ({ name, version: version ?? null })),
    command_enabled: plan.commandEnabled,
    codebase_id: codebaseId,
    path: plan.folder ?? null,
    first_task: task,
  };
}

async function readyLines(io: CliIo, plan: LocalWorkerPlan, { codebaseId, task }: Ready): Promise<string[]> {
  return [
    `  worker    works on ${plan.folder ?? 'the codebases of its config'} (codebase ${codebaseId})`,
    ...agentLines(plan),
    '',
    'A first task, to paste into another terminal here:',
    '',
    task.command,
    '',
    'The same with curl:',
    '',
    task.curl,
    '',
    `All commands: ${await programCommand(io)} help. Ctrl-C stops.`,
  ];
}

function agentLines({ agents, commandEnabled }: LocalWorkerPlan): string[] {
  const install =
    'Install opencode, codex, claude, gemini or pi, or set A2A_AGENT_BIN or MODEL_PROVIDER_ENDPOINT, for agents that think.';
  if (commandEnabled) {
    return [
      '  agent     no agent program was found, so the agent "command" is enabled for this worker:',
      '            it runs the ```sh block of a prompt on this machine. A2A_WORKER_ALLOW_COMMAND=false forbids it.',
      `            ${install}`,
    ];
  }
  if (agents.length === 0) return [`  WARNING   no agent: tasks will fail. ${install}`];
  return [
    `  agent     ${agents.map(({ name, version }) => (version === undefined ? name : `${name} ${version}`)).join(', ')}`,
  ];
}
