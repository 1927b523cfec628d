// Messages to components of the service that created tasks: one for each time such a task comes to rest.
import type { TaskStatus } from '../model/task/task-state.ts';

/** A task that came to rest: it ended, or it needs input. */
export interface TopicMessage {
  readonly tenantId: string;
  readonly messageId: string;
  readonly topic: string;
  readonly taskId: string;
  /** The status that the task had then; it may have moved on since. */
  readonly status: TaskStatus;
  /** The number of the event in the task's log. */
  readonly seq: number;
  /** Failed attempts to handle it. */
  readonly tries: number;
}

export interface DueTopicMessage {
  readonly tenantId: string;
  readonly messageId: string;
}

export interface TopicMessageRows {
  find(messageId: string): Promise<TopicMessage | undefined>;
  /** Deletes a message that was handled. */
  delete(messageId: string): Promise<void>;
  /** Makes a message due again after a delay, and counts a failed attempt. */
  postpone(messageId: string, delaySeconds: number, error: string): Promise<void>;
}
