// Rows that recognise repeated calls, whose first answers were lost.
import type { Part } from '../../model/task/task.ts';
import type { IdempotencyKey } from './queue.ts';

export type RepeatVerdict =
  | { readonly verdict: 'new' | 'key_reused' | 'missing' }
  | {
      readonly verdict: 'repeated';
      /** The task of the earlier call; of `claimKey` what that call created. */
      readonly taskId: string;
    };

export interface RepeatRows {
  /** Whether a call with this key was answered before; does not claim the key. */
  findByKey(subject: string, key: IdempotencyKey): Promise<RepeatVerdict>;
  /**
   * Claims a key for what a call is about to create. A concurrent equal call waits, and is then a repeat.
   * @param id of what it creates
   */
  claimKey(id: string, subject: string, key: IdempotencyKey): Promise<RepeatVerdict>;
  /**
   * Whether this message to a task was accepted before: with the same key, or with the same id and text. A new message
   * claims the key. The task is locked until the transaction ends, so that only one of two equal messages is new.
   */
  claimMessage(
    taskId: string,
    subject: string,
    message: { readonly messageId: string; readonly parts: readonly Part[] },
    key: IdempotencyKey | undefined,
  ): Promise<RepeatVerdict>;
}
