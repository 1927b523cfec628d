// Wire shapes of the changes that people make to a run: cancel, pause, answer, guidance; and of its events. runs-6.1, runs-6.2.
import { z } from 'zod';
import { id, label, timestamp } from '../common.ts';
import { newBudget } from './create-run.ts';
import { storyId } from './run.ts';

export const cancelRunRequest = z.strictObject({ reason: z.string().max(2000).optional() });
export const pauseRunRequest = z.strictObject({ mode: z.enum(['after_step', 'now']).default('after_step') });

/** The members beside `choice` are those of the options: runs-5. */
export const answerRequest = z.strictObject({
  question_id: id,
  choice: z.string().min(1).max(100).optional(),
  /** For `unverifiable`: a choice for each criterion, by its index. */
  choices: z.record(z.string().regex(/^\d{1,3}$/), z.string().min(1).max(100)).optional(),
  text: z.string().max(200_000).optional(),
  agent: label.optional(),
  commit: z
    .string()
    .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/)
    .optional(),
  branch: z.string().min(1).max(200).optional(),
  /** For `raise`: by how much each bound of the budget grows. */
  usd: newBudget.shape.usd,
  tokens: newBudget.shape.tokens,
  seconds: newBudget.shape.seconds,
  iterations: newBudget.shape.iterations,
});

export const guidanceRequest = z.strictObject({ text: z.string().min(1).max(8192), story_id: storyId.optional() });
export const guidanceAnswer = z.object({ learning_id: id, intervention_ids: z.array(id) });

export const runEventType = z.enum([
  'run',
  'story',
  'step',
  'gate',
  'evidence',
  'learning',
  'question',
  'answer',
  'landed',
  'budget',
  'published',
  'environment_differs',
]);
/** `seq` counts from 1 without gaps within its run. */
export const runEvent = z.object({
  seq: z.int().min(1),
  type: runEventType,
  at: timestamp,
  data: z.record(z.string(), z.unknown()),
});
export type RunEventWire = z.infer<typeof runEvent>;
/** `next` is the `after` of the next call. */
export const runEventPage = z.object({ events: z.array(runEvent), next: z.int() });
