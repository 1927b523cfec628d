// Following a whole tenant: one reader for all followers, and a slow follower loses nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TenantLog, type TenantEvent } from '../../../src/domain/events/tenant-log.ts';
import type { LogRows } from '../../../src/domain/ports/store/log.ts';
import type { Store } from '../../../src/domain/ports/store/store.ts';
import { submitTask } from '../../../src/domain/tasks/submit.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts';
import { until } from '../../support/until.ts';
import { overrideRows } from '../../support/database/override-rows.ts';
import { callerOf, draft, openVerbs, type Verbs } from '../../support/verbs.ts';

let db: TestDatabase;
let verbs: Verbs;
/** Reads of the log after a position, and the entries that they returned. */
const reads = { count: 0, entries: 0 };
let store: Store;
beforeAll(async () => {
  db = await cloneDatabase();
  verbs = await openVerbs(db);
  const counted = (log: LogRows): LogRows => ({
    latest: (request) => log.latest(request),
    async after(from, request) {
      const page = await log.after(from, request);
      reads.count += 1;
      reads.entries += page.entries.length;
      return page;
    },
  });
  store = {
    ping: () => verbs.store.ping(),
    within: (tenant, work) =>
      verbs.store.within(tenant, (rows) => work(overrideRows(rows, { log: counted(rows.log) }))),
  };
});
afterAll(async () => {
  await verbs[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

const editor = callerOf('editor');

function openLog(): TenantLog {
  const { signals } = verbs;
  return new TenantLog({ store, signals, now: Date.now, retentionDays: 30, log: () => undefined });
}

async function submit(count: number): Promise<string[]> {
  const tasks = Array.from({ length: count }, () => submitTask(verbs, editor, draft()));
  return (await Promise.all(tasks)).map(({ task }) => task.id);
}

async function take(events: AsyncGenerator<TenantEvent>, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const next = await events.next();
    if (next.done === true) throw new Error('the news are over');
    if (next.value.type === 'entry' && 'taskId' in next.value.entry) ids.push(next.value.entry.taskId);
  }
  return ids;
}

describe('following a tenant', () => {
  it('costs one reader, however many follow', async () => {
    await using log = openLog();
    const gone = new AbortController();
    const followers = Array.from({ length: 20 }, () => log.follow(editor, undefined, gone.signal));
    const first = await Promise.all(followers.map((events) => events.next()));
    expect(first.every(({ value }) => value?.type === 'connected')).toBe(true);
    const waiting = followers.map((events) => take(events, 1));
    // Each follower has read once itself, up to its own beginning.
    await until('all wait', () => reads.count >= 20);
    const before = { ...reads };
    const ids = await submit(1);
    expect(await Promise.all(waiting)).toEqual(followers.map(() => ids));
    expect(reads.entries - before.entries).toBeLessThan(10);
    gone.abort();
    await Promise.all(followers.map((events) => events.return()));
  });

  it('yields every entry once to a follower that stalled until its queue overflowed', async () => {
    await using log = openLog();
    const gone = new AbortController();
    const [slow, quick] = [log.follow(editor, undefined, gone.signal), log.follow(editor, undefined, gone.signal)];
    await Promise.all([slow.next(), quick.next()]);
    const [one] = await submit(1);
    expect(await Promise.all([take(slow, 1), take(quick, 1)])).toEqual([[one], [one]]);
    const taking = take(quick, 900);
    const ids = await submit(900);
    expect((await taking).toSorted()).toEqual(ids.toSorted());
    const [last] = await submit(1);
    expect((await take(slow, 900)).toSorted()).toEqual(ids.toSorted());
    expect(await take(slow, 1)).toEqual([last]);
    gone.abort();
    await Promise.all([slow.return(), quick.return()]);
  });

  it('ends with its signal, and the reader with its last follower', async () => {
    await using log = openLog();
    const gone = new AbortController();
    const events = log.follow(editor, undefined, gone.signal);
    await events.next();
    const waiting = events.next();
    gone.abort();
    expect((await waiting).done).toBe(true);
    const before = reads.count;
    await submit(1);
    // A new follower has a new reader, and both see the log as it is.
    const again = log.follow(editor, undefined, new AbortController().signal);
    await again.next();
    expect(reads.count - before).toBeLessThanOrEqual(2);
    await again.return();
  });

  it('yields resync for a position that retention has passed, and then everything', async () => {
    await using log = openLog();
    const old = `${Date.now() - 31 * 86_400_000}.1`;
    const events = log.follow(editor, old, new AbortController().signal);
    expect((await events.next()).value).toEqual({ type: 'resync' });
    expect((await take(events, 1)).length).toBe(1);
    await events.return();
    const fresh = log.follow(editor, `${Date.now() - 29 * 86_400_000}.1`, new AbortController().signal);
    expect((await fresh.next()).value).toMatchObject({ type: 'connected' });
    await fresh.return();
  });

  it('is refused beyond 500 followers at once', async () => {
    await using log = openLog();
    const gone = new AbortController();
    const followers = Array.from({ length: 500 }, () => log.follow(editor, undefined, gone.signal));
    for (const events of followers) await events.next();
    const refused = log.follow(editor, undefined, gone.signal);
    await expect(refused.next()).rejects.toMatchObject({ kind: 'unavailable', code: 'too_many_followers' });
    gone.abort();
    await Promise.all(followers.map((events) => events.return()));
  });
});
