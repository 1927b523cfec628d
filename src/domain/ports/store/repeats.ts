// What the domain asks of the store about calls that come again because their answers were lost.
import type { Part } from '../../model/task/task.ts';
import type { IdempotencyKey } from './queue.ts';

export type RepeatVerdict =
  | { readonly verdict: 'new' | 'key_reused' | 'missing' }
  | {
      readonly verdict: 'repeated';
      /** Of the earlier call. */
      readonly taskId: string;
    };

export interface RepeatRows {
  /** Whether a call under this key was answered before; takes nothing. */
  findByKey(subject: string, key: IdempotencyKey): Promise<RepeatVerdict>;
  /**
   * Whether this message to a task was taken before: under the same key, or under its id and with the same words. One
   * that is new takes the key; the task is locked until the transaction ends, so that of two equal ones one is new.
   */
  claimMessage(
    taskId: string,
    subject: string,
    message: { readonly messageId: string; readonly parts: readonly Part[] },
    key: IdempotencyKey | undefined,
  ): Promise<RepeatVerdict>;
}
