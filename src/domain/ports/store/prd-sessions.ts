// The port of the rows of PRD chats. Every writer holds the row lock of its session; every member sees one tenant.
import type { PrdSession, PrdTurn, PrdVersion } from '../../model/prd/prd-session.ts';
import type { Page } from './page.ts';

export type NewPrdSession = Pick<PrdSession, 'id' | 'codebaseId' | 'title' | 'createdBy'> & {
  /** A UUID of version 7: its place in lists. */
  readonly listedId: string;
};

export type PrdSessionChange = Partial<Pick<PrdSession, 'status' | 'version' | 'ready' | 'title'>>;
export type PrdTurnChange = Partial<
  Pick<PrdTurn, 'text' | 'questions' | 'status' | 'madeVersion' | 'isRepair' | 'warnings' | 'taskId'>
>;

export interface ListedPrdSession {
  readonly session: PrdSession;
  /** Continues a list after it. */
  readonly listedId: string;
}

export interface PrdSessionRows {
  /** @returns false when a session of that id exists already */
  create(session: NewPrdSession): Promise<boolean>;
  find(id: string): Promise<PrdSession | undefined>;
  /** Locks the session until the transaction ends. */
  lock(id: string): Promise<PrdSession | undefined>;
  /** Newest first. */
  list(codebaseId: string | undefined, page: Page): Promise<ListedPrdSession[]>;
  update(id: string, change: PrdSessionChange): Promise<void>;
  delete(id: string): Promise<void>;
  /** Deletes sessions that nobody has changed for that long; one whose answer is under way stays. @returns how many */
  dropUnchanged(olderThanDays: number, limit: number): Promise<number>;
  /** Oldest first. */
  turns(id: string): Promise<PrdTurn[]>;
  /**
   * Adds the next turn; a turn of a person is counted as a message.
   * @param messageId of a turn of a person: what an idempotency key leads to
   * @returns its number
   */
  addTurn(id: string, turn: Omit<PrdTurn, 'n' | 'at'>, messageId?: string): Promise<number>;
  updateTurn(id: string, n: number, change: PrdTurnChange): Promise<void>;
  /** The turn of the message with this id. */
  findByMessage(messageId: string): Promise<{ readonly sessionId: string; readonly n: number } | undefined>;
  /** The session of the turn that this task answers. */
  findByTask(taskId: string): Promise<string | undefined>;
  addVersion(id: string, version: Omit<PrdVersion, 'at'>): Promise<void>;
  version(id: string, version: number): Promise<PrdVersion | undefined>;
  /** Newest first. */
  versions(id: string): Promise<PrdVersion[]>;
}
