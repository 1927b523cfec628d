// Builds tasks and assignments as a worker receives them.
import { randomUUID } from 'node:crypto';
import type { AssignmentWire, WorkerTask } from '../../../src/contracts/worker.ts';

/** A task in its first attempt. Its ids are new in each call unless they are given. */
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

/** The assignment of a task, with a lease of one minute from its start. */
export function buildAssignment(task: WorkerTask = buildWorkerTask()): AssignmentWire {
  return { task, lease_token: randomUUID(), lease_expires_at: '2026-01-02T03:05:05.678Z' };
}
