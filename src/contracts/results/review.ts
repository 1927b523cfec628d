// Wire shapes of reviews: comments on a task's changes, their draft, and the follow-up that sends them. ui-6.6.
import { z } from 'zod';
import { id, label, timestamp } from '../common.ts';

const maxComments = 2000;
const lineNumber = z.int().min(1).max(1_000_000_000);

/** Without `path` it is on the whole change, without `line` on the file. */
const reviewComment = z.strictObject({
  path: z.string().min(1).max(4096).optional(),
  side: z.enum(['new', 'old']).optional(),
  line: lineNumber.optional(),
  end_line: lineNumber.optional(),
  quote: z.string().max(100_000).optional(),
  text: z.string().max(100_000),
});

export const reviewDraft = z.strictObject({
  comments: z.array(reviewComment).max(maxComments),
  viewed: z.array(z.string().min(1).max(4096)).max(10_000).optional(),
});

/** `updated_at` is null before there is a draft. */
export const reviewAnswer = z.object({
  review: z.object({
    comments: z.array(reviewComment),
    viewed: z.array(z.string()),
    updated_at: timestamp.nullable(),
  }),
});

export const followUpRequest = z.strictObject({
  message: z.string().max(200_000).optional(),
  comments: z
    .array(reviewComment.extend({ text: z.string().min(1).max(100_000) }))
    .max(maxComments)
    .default([]),
  agent: label.optional(),
  worker: id.optional(),
});
