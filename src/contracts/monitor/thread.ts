// Wire shapes of the list of conversations. ui-6.18.1.
import { z } from 'zod';
import { pageQuery, timestamp } from '../common.ts';

export const thread = z.object({
  /** The conversation's id. */
  id: z.string(),
  /** Title of its first task. */
  title: z.string(),
  /** Subjects that gave its tasks, and names of agents and workers that did them. */
  participants: z.array(z.string()),
  /** The newest prompt, message, question or outcome; `text` is its beginning. */
  last_message: z.object({ text: z.string(), at: timestamp }),
  /** Tasks that are not over yet. */
  open_tasks: z.int(),
});

export const threadQuery = z.strictObject(pageQuery);
/** Latest message first. A page may be shorter than `limit` and still have a `next_cursor`. */
export const threadPage = z.object({ threads: z.array(thread), next_cursor: z.string().nullable() });
