// Liveness and readiness for probes: the only endpoint without authentication. core-4.1.
import type { FastifyInstance } from 'fastify';
import type { Store } from '../../domain/ports/store/store.ts';

export interface HealthOptions {
  readonly store: Store;
  readonly version: string;
  /** False while changes are rejected because they cannot be audited. */
  readonly isAuditHealthy: () => boolean;
  /** True once the service is draining: it still answers, but proxies should use another replica. */
  readonly draining: () => boolean;
  /** False while the sandbox is unavailable, so that signed tools are not run. */
  readonly areToolsHealthy: () => Promise<boolean>;
  /** True: mails, conversions and publish steps wait since a restore. */
  readonly areSendsHeld: () => Promise<boolean>;
  /** Undefined where no base backups are taken. */
  readonly backup: () => 'ok' | 'failing' | undefined;
}

/** `GET /health` is 200 while the process runs; with `?ready` it is 503 while the service cannot serve. choices-1. */
export function mountHealth(app: FastifyInstance, options: HealthOptions): void {
  const { store, version, isAuditHealthy, areToolsHealthy, areSendsHeld, draining } = options;
  app.get('/health', async (request, reply) => {
    const reachable = await store.ping().then(
      () => true,
      () => false,
    );
    const ready = reachable && !draining();
    const checksReadiness = new URL(request.url, 'http://localhost').searchParams.has('ready');
    if (!ready && checksReadiness) reply.code(503).header('retry-after', '2');
    const backup = options.backup();
    const isHealthy = ready && isAuditHealthy() && backup !== 'failing' && (await areToolsHealthy());
    return {
      status: isHealthy ? 'ok' : 'degraded',
      version,
      ...(backup !== undefined && { backup }),
      ...(reachable && (await areSendsHeld()) && { sends: 'held_by_restore' }),
    };
  });
}
