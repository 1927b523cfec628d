// Wire shapes of the monitor family and of the health probe. document 1 §2.7, choices §1.
import { z } from 'zod';
import { timestamp } from './common.ts';
import { workerStatus } from './worker.ts';

/** Entry of `GET /v1/monitor/workers`, as document 1 §2.7 has it: `codebases` is a count. */
export const monitorWorkers = z.object({
  workers: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      status: workerStatus,
      last_heartbeat: timestamp,
      codebases: z.int(),
      tasks_completed: z.int(),
    }),
  ),
});

export const stats = z.object({
  tasks: z.object({
    pending: z.int(),
    running: z.int(),
    needs_input: z.int(),
    completed: z.int(),
    failed: z.int(),
    cancelled: z.int(),
  }),
  workers: z.object({ active: z.int(), offline: z.int(), slots: z.int(), busy: z.int() }),
  codebases: z.int(),
  /** Age in seconds of the oldest pending task; null when none waits. */
  oldest_pending_seconds: z.number().nullable(),
});

export const health = z.object({ status: z.enum(['ok', 'degraded']), version: z.string() });
