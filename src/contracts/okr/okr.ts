// Wire shapes of objectives and key results. platform-4.
import { z } from 'zod';
import { id, pageQuery, timestamp } from '../common.ts';
import { taskTemplate } from '../schedules/task-template.ts';

export const okrStatus = z.enum(['draft', 'approved', 'running', 'completed', 'denied']);
export const keyResultStatus = z.enum(['not-started', 'in-progress', 'completed', 'blocked']);

const quantity = z.number().min(-1e15).max(1e15);
/** How the progress is found. `tasks`: the share of the tasks of its runs that completed. */
export const measure = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('manual') }),
  z.strictObject({
    kind: z.literal('number'),
    start: quantity,
    target: quantity,
    unit: z.string().min(1).max(50).optional(),
  }),
  z.strictObject({ kind: z.literal('milestone') }),
  z.strictObject({ kind: z.literal('tasks') }),
]);

const { conversation_id: _, prompt, ...sharedFields } = taskTemplate.shape;
/** The fields that the tasks of its runs share. A prompt here is added to that of each task. */
export const okrTaskTemplate = z.strictObject({ ...sharedFields, prompt: prompt.optional() });
export type OkrTaskTemplateWire = z.infer<typeof okrTaskTemplate>;

const title = z.string().min(1).max(500);
const weight = z.number().min(0).max(100);
const position = z.int().min(0).max(1_000_000);
const moveFields = {
  /** Only the measures manual and milestone take it. */
  progress: z.number().min(0).max(100).optional(),
  /** Only the measure number takes it. */
  current: quantity.optional(),
  status: keyResultStatus.optional(),
  status_reason: z.string().max(2_000).nullable().optional(),
};

export const newKeyResult = z.strictObject({
  title,
  weight: weight.default(1),
  measure: measure.default({ kind: 'manual' }),
  position: position.optional(),
  ...moveFields,
});

export const keyResultChange = z
  .strictObject({
    title: title.optional(),
    weight: weight.optional(),
    measure: measure.optional(),
    position: position.optional(),
    ...moveFields,
  })
  .meta({ minProperties: 1 });

export const keyResult = z.object({
  key_result_id: id,
  okr_id: id,
  title: z.string(),
  position: z.int(),
  weight: z.number(),
  measure,
  /** The last value of the measure number; null: none was reported. */
  current: z.number().nullable(),
  progress: z.number(),
  status: keyResultStatus,
  status_reason: z.string().nullable(),
  updated_at: timestamp,
});
export type KeyResultWire = z.infer<typeof keyResult>;

const objective = z.string().min(1).max(2_000);
const description = z.string().max(20_000);
const owner = z.string().min(1).max(200);
const targetDate = z.iso.date();
const tags = z.array(z.string().min(1).max(100)).max(50);
/** Most key results that an objective is created with. */
export const maxNewKeyResults = 20;

export const newOkr = z.strictObject({
  objective,
  description: description.optional(),
  /** The person or team that answers for it; the caller unless given. */
  owner: owner.optional(),
  target_date: targetDate.optional(),
  tags: tags.default([]),
  task_template: okrTaskTemplate.optional(),
  key_results: z.array(newKeyResult).max(maxNewKeyResults).default([]),
});

export const okrChange = z
  .strictObject({
    objective: objective.optional(),
    description: description.nullable().optional(),
    owner: owner.optional(),
    target_date: targetDate.nullable().optional(),
    tags: tags.optional(),
    task_template: okrTaskTemplate.nullable().optional(),
    status: okrStatus.optional(),
    /** Why it is approved or denied. */
    reason: z.string().min(1).max(2_000).optional(),
    /** The version that the caller has read; another one is refused with `changed_meanwhile`. */
    version: z.int().min(1).optional(),
  })
  .meta({ minProperties: 1 });

export const okr = z.object({
  okr_id: id,
  objective: z.string(),
  description: z.string().nullable(),
  status: okrStatus,
  owner: z.string(),
  target_date: z.string().nullable(),
  tags: z.array(z.string()),
  task_template: okrTaskTemplate.nullable(),
  /** The weighted mean of its key results. */
  progress: z.number(),
  key_results: z.array(keyResult),
  open_run_id: id.nullable(),
  decided_by: z.string().nullable(),
  decided_at: timestamp.nullable(),
  decision_reason: z.string().nullable(),
  created_by: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
  version: z.int(),
});
export type OkrWire = z.infer<typeof okr>;

export const okrQuery = z.strictObject({
  ...pageQuery,
  status: okrStatus.optional(),
  owner: owner.optional(),
  /** Found in the objective, whatever its case. */
  q: z.string().min(1).max(200).optional(),
});

export const okrAnswer = z.object({ okr });
export const okrPage = z.object({ okrs: z.array(okr), next_cursor: z.string().nullable() });
export const okrStats = z.object({
  total: z.int(),
  by_status: z.object({
    draft: z.int(),
    approved: z.int(),
    running: z.int(),
    completed: z.int(),
    denied: z.int(),
  }),
  /** Completed of all, as a fraction with 4 decimals; null without objectives. */
  completion_rate: z.number().nullable(),
});
export const keyResultAnswer = z.object({ key_result: keyResult });
export const keyResultList = z.object({ key_results: z.array(keyResult) });
