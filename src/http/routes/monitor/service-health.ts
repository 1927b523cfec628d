// The operation on the service's health, for people: every part with its reason. ui-6.13.
import type { z } from 'zod';
import { serviceHealth } from '../../../contracts/insight/service-health.ts';
import { readServiceHealth, type HealthDeps, type ServiceHealth } from '../../../domain/insight/service-health.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';

export function serviceHealthOperations(deps: HealthDeps): Operation[] {
  return [
    operation({
      name: 'monitor.service_health',
      method: 'GET',
      path: '/v1/monitor/service-health',
      summary: 'Get the health of every part, with reasons.',
      description: 'Each part has two seconds to answer. A part that is not configured is off.',
      permission: 'monitor:read',
      answers: { 200: serviceHealth },
      run: async (caller) => ({ status: 200, body: healthToWire(await readServiceHealth(deps, caller)) }),
    }),
  ];
}

function healthToWire(health: ServiceHealth): z.input<typeof serviceHealth> {
  const { status, reasons, replica, store, broker, policy, sandbox, audit, backup, sends, cluster, versions } = health;
  return {
    status,
    reasons: [...reasons],
    replica,
    replicas: health.replicas.map((one) => ({
      name: one.name,
      version: one.version,
      host: one.host,
      started_at: one.startedAt,
      last_seen_at: one.lastSeenAt,
      status: one.status,
      reasons: [...one.reasons],
    })),
    store,
    broker,
    policy,
    sandbox,
    audit,
    backup,
    sends,
    cluster,
    loops: health.loops.map((loop) => ({
      name: loop.name,
      leader: loop.leader ?? null,
      interval_seconds: loop.intervalSeconds,
      last_tick_at: loop.lastTickAt ?? null,
      status: loop.status,
      reason: loop.reason,
    })),
    versions: { ...versions, workers: [...versions.workers] },
  };
}
