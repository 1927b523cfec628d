// Wire shape of the release of what waits since a restore. platform-6.
import { z } from 'zod';
import { timestamp } from '../common.ts';

export const releaseAnswer = z.object({
  /** False: nothing waited. */
  released: z.boolean(),
  /** When the restore was made whose sends waited. */
  restored_at: timestamp.nullable(),
  /** The moment that the restored rows are of. */
  backup_at: timestamp.nullable(),
});
