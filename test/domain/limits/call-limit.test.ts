// Calls of a credential in fixed windows: exact at the edge, over replicas, hand-overs and deaths.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresWindowLedger } from '../../../src/adapters/postgres/store/window-ledger.ts';
import { CallLimit } from '../../../src/domain/limits/call-limit.ts';
import type { RateLimitDecision } from '../../../src/domain/limits/call-window.ts';
import type {
  LimitedCredential,
  WindowEntry,
  WindowLedger,
  WindowState,
} from '../../../src/domain/ports/window-ledger.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts';
import { until } from '../../support/until.ts';

const full = process.env['SCALE'] === 'full';

let db: TestDatabase;
beforeAll(async () => {
  db = await cloneDatabase();
  await db.query(
    `insert into tenants (tenant_id, name) values ('default', 'd'), ('other', 'o') on conflict do nothing`,
  );
});
afterAll(() => db[Symbol.asyncDispose]());

interface Replica extends AsyncDisposable {
  readonly limit: CallLimit;
  /** As by kill -9: nothing is handed over. */
  die(): Promise<void>;
  spend(credentialId: string, calls: number): Promise<RateLimitDecision[]>;
}

function replica(options: { windowMs?: number; maxWindows?: number } = {}): Replica {
  const { windowMs = 60_000, ...rest } = options;
  const ledger = new PostgresWindowLedger({ address: db.service, role: 'a2a_app', limit: 60, windowMs, randomBytes });
  const limit = new CallLimit({ ledger, limit: 60, windowMs, monotonicNow: () => performance.now(), ...rest });
  return {
    limit,
    spend: (credentialId, calls) =>
      Promise.all(Array.from({ length: calls }, async () => limit.spend({ tenantId: 'default', credentialId }))),
    die: () => ledger[Symbol.asyncDispose](),
    async [Symbol.asyncDispose]() {
      await limit[Symbol.asyncDispose]();
      await ledger[Symbol.asyncDispose]();
    },
  };
}

