// What the domain asks of the store about the logs of all tasks of a tenant: what changed, and what was said.
import type { ConversationMessage } from '../../model/conversation.ts';
import type { LogPosition } from '../../model/task/log-position.ts';
import type { TaskStatus } from '../../model/task/task-state.ts';

interface EntryBase {
  readonly taskId: string;
  readonly conversationId: string | null;
  readonly title: string;
  readonly seq: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly position: LogPosition;
  /** What was asked, said or came out, as far as it was asked for; null when nothing was. */
  readonly text: string | null;
  /** True when `text` is only the beginning. */
  readonly cut: boolean;
}

export type LogEntry =
  | (EntryBase & { readonly type: 'status'; readonly status: TaskStatus; readonly codebaseId: string | null })
  | (EntryBase & { readonly type: 'message'; readonly role: 'user' | 'agent' });

export interface LogRequest {
  readonly limit: number;
  /** Changes of status alone, or messages too. */
  readonly what: 'status' | 'all';
  /** Of these tasks alone. */
  readonly taskIds?: readonly string[] | undefined;
  /** Characters of each text. */
  readonly textLength: number;
}

export interface LogPage {
  /** In the order of the log. */
  readonly entries: readonly LogEntry[];
  /** Up to here everything is final: what is written from now on comes after it. */
  readonly end: LogPosition;
  /** Something is written beyond the end already: it can be read as soon as an older transaction is over. */
  readonly beyond: boolean;
}

export interface LogRows {
  /**
   * What comes after a place, up to the oldest transaction still running: nothing can come up before it any more.
   * @param from a place, or a time (ISO 8601): its events and later ones
   */
  after(from: LogPosition | { readonly time: string }, request: LogRequest): Promise<LogPage>;
  /** The newest. */
  latest(request: LogRequest): Promise<LogPage>;
}

export interface PositionedMessage extends ConversationMessage {
  readonly position: LogPosition;
}

export interface MessageFilter {
  /** Words in the text, case-insensitive. */
  readonly text?: string | undefined;
  readonly conversationId?: string | undefined;
}

export interface MessageRows {
  /**
   * Newest first.
   * @param lookAt events that are looked at at most; `next` says where to go on, null at the end
   */
  search(
    filter: MessageFilter,
    page: { limit: number; before: LogPosition | undefined; scanLimit: number },
  ): Promise<{ messages: PositionedMessage[]; next: LogPosition | null }>;
  /** Whether some task belongs to it. */
  hasConversation(conversationId: string): Promise<boolean>;
}
