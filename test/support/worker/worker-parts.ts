// Parts for tests of the worker: a registration, a recorded log.
import { randomUUID } from 'node:crypto';
import { createLog, type WorkerLog } from '../../../src/worker/base/log.ts';
import type { WorkerRegistration } from '../../../src/worker/service/registration.ts';

export interface RecordedLog {
  log: WorkerLog;
  text(): string;
}

export function openRecordedLog(): RecordedLog {
  const lines: string[] = [];
  const log = createLog({ level: 'debug', format: 'pretty', write: (line) => lines.push(line) });
  return { log, text: () => lines.join('') };
}

/** A registration that stands, with leases of 60 s and a heartbeat every 20 s. */
export function createStandingRegistration(): Pick<WorkerRegistration, 'current' | 'fresh' | 'invalidate'> & {
  invalidations: () => number;
} {
  const registered = {
    workerId: randomUUID(),
    leaseMs: 60_000,
    heartbeatMs: 20_000,
    routeKeys: new Set<string>(),
    features: new Set<string>(),
  };
  let invalidations = 0;
  return {
    current: () => registered,
    fresh: () => Promise.resolve(registered),
    invalidate: () => void (invalidations += 1),
    invalidations: () => invalidations,
  };
}
