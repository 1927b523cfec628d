// Shapes that every wire shares: ids, times, lists, the problem body.
import { z } from 'zod';

/**
 * An id the service made: a UUID of version 7 (of a lease: 4). In lower case alone, as we write it: one thing has one
 * id, wherever ids are compared as text. choices-3.
 */
export const id = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  .meta({ format: 'uuid' });

/** ISO 8601 in UTC with milliseconds, e.g. `2026-01-02T03:04:05.678Z`. choices-3. */
export const timestamp = z.iso.datetime();

/** A time a caller gives: ISO 8601 with `Z` or a numeric offset. */
export const givenTime = z.iso.datetime({ offset: true });

/** Free JSON of a caller, an object; its size (16 KiB) is checked by the verb. choices-3. */
export const metadata = z.record(z.string(), z.unknown());

/** Names that select: one capability, agent, model. */
export const label = z.string().min(1).max(200);

/** `limit` and `cursor` of every list. choices-3. */
export const pageQuery = {
  limit: z.int().min(1).max(200).default(50),
  cursor: z.string().min(1).max(500).optional(),
};

/** RFC 9457 problem, the error body of every REST family. choices-3. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  request_id: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** Of `event_gap`: the number of the event that should have come. */
  expected: z.int().optional(),
});
export type Problem = z.infer<typeof problem>;
