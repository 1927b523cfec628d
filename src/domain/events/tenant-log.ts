// The verb follow a tenant: streams changes of status and messages of all its tasks, and changes of workers, runs and
// attention, from a cursor on.
//
// Each followed tenant has one reader, which reads new entries from the durable log and passes them to all followers.
// A follower that is late or slow reads the log itself until it has caught up, so that its queue stays bounded.
import type { Caller } from '../model/access/caller.ts';
import { unavailable } from '../model/errors.ts';
import { positionBefore, parsePosition, precedes, type LogPosition } from '../model/task/log-position.ts';
import type { LogEntry, LogPage, LogRequest } from '../ports/store/log.ts';
import type { Store } from '../ports/store/store.ts';
import { TenantFeed, type Subscriber } from './tenant-feed.ts';
import type { TaskSignals } from './task-signals.ts';

export interface TenantLogDeps {
  readonly store: Store;
  readonly signals: TaskSignals;
  readonly now: () => number;
  /** Finished tasks are deleted after this many days: an older cursor cannot be served. */
  readonly retentionDays: number;
  readonly log: (line: string, error?: unknown) => void;
}

/** An entry; a mark that the follower has everything up to a position; or a mark that its cursor cannot be served. */
export type TenantEvent =
  | { readonly type: 'entry'; readonly entry: LogEntry }
  | { readonly type: 'connected'; readonly position: LogPosition }
  | { readonly type: 'resync' };

/** Characters of each text in an event; the task has the full text. */
export const eventTextLength = 2_000;
/** Followers of one tenant on one replica. */
const maxFollowers = 500;
const dayMs = 86_400_000;
const request: LogRequest = { what: 'all', limit: 200, textLength: eventTextLength };

export class TenantLog implements AsyncDisposable {
  readonly #deps: TenantLogDeps;
  readonly #feeds = new Map<string, TenantFeed>();

  constructor(deps: TenantLogDeps) {
    this.#deps = deps;
  }

  /**
   * Follows until `signal` aborts. Without a cursor it starts now; with a cursor that cannot be served, it emits
   * `resync` and starts from the beginning.
   * @param after the text of a position, as `formatPosition` wrote it
   * @throws DomainError unavailable when there are too many followers or the database cannot be reached
   */
  async *follow(
    caller: Caller,
    after: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<TenantEvent, void, undefined> {
    const tenant = { tenantId: caller.tenantId };
    const { end } = await this.#deps.store.within(tenant, (rows) => rows.log.latest({ ...request, limit: 1 }));
    await using subscriber = this.#subscribe(caller.tenantId, end);
    const given = after === undefined ? end : this.#parseServable(after, end);
    if (given === undefined) yield { type: 'resync' };
    let cursor = given ?? positionBefore(0n, 0);
    yield { type: 'connected', position: cursor };
    while (!signal.aborted) {
      // The reader's entries are queued for this follower from here on; it reads earlier ones itself.
      subscriber.clear();
      let page: LogPage;
      do {
        const from = cursor;
        page = await this.#deps.store.within(tenant, (rows) => rows.log.after(from, request));
        for (const entry of page.entries) {
          if (signal.aborted) return;
          cursor = entry.position;
          // After a `resync` the follower reads its lists, which have the earlier changes of what is no task.
          if (given === undefined && precedes(cursor, end) && !isOfTask(entry)) continue;
          yield { type: 'entry', entry };
        }
      } while (page.entries.length === request.limit && !signal.aborted);
      for await (const entry of subscriber.events(signal)) {
        // The reader's first pages may repeat what was just read.
        if (!precedes(cursor, entry.position)) continue;
        yield { type: 'entry', entry };
        cursor = entry.position;
      }
    }
  }

  #parseServable(after: string, end: LogPosition): LogPosition | undefined {
    const position = parsePosition(after);
    if (position === undefined || precedes(end, position)) return undefined;
    return position.atMs < this.#deps.now() - this.#deps.retentionDays * dayMs ? undefined : position;
  }

  #subscribe(tenantId: string, end: LogPosition): Subscriber {
    let feed = this.#feeds.get(tenantId);
    if (feed === undefined) {
      feed = new TenantFeed({
        ...this.#deps,
        tenantId,
        request,
        from: end,
        onEmpty: () => this.#feeds.delete(tenantId),
      });
      this.#feeds.set(tenantId, feed);
    }
    if (feed.followers >= maxFollowers) {
      throw unavailable(
        'too_many_followers',
        `This tenant has the maximum of ${maxFollowers} followers. Close a stream or retry later.`,
        15,
      );
    }
    return feed.subscribe();
  }

  /** Stops the readers; followers stop by their own signals. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#feeds.values()].map((feed) => feed[Symbol.asyncDispose]()));
  }
}

function isOfTask({ type }: LogEntry): boolean {
  return type === 'status' || type === 'message';
}
