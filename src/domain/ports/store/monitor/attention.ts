// Rows of what waits for a person. Triggers of the database write them with the change that causes them.
import type { AttentionItem, AttentionKind } from '../../../model/attention.ts';

/** The place of an item in the list. */
export interface AttentionPosition {
  /** ISO 8601 UTC with microseconds. */
  readonly askedAt: string;
  readonly id: string;
}

export interface PlacedItem extends AttentionItem {
  readonly position: AttentionPosition;
}

export interface AttentionRows {
  /** Newest first. Items that do not ask are left out when they are older than `forgetDays`. */
  list(page: {
    limit: number;
    before: AttentionPosition | undefined;
    forgetDays: number;
    /** Those alone; undefined: all. */
    kinds?: readonly AttentionKind[] | undefined;
  }): Promise<PlacedItem[]>;
  /** Kind and owner of what waits. */
  find(id: string): Promise<{ kind: AttentionKind; createdBy: string } | undefined>;
  /** Ends the wait, and notifies followers. @returns false when it has ended already */
  close(id: string): Promise<boolean>;
  /** Ends the wait of items that do not ask and are older. @returns how many */
  closeOlder(days: number, limit: number): Promise<number>;
  /** Marks workers that have sent no heartbeat for this long, and notifies followers. @returns those that are marked now */
  markGone(workerIds: readonly string[], silentSeconds: number): Promise<string[]>;
  /** Deletes events that no follower can ask for any more. @returns how many */
  dropEvents(olderThanDays: number): Promise<number>;
}
