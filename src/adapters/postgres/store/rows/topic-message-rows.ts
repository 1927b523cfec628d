// Rows of messages to components of the service. Row-level security limits them to the tenant; the statements have no condition for it.
import type { TaskStatus } from '../../../../domain/model/task/task-state.ts';
import type { TopicMessageRows } from '../../../../domain/ports/topics.ts';
import type { Scope } from './scope.ts';

interface MessageRow {
  readonly topic: string;
  readonly task_id: string;
  readonly status: TaskStatus;
  readonly seq: string;
  readonly tries: number;
}

export function topicMessageRows(scope: Scope): TopicMessageRows {
  return {
    async find(messageId) {
      const [row] = await scope.query<MessageRow & Record<string, unknown>>(
        'topic_message_find',
        'select topic, task_id, status, seq, tries from topic_messages where message_id = $1',
        [messageId],
      );
      if (row === undefined) return undefined;
      const { topic, task_id: taskId, status, seq, tries } = row;
      return { tenantId: scope.tenantId, messageId, topic, taskId, status, seq: Number(seq), tries };
    },
    async delete(messageId) {
      await scope.query('topic_message_delete', 'delete from topic_messages where message_id = $1', [messageId]);
    },
    async postpone(messageId, delaySeconds, error) {
      await scope.query(
        'topic_message_postpone',
        `update topic_messages set tries = tries + 1, last_error = left($3, 2000),
           due_at = clock_timestamp() + make_interval(secs => $2) where message_id = $1`,
        [messageId, delaySeconds, error],
      );
    },
  };
}
