// Wire shapes of what waits for a person.
import { z } from 'zod';
import { pageQuery, timestamp } from '../common.ts';

export const attentionKind = z.enum([
  'task_question',
  'run_question',
  'approval',
  'dead_delivery',
  'run_failed',
  'worker_gone',
  'budget',
]);

export const attentionItem = z.object({
  kind: attentionKind,
  /** Names the task, question, approval, delivery, run, worker or budget. */
  id: z.string(),
  title: z.string(),
  /** The task or run that it belongs to; null for a worker. */
  about: z.object({ kind: z.enum(['task', 'run']), id: z.string() }).nullable(),
  /** The question, or what went wrong. */
  text: z.string(),
  /** Answers to choose from; absent where the item does not ask, or any text answers it. */
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  asked_at: timestamp,
  /** The page that shows it, as a path on this service. */
  link: z.string(),
});

const oneKind = attentionKind.options.join('|');

export const attentionQuery = z.strictObject({
  ...pageQuery,
  /** Kinds, separated by commas. Absent: all. */
  kinds: z
    .string()
    .max(200)
    .regex(new RegExp(`^(${oneKind})(,(${oneKind}))*$`))
    .optional(),
});
/** Newest first. */
export const attentionPage = z.object({ items: z.array(attentionItem), next_cursor: z.string().nullable() });

export const dismissedAnswer = z.object({ dismissed: z.literal(true), id: z.string() });
