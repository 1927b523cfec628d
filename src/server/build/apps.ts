// Opens and closes the two HTTP servers: the main one and that of the tool protocol.
import type { FastifyInstance } from 'fastify';
import type { RequestPipeline } from '../../http/pipeline/request-pipeline.ts';
import { createApp } from '../../http/app.ts';
import type { BuildOptions } from './build-options.ts';
import type { Services } from './services.ts';

export interface Apps {
  readonly app: FastifyInstance;
  readonly toolApp: FastifyInstance;
}

/** @param draining true once the service is about to stop */
export function openApps(
  { config, log }: BuildOptions,
  { metrics, tracer }: Services,
  { pipeline, draining }: { pipeline: RequestPipeline; draining: () => boolean },
  closing: AsyncDisposableStack,
): Apps {
  const stopping = new AbortController();
  const options = {
    pipeline,
    stopping: stopping.signal,
    draining,
    trustedProxies: config.trustedProxies,
    maxBodyBytes: config.maxBodyBytes,
    tracer,
    onResponse: (operation: string, status: number) => metrics.answered(operation, status),
    log,
  };
  const apps = { app: createApp(options), toolApp: createApp(options) };
  closing.defer(() => closeApps(Object.values(apps), stopping));
  return apps;
}

/** Milliseconds that running calls have to finish when the service stops. */
const closeTimeoutMs = 5_000;

/** Accepts no more calls, ends streams, lets running calls finish, then closes the remaining connections. */
async function closeApps(apps: readonly FastifyInstance[], stopping: AbortController): Promise<void> {
  stopping.abort();
  const cut = setTimeout(() => apps.forEach(({ server }) => server.closeAllConnections()), closeTimeoutMs);
  await Promise.all(apps.map((app) => app.close()));
  clearTimeout(cut);
}