/** Lets the event loop turn, so that answers of the database come in between. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

let names = 0;
const fresh = (): string => `key:${(names += 1)}`;
const allowed = (spent: readonly RateLimitDecision[]): number => spent.filter((one) => one.allowed).length;

async function recorded(credentialId: string): Promise<{ used: number; held: boolean } | undefined> {
  const [row] = await db.query<{ used: number; held: boolean }>(
    'select used, holder is not null as held from call_windows where credential_id = $1',
    [credentialId],
  );
  return row;
}

describe('calls of a credential', () => {
  it('are let through up to the sixtieth, and learn how many are left [choices-9.12]', async () => {
    await using one = replica();
    const key = fresh();
    for (let n = 1; n <= 60; n++) {
      const [spent] = await one.spend(key, 1);
      expect(spent).toMatchObject({ allowed: true, limit: 60, remaining: 60 - n });
    }
    const sentAt = Date.now();
    const [refused] = await one.spend(key, 1);
    const answeredAt = Date.now();
    expect(refused).toMatchObject({ allowed: false, remaining: 0 });
    const reportedAt = (refused?.resetAt ?? 0) - (refused?.waitMs ?? 0);
    expect(reportedAt).toBeGreaterThan(sentAt - 1000);
    expect(reportedAt).toBeLessThan(answeredAt + 1000);
    expect(refused?.waitMs).toBeLessThanOrEqual(60_000);
  });

  it('are counted for each credential and tenant by itself', async () => {
    await using one = replica();
    const [a, b] = [fresh(), fresh()];
    expect(allowed(await one.spend(a, 70))).toBe(60);
    expect(allowed(await one.spend(b, 70))).toBe(60);
    expect(await one.limit.spend({ tenantId: 'other', credentialId: a })).toMatchObject({ allowed: true });
  });

  it('that come at once pass in the number that is left, each with another remainder', async () => {
    await using one = replica();
    const spent = await one.spend(fresh(), 100);
    const passed = spent.filter((call) => call.allowed);
    expect(new Set(passed.map((call) => call.remaining)).size).toBe(60);
    expect(passed).toHaveLength(60);
  });

  it('that keep coming while the first are being counted are exact too', async () => {
    for (let round = 0; round < (full ? 100 : 20); round++) {
      await using one = replica();
      await using two = replica();
      await Promise.all([one.spend(fresh(), 1), two.spend(fresh(), 1)]);
      const key = fresh();
      const waves: Promise<RateLimitDecision[]>[] = [];
      for (let wave = 0; wave < 30; wave++) {
        waves.push(one.spend(key, 1 + (wave % 4)));
        if (round % 2 === 1) waves.push(two.spend(key, wave % 2));
        await turns(1 + ((wave * 7 + round * 13) % 40));
      }
      expect(allowed((await Promise.all(waves)).flat())).toBe(60);
    }
  });

  it('begin a new window when the old one is over, by the clock of the database [choices-9.12]', async () => {
    // Long enough for the calls before to fall into the first one.
    const windowMs = 5_000;
    await using one = replica({ windowMs });
    const key = fresh();
    const [first] = await one.spend(key, 60);
    expect(allowed(await one.spend(key, 5))).toBe(0);
    const again = await until('a new window', async () => {
      const [spent] = await one.spend(key, 1);
      return spent?.allowed === true ? spent : undefined;
    });
    expect(again.resetAt - (first?.resetAt ?? 0)).toBeGreaterThanOrEqual(windowMs);
    expect(again.remaining).toBe(59);
  });

  it('are exact over two replicas, in whatever order they meet [choices-9.11]', async () => {
    await using one = replica();
    await using two = replica();
    const key = fresh();
    expect(allowed(await one.spend(key, 30))).toBe(30);
    expect(allowed(await two.spend(key, 29))).toBe(29);
    const edge = [...(await one.spend(key, 1)), ...(await two.spend(key, 1)), ...(await one.spend(key, 1))];
    expect(edge.map((call) => [call.allowed, call.remaining])).toEqual([
      [true, 0],
      [false, 0],
      [false, 0],
    ]);
  });

  it('are exact while many come to three replicas at once', async () => {
    for (let round = 0; round < (full ? 50 : 8); round++) {
      // New ones each round: none knows yet of the others.
      await using one = replica();
      await using two = replica();
      await using three = replica();
      const key = fresh();
      const sizes = [1 + (round % 5), 40, 35, 3, 30];
      const replicas = [one, two, three] as const;
      const all = await Promise.all(
        sizes.map((size, i) => replicas.at((i + round) % 3)?.spend(key, size) ?? Promise.resolve([])),
      );
      expect(allowed(all.flat())).toBe(60);
      expect(await recorded(key)).toMatchObject({ used: 60 });
    }
  });

  it('stay counted when a replica stops, and when one dies without a word', async () => {
    const key = fresh();
    {
      await using one = replica();
      expect(allowed(await one.spend(key, 20))).toBe(20);
    }
    expect(await recorded(key)).toEqual({ used: 20, held: false });
    const two = replica();
    expect(allowed(await two.spend(key, 25))).toBe(25);
    await until('its count is reported', async () => (await recorded(key))?.used === 45);
    await two.die();
    await using three = replica();
    expect(allowed(await three.spend(key, 30))).toBe(15);
  });

  it('are counted on when the connection breaks', async () => {
    await using one = replica();
    const key = fresh();
    expect(allowed(await one.spend(key, 20))).toBe(20);
    await until('its count is reported', async () => (await recorded(key))?.used === 20);
    await db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like '%limit_calls%' and pid <> pg_backend_pid()`,
    );
    expect(allowed(await one.spend(key, 20))).toBe(20);
    await until('its count is reported', async () => (await recorded(key))?.used === 40);
    await using two = replica();
    expect(allowed(await two.spend(key, 30))).toBe(20);
    expect(allowed(await one.spend(key, 1))).toBe(0);
  });

  it('are counted in memory while nobody else asks, in the database while two share them', async () => {
    await using one = replica();
    await using two = replica();
    const key = fresh();
    await one.spend(key, 1);
    expect(one.limit.spend({ tenantId: 'default', credentialId: key })).not.toBeInstanceOf(Promise);
    await two.spend(key, 1);
    expect(one.limit.spend({ tenantId: 'default', credentialId: key })).toBeInstanceOf(Promise);
    expect(await recorded(key)).toMatchObject({ held: false });
  });

  it('of more credentials than there is room for are exact all the same', async () => {
    await using one = replica({ maxWindows: 20 });
    const keys = Array.from({ length: 100 }, fresh);
    for (const key of keys) expect(allowed(await one.spend(key, 40))).toBe(40);
    for (const key of keys) expect(allowed(await one.spend(key, 40))).toBe(20);
  });
});

/** A ledger in memory: it keeps what it is asked, and answers when and as the test says. */
function openFakeLedger() {
  const batches: { entries: readonly WindowEntry[]; answer: (answers: (WindowState | 'elsewhere')[]) => void }[] = [];
  let want: (wanted: LimitedCredential) => void = () => {};
  const ledger: WindowLedger = {
    settle: (entries) => {
      const { promise, resolve } = Promise.withResolvers<(WindowState | 'elsewhere')[]>();
      batches.push({ entries, answer: resolve });
      return promise;
    },
    onWanted: (listener) => {
      want = listener;
    },
  };
  const limit = new CallLimit({ ledger, limit: 60, windowMs: 60_000, monotonicNow: () => performance.now() });
  const batch = (n: number) => until(`batch ${n}`, () => batches[n]);
  return { limit, batches, batch, want: (wanted: LimitedCredential) => want(wanted) };
}

