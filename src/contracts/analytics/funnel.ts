// Wire shapes of funnels and of the count of people along one. platform-5.2.
import { z } from 'zod';
import { pageQuery, timestamp } from '../common.ts';

export const funnelId = z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/);
const scalar = z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]);
const step = z.strictObject({
  /** The name of the event unless given. */
  name: z.string().min(1).max(200).optional(),
  event: z.string().min(1).max(200),
  /** Properties that the event must have, each equal. */
  where: z.record(z.string().min(1).max(200), scalar).optional(),
});

export const funnelSettings = z.strictObject({
  name: z.string().min(1).max(200),
  steps: z.array(step).min(1).max(10),
  /** How long after the first step the last one may be. */
  window_hours: z.int().min(1).max(2_160).default(168),
});

export const funnel = z.object({
  funnel_id: z.string(),
  name: z.string(),
  steps: z.array(
    z.object({ name: z.string().optional(), event: z.string(), where: z.record(z.string(), scalar).optional() }),
  ),
  window_hours: z.int(),
  /** True for the funnel that is there from the start, until it is replaced. */
  built_in: z.boolean(),
  created_by: z.string().nullable(),
  created_at: timestamp.nullable(),
  updated_at: timestamp.nullable(),
});
export type FunnelWire = z.infer<typeof funnel>;

export const funnelAnswer = z.object({ funnel });
export const funnelListQuery = z.strictObject(pageQuery);
export const funnelPage = z.object({ funnels: z.array(funnel), next_cursor: z.string().nullable() });

export const funnelQuery = z.strictObject({
  funnel_id: funnelId.default('default'),
  days: z.int().min(1).max(365).default(7),
});

/** Fractions with four decimals; null where the denominator is 0. */
const rate = z.number().nullable();
export const funnelReport = z.object({
  funnel_id: z.string(),
  funnel_name: z.string(),
  /** The range of first steps: its beginning counts, its end does not. */
  date_range_start: timestamp,
  date_range_end: timestamp,
  window_hours: z.int(),
  total_entered: z.int(),
  total_converted: z.int(),
  overall_conversion_rate: rate,
  /** Times of people who reached the last step. */
  median_seconds_to_convert: z.number().nullable(),
  steps: z.array(
    z.object({
      step_name: z.string(),
      event_type: z.string(),
      /** People who reached it. */
      count: z.int(),
      /** Share of the people who reached the step before. */
      conversion_rate: rate,
      /** Share of the people who reached the first step. */
      overall_rate: rate,
      /** People who reached the step before and not this one. */
      dropped: z.int(),
    }),
  ),
});
export type FunnelReportWire = z.infer<typeof funnelReport>;
