// Runs `serve`: the service, and, where a model endpoint is configured, a worker that answers PRD chats.
import type { LoadedConfig } from '../../server/config/config.ts';
import type { CliIo } from '../core/io.ts';
import type { Stoppable } from '../process/run-until-stopped.ts';
import { startService } from './start-service.ts';

export interface ServeOptions {
  readonly loaded: LoadedConfig;
  /** The token of the worker for PRD chats; undefined: there is none. */
  readonly prdWorkerToken: string | undefined;
  readonly json: boolean;
  readonly stop: AbortSignal;
}

/** @throws StartError, SettingsError */
export async function startServing(
  io: CliIo,
  { loaded, prdWorkerToken, json, stop }: ServeOptions,
): Promise<Stoppable> {
  const service = await startService(io, loaded, { json, stop });
  const { runs, dataDir, logFormat } = loaded.config;
  if (prdWorkerToken === undefined || !runs.enabled) return service;
  await using opened = new AsyncDisposableStack();
  opened.defer(() => service.stop());
  const { startPrdWorker } = await import('./prd-worker.ts');
  const worker = await startPrdWorker(io, { url: service.url, token: prdWorkerToken, dataDir, logFormat });
  opened.defer(() => worker.stop());
  const running = opened.move();
  return {
    stop: () => running.disposeAsync(),
    kill() {
      worker.kill();
      service.kill();
    },
  };
}