const credential = { tenantId: 'default', credentialId: 'a' };
const keptState = { startedAt: 1, endsInMs: 60_000, used: 1, granted: 1, kept: true };

describe('a window in memory', () => {
  it('that is wanted during a report is given up with the next one; calls wait until then', async () => {
    const { limit, batch, want } = openFakeLedger();
    const first = limit.spend(credential);
    (await batch(0)).answer([keptState]);
    await first;
    expect(limit.spend(credential)).toMatchObject({ allowed: true, remaining: 58 });
    const report = await batch(1);
    expect(report.entries).toMatchObject([{ calls: 0, keep: true, reported: { used: 2 } }]);
    want(credential);
    const waiting = limit.spend(credential);
    expect(waiting).toBeInstanceOf(Promise);
    // This answer still keeps the window: the ledger decided before it was wanted.
    report.answer([{ ...keptState, used: 2, granted: 0 }]);
    const handover = await batch(2);
    expect(handover.entries).toMatchObject([{ calls: 1, keep: false }]);
    handover.answer([{ ...keptState, used: 3, granted: 1, kept: false }]);
    expect(await waiting).toMatchObject({ allowed: true, remaining: 57 });
    expect(limit.spend(credential)).toBeInstanceOf(Promise);
  });
});

describe('a limit that is closed', () => {
  it('rejects calls that wait for another replica’s window', async () => {
    const { limit, batch } = openFakeLedger();
    const waiting = Promise.allSettled([limit.spend(credential)]);
    const { answer } = await batch(0);
    const closed = limit[Symbol.asyncDispose]();
    answer(['elsewhere']);
    await closed;
    expect(await waiting).toMatchObject([{ status: 'rejected', reason: { code: 'limit_unavailable' } }]);
  });

  it('hands its windows over, counts included, and rejects later calls', async () => {
    const { limit, batches, batch } = openFakeLedger();
    const first = limit.spend(credential);
    (await batch(0)).answer([keptState]);
    await first;
    expect(limit.spend(credential)).toMatchObject({ allowed: true });
    const closed = limit[Symbol.asyncDispose]();
    const handover = await batch(1);
    expect(handover.entries).toMatchObject([{ calls: 0, keep: false, reported: { used: 2 } }]);
    await expect(limit.spend(credential)).rejects.toMatchObject({ code: 'limit_unavailable' });
    handover.answer([{ ...keptState, used: 2, granted: 0, kept: false }]);
    await closed;
    expect(batches).toHaveLength(2);
  });
});
