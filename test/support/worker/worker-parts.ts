// What the tests of the worker's parts are given: a task, an assignment, a log that is kept.
import { randomUUID } from 'node:crypto';
import type { AssignmentWire, WorkerTask } from '../../../src/contracts/worker.ts';
import { createLog } from '../../../src/worker/base/log.ts';
import type { WorkerLog } from '../../../src/worker/base/log.ts';
import type { WorkerRegistration } from '../../../src/worker/service/registration.ts';

export function buildWorkerTask(fields: Partial<WorkerTask> = {}): WorkerTask {
  const at = '2026-01-02T03:04:05.678Z';
  return {
    id: randomUUID(),
    title: 'a task',
    prompt: 'do it',
    status: 'running',
    agent_type: null,
    model: null,
    priority: 0,
    codebase_id: 'global',
    worker_id: null,
    target_agent: null,
    target_worker_id: null,
    required_capabilities: [],
    conversation_id: null,
    created_by: 'editor',
    created_at: at,
    updated_at: at,
    started_at: at,
    completed_at: null,
    run_id: randomUUID(),
    attempt: 1,
    max_attempts: 3,
    deadline_at: null,
    webhook_url: null,
    result: null,
    error: null,
    usage: null,
    retry_of: null,
    metadata: {},
    messages: [],
    ...fields,
  };
}

export function buildAssignment(task: WorkerTask = buildWorkerTask()): AssignmentWire {
  return { task, lease_token: randomUUID(), lease_expires_at: '2026-01-02T03:05:05.678Z' };
}

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
export function createStandingRegistration(): WorkerRegistration & { invalidations: () => number } {
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
