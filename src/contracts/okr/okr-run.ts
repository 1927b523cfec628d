// Wire shapes of the runs of objectives, and of the report that an agent leaves. platform-4.
import { z } from 'zod';
import { id, pageQuery, timestamp } from '../common.ts';
import { keyResultStatus, okrTaskTemplate } from './okr.ts';

export const okrRunStatus = z.enum(['pending', 'running', 'completed', 'failed', 'cancelled']);
const runMode = z.enum(['parallel', 'sequential']);

export const newOkrRun = z.strictObject({
  /** Every open key result unless given. */
  key_result_ids: z.array(id).min(1).max(100).optional(),
  /** `parallel`: a task for each at once; `sequential`: one after the other. */
  mode: runMode.default('parallel'),
  instructions: z.string().min(1).max(20_000).optional(),
  /** Laid over the template of the objective. */
  task_template: okrTaskTemplate.optional(),
});

export const okrRunItem = z.object({
  key_result_id: id,
  task_id: id.nullable(),
  /** `unreported`: the task completed without a valid report. */
  status: z.enum(['pending', 'running', 'completed', 'unreported', 'failed', 'cancelled']),
  summary: z.string().nullable(),
  evidence: z.array(z.string()),
  progress_before: z.number(),
  progress_after: z.number().nullable(),
});

export const okrRun = z.object({
  run_id: id,
  okr_id: id,
  status: okrRunStatus,
  mode: runMode,
  items: z.array(okrRunItem),
  instructions: z.string().nullable(),
  created_by: z.string(),
  created_at: timestamp,
  ended_at: timestamp.nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type OkrRunWire = z.infer<typeof okrRun>;

export const okrRunQuery = z.strictObject({ ...pageQuery, status: okrRunStatus.optional() });
export const okrRunAnswer = z.object({ run: okrRun });
export const okrRunPage = z.object({ runs: z.array(okrRun), next_cursor: z.string().nullable() });

/** The artifact `okr-progress` of an agent. */
export const okrReport = z
  .object({
    summary: z.string(),
    evidence: z.array(z.string()),
    progress: z.number().min(0).max(100).optional(),
    current: z.number().optional(),
    status: keyResultStatus.optional(),
  })
  .refine(({ progress, current }) => progress === undefined || current === undefined, {
    error: 'at most one of progress and current',
  });
