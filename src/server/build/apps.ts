// The two servers, the main one and that of the tool protocol, and how they are closed.
import type { FastifyInstance } from 'fastify';
import type { Hallway } from '../../http/pipeline/admit.ts';
import { createApp } from '../../http/app.ts';
import type { BuildOptions } from './build-options.ts';
import type { Ground } from './ground.ts';

export interface Apps {
  readonly app: FastifyInstance;
  readonly toolApp: FastifyInstance;
}

/** @param leaving true once the service is about to stop */
export function openApps(
  { config, log }: BuildOptions,
  { metrics, tracer }: Ground,
  { hallway, leaving }: { hallway: Hallway; leaving: () => boolean },
  closing: AsyncDisposableStack,
): Apps {
  const stopping = new AbortController();
  const options = {
    hallway,
    stopping: stopping.signal,
    leaving,
    trustedProxies: config.trustedProxies,
    maxBodyBytes: config.maxBodyBytes,
    tracer,
    answered: (operation: string, status: number) => metrics.answered(operation, status),
    log,
  };
  const apps = { app: createApp(options), toolApp: createApp(options) };
  closing.defer(() => closeApps(Object.values(apps), stopping));
  return apps;
}

/** Milliseconds that calls under way have to be answered when the service stops. */
const patienceMs = 5_000;

/** Takes no more calls, ends the streams, answers what is under way; then closes what is left. */
async function closeApps(apps: readonly FastifyInstance[], stopping: AbortController): Promise<void> {
  stopping.abort();
  const cut = setTimeout(() => apps.forEach(({ server }) => server.closeAllConnections()), patienceMs);
  await Promise.all(apps.map((app) => app.close()));
  clearTimeout(cut);
}
