// Rows of conversations, as lists show them.
import type { LogPosition } from '../../../model/task/log-position.ts';

/** A word of a conversation: a prompt, a message, a question or an outcome. */
export interface LastWord {
  readonly conversationId: string;
  /** The beginning of it. */
  readonly text: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly position: LogPosition;
}

export interface Thread {
  readonly id: string;
  /** Title of its first task. */
  readonly title: string;
  /** Subjects that gave its tasks, and names of agents and workers that did them. */
  readonly participants: readonly string[];
  readonly openTasks: number;
}

export interface ThreadRows {
  /**
   * The last words of conversations, newest first.
   * @param page.before only conversations that have been silent since
   * @param page.scanLimit words that are scanned at most; `next` is where to continue, null at the end
   */
  lastWords(page: {
    limit: number;
    before: LogPosition | undefined;
    scanLimit: number;
  }): Promise<{ words: readonly LastWord[]; next: LogPosition | null }>;
  /** Reads the newest `taskLimit` tasks of each at most. */
  describe(conversationIds: readonly string[], taskLimit: number): Promise<readonly Thread[]>;
}
