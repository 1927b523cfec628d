// The one door without a credential: probes ask whether the service lives and can serve. document 1 §4.1.
import type { FastifyInstance } from 'fastify';
import type { Store } from '../domain/ports/store.ts';

/** `GET /health` is 200 while the process lives; with `?ready` it is 503 while it cannot serve. choices §1. */
export function mountHealth(app: FastifyInstance, options: { readonly store: Store; readonly version: string }): void {
  const { store, version } = options;
  app.get('/health', async (request, reply) => {
    const ready = await store.ping().then(
      () => true,
      () => false,
    );
    const asksReady = new URL(request.url, 'http://localhost').searchParams.has('ready');
    if (!ready && asksReady) reply.code(503).header('retry-after', '2');
    return { status: ready ? 'ok' : 'degraded', version };
  });
}
