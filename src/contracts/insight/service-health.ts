// Wire shape of the service's health. ui-6.13.
import { z } from 'zod';
import { timestamp } from '../common.ts';

/** `off`: not configured, which is no fault. `reason` is one sentence, null where there is nothing to say. */
const part = z.object({ status: z.enum(['ok', 'degraded', 'off']), reason: z.string().nullable() });

export const serviceHealth = z.object({
  status: z.enum(['ok', 'degraded']),
  /** The reasons of all degraded parts. */
  reasons: z.array(z.string()),
  /** The replica that answers. */
  replica: z.string(),
  replicas: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      host: z.string(),
      started_at: timestamp,
      last_seen_at: timestamp,
      status: z.enum(['ok', 'degraded']),
      reasons: z.array(z.string()),
    }),
  ),
  store: part,
  broker: part,
  policy: part,
  sandbox: part,
  audit: part,
  /** Base backups of the embedded database. */
  backup: part,
  /** Mails, conversions and publish steps, which wait after a restore. */
  sends: part,
  /** The Kubernetes Deployment that the service runs as, by its last check. */
  cluster: part,
  loops: z.array(
    part.extend({
      name: z.string(),
      leader: z.string().nullable(),
      interval_seconds: z.number(),
      last_tick_at: timestamp.nullable(),
    }),
  ),
  versions: part.extend({
    service: z.string(),
    node: z.string(),
    /** Null: the database did not answer in time. */
    database: z.string().nullable(),
    schema: z.string().nullable(),
    workers: z.array(z.object({ version: z.string(), workers: z.int() })),
  }),
});
