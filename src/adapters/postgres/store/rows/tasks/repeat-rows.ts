// Rows of idempotency keys, and of messages by their senders' ids, to recognise repeated requests. Row-level security limits
// them to the tenant.
import type { RepeatRows, RepeatVerdict } from '../../../../../domain/ports/store/repeats.ts';
import type { IdempotencyKey } from '../../../../../domain/ports/store/queue.ts';
import type { Scope } from '../scope.ts';

/** @param keyHours how long a key is kept: an older key is free again */
export function repeatRows(scope: Scope, keyHours: number): RepeatRows {
  return {
    async findByKey(subject, { operation, key, bodyHash }) {
      const [row] = await scope.query<{ task_id: string; body_hash: string }>(
        'repeat_of_key',
        `select task_id, body_hash from idempotency_keys where tenant_id = $1 and subject = $2 and operation = $3
           and key = $4 and created_at >= now() - make_interval(hours => $5)`,
        [scope.tenantId, subject, operation, key, keyHours],
      );
      if (row === undefined) return { verdict: 'new' };
      return row.body_hash === bodyHash ? { verdict: 'repeated', taskId: row.task_id } : { verdict: 'key_reused' };
    },
    async claimKey(id, subject, key) {
      const [row] = await scope.query<{ v: { verdict: 'replayed' | 'key_reused'; task_id: string } | null }>(
        'claim_key',
        `select claim_idempotency_keys($1, jsonb_build_array(jsonb_build_object('id', $2::uuid, 'created_by', $3::text,
           'idempotency', $4::jsonb)), '{}', make_interval(hours => $5)) -> ($2::uuid)::text as v`,
        [scope.tenantId, id, subject, keyJson(key), keyHours],
      );
      const claimed = row?.v ?? null;
      if (claimed === null) return { verdict: 'new' };
      return claimed.verdict === 'replayed'
        ? { verdict: 'repeated', taskId: claimed.task_id }
        : { verdict: 'key_reused' };
    },
    async claimMessage(taskId, subject, { messageId, parts }, key) {
      const [row] = await scope.query<{ v: { verdict: RepeatVerdict['verdict']; task_id?: string } }>(
        'message_seen',
        'select message_seen($1, $2, $3, $4, make_interval(hours => $5), $6, $7) as v',
        [scope.tenantId, taskId, subject, keyJson(key), keyHours, messageId, JSON.stringify(parts)],
      );
      const { verdict = 'missing', task_id: earlier = taskId } = row?.v ?? {};
      return verdict === 'repeated' ? { verdict, taskId: earlier } : { verdict };
    },
  };
}

function keyJson(given: IdempotencyKey | undefined): string | null {
  if (given === undefined) return null;
  const { operation, key, bodyHash } = given;
  return JSON.stringify({ operation, key, body_hash: bodyHash });
}
