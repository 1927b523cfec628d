// Rows of what happens in a tenant: changes of status and messages of all tasks, and changes of workers, runs and attention.
import type { ConversationMessage } from '../../model/conversation.ts';
import type { LogPosition } from '../../model/task/log-position.ts';
import type { AttentionKind } from '../../model/attention.ts';
import type { RunStatus } from '../../model/run/run-state.ts';
import type { TaskStatus } from '../../model/task/task-state.ts';
import type { WorkerStatus } from '../../model/worker.ts';

interface TaskEntryBase {
  readonly taskId: string;
  readonly conversationId: string | null;
  readonly title: string;
  /** The subject that created the task. */
  readonly createdBy: string;
  readonly seq: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly position: LogPosition;
  /** The prompt, message or result, up to the requested length; null when there is none. */
  readonly text: string | null;
  /** True when `text` is only the beginning. */
  readonly cut: boolean;
}

export type LogEntry = TaskEntry | ChangeEntry;

type TaskEntry =
  | (TaskEntryBase & {
      readonly type: 'status';
      readonly status: TaskStatus;
      readonly codebaseId: string | null;
      readonly attempt: number;
      /** Names the question in `text`. */
      readonly questionId: string | null;
    })
  | (TaskEntryBase & { readonly type: 'message'; readonly role: 'user' | 'agent' });

interface ChangeEntryBase {
  /** The subject that owns the thing. */
  readonly createdBy: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly position: LogPosition;
}

/** A change of something that is no task. */
export type ChangeEntry =
  | (ChangeEntryBase & {
      readonly type: 'worker';
      readonly workerId: string;
      readonly name: string;
      readonly status: WorkerStatus;
    })
  | (ChangeEntryBase & {
      readonly type: 'run';
      readonly runId: string;
      readonly project: string;
      readonly status: RunStatus;
    })
  | (ChangeEntryBase & {
      readonly type: 'attention';
      readonly kind: AttentionKind;
      readonly id: string;
      readonly state: 'open' | 'closed';
    });

export interface LogRequest {
  readonly limit: number;
  /** `status`: changes of status of tasks only; `all`: messages, and changes of what is no task, too. */
  readonly what: 'status' | 'all';
  /** Only entries of these tasks. */
  readonly taskIds?: readonly string[] | undefined;
  /** Characters of each text. */
  readonly textLength: number;
}

export interface LogPage {
  /** In the order of the log. */
  readonly entries: readonly LogEntry[];
  /** Everything up to here is final: later writes come after it. */
  readonly end: LogPosition;
  /** True: there are entries after `end`, which become readable when an older transaction ends. */
  readonly beyond: boolean;
}

export interface LogRows {
  /**
   * Entries after a position, up to the oldest transaction still running: no entry can appear before that later.
   * @param from a position, or a time (ISO 8601): entries at that time and later
   */
  after(from: LogPosition | { readonly time: string }, request: LogRequest): Promise<LogPage>;
  /** The newest entries. */
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
   * @param page.scanLimit events that are scanned at most; `next` is where to continue, null at the end
   */
  search(
    filter: MessageFilter,
    page: { limit: number; before: LogPosition | undefined; scanLimit: number },
  ): Promise<{ messages: PositionedMessage[]; next: LogPosition | null }>;
  /** Whether any task belongs to it. */
  hasConversation(conversationId: string): Promise<boolean>;
}
