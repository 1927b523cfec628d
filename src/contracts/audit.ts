// Wire shapes of the audit routes. core-2.8 and core-4.7, choices-3.
import { z } from 'zod';
import { givenTime, id, pageQuery, timestamp } from './common.ts';

export const auditOutcome = z.enum(['success', 'failure', 'denied']);

/** The nine fields of the document, and those that link it to its chain. */
export const auditEvent = z.object({
  id,
  timestamp,
  actor: z.string(),
  action: z.string(),
  resource: z.string(),
  outcome: auditOutcome,
  metadata: z.record(z.string(), z.unknown()),
  ip: z.string().nullable(),
  session_id: z.string().nullable(),
  seq: z.int(),
  tenant_id: z.string(),
  prev_hash: z.string(),
  hash: z.string(),
});
export type AuditEventWire = z.infer<typeof auditEvent>;

export const auditPage = z.object({ events: z.array(auditEvent), next_cursor: z.string().nullable() });

export const auditListQuery = z.strictObject(pageQuery);

const filterText = z.string().min(1).max(500);

/** Every filter narrows the result. */
export const auditQuery = z.strictObject({
  actor: filterText.optional(),
  action: filterText.optional(),
  /** Prefix: a path matches everything below it. */
  resource: filterText.optional(),
  outcome: auditOutcome.optional(),
  /** From this time on (inclusive), and before that one (exclusive). */
  from: givenTime.optional(),
  to: givenTime.optional(),
  /** The task that the entry is about: named by its metadata, or by its resource. */
  task_id: id.optional(),
  request_id: filterText.optional(),
  /** As in the entry's metadata: `key:<id>`, `token:<name>`. */
  credential: filterText.optional(),
  ...pageQuery,
});

const chainVerdict = {
  ok: z.boolean(),
  /** Entries that are intact. */
  entries: z.int(),
  /** Hash of the last intact entry. */
  head: z.string().nullable(),
  first_bad_seq: z.int().optional(),
};

/** This replica's chain, and every known chain. */
export const auditVerdict = z.object({
  ...chainVerdict,
  chains: z.array(
    z.object({
      chain: z.string(),
      ...chainVerdict,
      checked: z.enum(['file', 'database']),
      reason: z.string().optional(),
      file: z.string().optional(),
      line: z.int().optional(),
    }),
  ),
});
