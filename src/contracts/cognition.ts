// Wire shape of the service's own background loops. choices-10.
import { z } from 'zod';
import { timestamp } from './common.ts';

export const cognitionStatus = z.object({
  enabled: z.boolean(),
  /** False while this replica is stopping. */
  running: z.boolean(),
  loops: z.array(
    z.object({
      name: z.string(),
      /** The replica that runs it; null while there is none. For loops of every replica: the responding replica. */
      leader: z.string().nullable(),
      interval_seconds: z.number(),
      last_tick_at: timestamp.nullable(),
      last_error: z.string().nullable(),
      ticks: z.int(),
    }),
  ),
});
