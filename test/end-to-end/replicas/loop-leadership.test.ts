// Background loops over several replicas: one leader each, another when it goes or dies, and all of it to be read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../../src/adapters/postgres/connection/connections.ts';
import { postgresLoopLeaders } from '../../../src/adapters/postgres/store/loop-leaders.ts';
import type { LoopReport } from '../../../src/domain/ports/loop-leaders.ts';
import { openService, type TestService } from '../../support/service.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts';
import { until } from '../../support/until.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await cloneDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

interface LoopWire {
  readonly name: string;
  readonly leader: string | null;
  readonly interval_seconds: number;
  readonly last_tick_at: string | null;
  readonly last_error: string | null;
  readonly ticks: number;
}

async function loopsAt(service: TestService): Promise<Map<string, LoopWire>> {
  const { status, body } = await service.call('GET', '/v1/cognition/status', { as: 'viewer' });
  expect(status).toBe(200);
  return new Map(body.loops.map((loop: LoopWire) => [loop.name, loop]));
}

describe('the background loops', () => {
  it('have one leader each over two replicas, another one when it goes, and say how they went [core-4.10.1, choices-10.1]', async () => {
    await using second = await openService({ db, config: { leaseSeconds: 2 } });
    let leader: string | null | undefined;
    {
      await using first = await openService({ db, config: { leaseSeconds: 2 } });
      const ticking = await until('the reaper ticked', async () => {
        const reaper = (await loopsAt(first)).get('reaper');
        return reaper !== undefined && reaper.ticks > 0 ? reaper : undefined;
      });
      leader = ticking.leader;
      expect(ticking).toMatchObject({ interval_seconds: 0.5, last_error: null });
      expect(Date.parse(ticking.last_tick_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
      const [here, there] = [await loopsAt(first), await loopsAt(second)];
      for (const name of ['reaper', 'retention', 'credential_retention']) {
        expect(here.get(name)?.leader).toBe(there.get(name)?.leader);
      }
      // Loops that each replica runs for itself name the answering one.
      expect(here.get('dispatch_sweep')?.leader).not.toBe(there.get('dispatch_sweep')?.leader);
      // The one that leads is the one that stops: it is the second where the first came too late.
      if (here.get('dispatch_sweep')?.leader !== leader) await second.restart();
    }
    const next = await until('another leads', async () => {
      const reaper = (await loopsAt(second)).get('reaper');
      return reaper?.leader !== null && reaper?.leader !== leader ? reaper : undefined;
    });
    expect(next.ticks).toBeGreaterThan(0);
  });

  it('are led by another replica when the leader says nothing for its time, and not before', async () => {
    const pool = openPool({ address: db.service, role: 'a2a_app', max: 4, log: () => {} });
    await using _closing = { [Symbol.asyncDispose]: () => pool.end() };
    const leaders = postgresLoopLeaders(pool);
    const loopReport = (name: string, ticks = 0, lastError?: string): LoopReport => ({
      name,
      intervalSeconds: 1,
      ticks,
      secondsSinceTick: ticks === 0 ? undefined : 0,
      lastError,
    });
    const both = [loopReport('one'), loopReport('two')];
    const leaderships = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => leaders.acquireLeadership(name, both, 60)),
    );
    expect(leaderships.map(({ size }) => size).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 2]);
    const winner = ['a', 'b', 'c', 'd'][leaderships.findIndex(({ size }) => size === 2)] ?? '';
    expect(await leaders.acquireLeadership(winner, [loopReport('one', 3, 'it broke')], 0)).toEqual(new Set(['one']));
    expect(await leaders.acquireLeadership('next', both, 60)).toEqual(new Set(['one']));
    const status = (await leaders.list()).find(({ name }) => name === 'one');
    expect(status).toMatchObject({ leader: 'next', ticks: 3, lastError: 'it broke' });
    await leaders.resign(winner);
    expect(await leaders.acquireLeadership('next', both, 60)).toEqual(new Set(['one', 'two']));
  });
});
