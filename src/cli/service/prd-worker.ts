// The worker that `serve` runs beside the service for PRD chats alone, where a model endpoint is configured. runs-13.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withoutServiceSecrets } from '../../server/config/setting-layers.ts';
import { loadSettings } from '../../worker/settings/settings.ts';
import { workerSources } from '../flags/worker-flags.ts';
import type { CliIo } from '../core/io.ts';
import { startWorkerProcess } from '../worker/worker-process.ts';

export interface PrdWorkerPlace {
  readonly url: string;
  readonly token: string;
  readonly dataDir: string;
  readonly logFormat: string | undefined;
}

export interface PrdWorker {
  /** Drains it and removes its folder. */
  stop(): Promise<void>;
  kill(): void;
}

/**
 * Starts the worker: the agent `model`, which reads an empty folder.
 * @throws SettingsError for a malformed setting of the model
 */
export async function startPrdWorker(io: CliIo, place: PrdWorkerPlace): Promise<PrdWorker> {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-prd-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const env = workerEnvironment(io, folder, place);
  try {
    await loadSettings(workerSources({ ...io, env }, {}));
  } catch (error) {
    await remove();
    throw error;
  }
  const worker = startWorkerProcess({
    command: [io.process.execPath, io.entry, 'worker'],
    env,
    cwd: io.cwd,
    note: (line) => io.err(`PRD chats: ${line}\n`),
  });
  return {
    async stop() {
      await worker.stop();
      await remove();
    },
    kill: () => worker.kill(),
  };
}

/** Settings of other workers of this machine do not apply to it. */
function workerEnvironment(
  { env, hostname }: CliIo,
  folder: string,
  { url, token, dataDir, logFormat }: PrdWorkerPlace,
): NodeJS.ProcessEnv {
  const others = Object.entries(withoutServiceSecrets(env)).filter(
    ([name]) => !name.startsWith('A2A_WORKER_') && name !== 'SWITCHYARD_TOKEN_FILE',
  );
  return {
    ...Object.fromEntries(others),
    ...(logFormat !== undefined && { LOG_FORMAT: logFormat }),
    A2A_SERVER_URL: url,
    SWITCHYARD_TOKEN: token,
    DATA_DIR: dataDir,
    // One for each service of a machine.
    A2A_WORKER_NAME: `prd-chat-${hostname}-${new URL(url).port}`,
    A2A_WORKER_PRD_ONLY: 'true',
    A2A_WORKER_GLOBAL: folder,
    A2A_WORKER_SLOTS: '4',
    A2A_WORKER_MODEL_SHELL: 'off',
    A2A_AGENT_BIN: 'model',
  };
}
