// The verb follow a tenant: what changes and what is said in all tasks, from a cursor on, for any number of followers.
//
// One reader for each tenant that somebody follows reads what is new out of the durable log and hands it to all of them.
// A follower that comes later or reads slowly reads for itself until it has caught up: what waits for it is bounded.
import type { Caller } from '../model/access/caller.ts';
import { unavailable } from '../model/errors.ts';
import { before, parsePosition, precedes, type LogPosition } from '../model/task/log-position.ts';
import type { LogEntry, LogPage, LogRequest } from '../ports/store/log.ts';
import type { Store } from '../ports/store/store.ts';
import { TenantFeed, type Seat } from './tenant-feed.ts';
import type { TaskSignals } from './task-signals.ts';

export interface TenantLogDeps {
  readonly store: Store;
  readonly signals: TaskSignals;
  readonly now: () => number;
  /** Finished tasks go after so many days: an older cursor cannot be served. */
  readonly retentionDays: number;
  readonly log: (line: string, error?: unknown) => void;
}

/** An entry; the word that the follower has everything up to a place; or that its cursor cannot be served. */
export type News =
  | { readonly type: 'entry'; readonly entry: LogEntry }
  | { readonly type: 'connected'; readonly position: LogPosition }
  | { readonly type: 'resync' };

/** Characters of each text in the news; the whole is in the task. */
export const newsTextLength = 2_000;
/** Followers of one tenant on one replica. */
const maxFollowers = 500;
const dayMs = 86_400_000;
const request: LogRequest = { what: 'all', limit: 200, textLength: newsTextLength };

export class TenantLog implements AsyncDisposable {
  readonly #deps: TenantLogDeps;
  readonly #feeds = new Map<string, TenantFeed>();

  constructor(deps: TenantLogDeps) {
    this.#deps = deps;
  }

  /**
   * Follows until `signal` aborts. Without a cursor from now on; with one that cannot be served, after the word
   * `resync`, from the start.
   * @param after the text of a position, as `positionText` wrote it
   * @throws DomainError unavailable when there are too many followers or the database cannot be reached
   */
  async *follow(caller: Caller, after: string | undefined, signal: AbortSignal): AsyncGenerator<News, void, undefined> {
    const tenant = { tenantId: caller.tenantId };
    const { end } = await this.#deps.store.within(tenant, (rows) => rows.log.latest({ ...request, limit: 1 }));
    await using seat = this.#sit(caller.tenantId, end);
    const given = after === undefined ? end : this.#servable(after, end);
    if (given === undefined) yield { type: 'resync' };
    let place = given ?? before(0n, 0);
    yield { type: 'connected', position: place };
    while (!signal.aborted) {
      // From here on the reader's news are kept for this follower; what was before is read by itself.
      seat.empty();
      let page: LogPage;
      do {
        const from = place;
        page = await this.#deps.store.within(tenant, (rows) => rows.log.after(from, request));
        for (const entry of page.entries) {
          if (signal.aborted) return;
          yield { type: 'entry', entry };
          place = entry.position;
        }
      } while (page.entries.length === request.limit && !signal.aborted);
      for await (const entry of seat.news(signal)) {
        // The reader's first pages may have what was just read.
        if (!precedes(place, entry.position)) continue;
        yield { type: 'entry', entry };
        place = entry.position;
      }
    }
  }

  #servable(after: string, end: LogPosition): LogPosition | undefined {
    const place = parsePosition(after);
    if (place === undefined || precedes(end, place)) return undefined;
    return place.atMs < this.#deps.now() - this.#deps.retentionDays * dayMs ? undefined : place;
  }

  #sit(tenantId: string, end: LogPosition): Seat {
    let feed = this.#feeds.get(tenantId);
    if (feed === undefined) {
      feed = new TenantFeed({ ...this.#deps, tenantId, request, from: end, empty: () => this.#feeds.delete(tenantId) });
      this.#feeds.set(tenantId, feed);
    }
    if (feed.followers >= maxFollowers) {
      throw unavailable('too_many_followers', `This tenant is followed by ${maxFollowers} streams already.`, 15);
    }
    return feed.sit();
  }

  /** Ends the readers; followers end by their own signals. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#feeds.values()].map((feed) => feed[Symbol.asyncDispose]()));
  }
}
