// The one door without a credential: probes ask whether the service lives and can serve. document 1 §4.1.
import type { FastifyInstance } from 'fastify';
import type { Store } from '../../domain/ports/store/store.ts';

export interface HealthOptions {
  readonly store: Store;
  readonly version: string;
  /** False while changes are refused because they could not be audited. */
  readonly auditWorks: () => boolean;
  /** True once the service is about to stop: it still answers, and asks proxies to turn elsewhere. */
  readonly leaving: () => boolean;
  /** False while tools that are signed could not be confined, and so are not run. */
  readonly toolsWork: () => Promise<boolean>;
}

/** `GET /health` is 200 while the process lives; with `?ready` it is 503 while it cannot serve. choices §1. */
export function mountHealth(app: FastifyInstance, options: HealthOptions): void {
  const { store, version, auditWorks, toolsWork, leaving } = options;
  app.get('/health', async (request, reply) => {
    const reachable = await store.ping().then(
      () => true,
      () => false,
    );
    const ready = reachable && !leaving();
    const asksReady = new URL(request.url, 'http://localhost').searchParams.has('ready');
    if (!ready && asksReady) reply.code(503).header('retry-after', '2');
    const works = ready && auditWorks() && (await toolsWork());
    return { status: works ? 'ok' : 'degraded', version };
  });
}
