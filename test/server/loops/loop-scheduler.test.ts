// Leaders of loops: a replica that gives up one loop keeps its others, and loops of before are not listed.
import { expect, it } from 'vitest';
import type { LoopLeaders, LoopReport, LoopStatus } from '../../../src/domain/ports/loop-leaders.ts';
import { LoopScheduler } from '../../../src/server/loops/loop-scheduler.ts';
import { until } from '../../support/until.ts';

/** Leaders in memory: the first to ask for a loop leads it until it resigns. */
class MemoryLeaders implements LoopLeaders {
  readonly leaderOf = new Map<string, string>();
  readonly asked: string[] = [];

  acquireLeadership(leader: string, loops: readonly LoopReport[]): Promise<ReadonlySet<string>> {
    this.asked.push(`${leader}: ${loops.map(({ name }) => name).join(' ')}`);
    for (const { name } of loops) if (!this.leaderOf.has(name)) this.leaderOf.set(name, leader);
    return Promise.resolve(new Set(loops.map(({ name }) => name).filter((name) => this.leaderOf.get(name) === leader)));
  }
  resign(leader: string, loop?: string): Promise<void> {
    for (const [name, by] of this.leaderOf) {
      if (by === leader && (loop === undefined || loop === name)) this.leaderOf.delete(name);
    }
    return Promise.resolve();
  }
  list(): Promise<LoopStatus[]> {
    const facts = { intervalSeconds: 1, ticks: 1, lastTickAt: '2026-01-01T00:00:00.000Z', lastError: undefined };
    const names = new Set([...this.leaderOf.keys(), 'cluster_reconciler:of-before', 'reaper']);
    return Promise.resolve([...names].map((name) => ({ ...facts, name, leader: this.leaderOf.get(name) })));
  }
}

it('[platform-1.3.14] leads the loop no more for so long, and may lead it again afterwards', async () => {
  const leaders = new MemoryLeaders();
  const ticks: string[] = [];
  let elapsed = 0;
  const open = (replica: string): LoopScheduler =>
    new LoopScheduler({ leaders, replica, now: Date.now, elapsedMs: () => elapsed, log: () => undefined });
  await using one = open('one');
  for (const name of ['cluster', 'reaper']) one.leaderOnly(name, 5, () => Promise.resolve(ticks.push(`one ${name}`)));
  await one.start();
  await until('it leads', () => ticks.includes('one cluster'));
  await one.yieldLead('cluster', 60_000);
  await using two = open('two');
  two.leaderOnly('cluster', 5, () => Promise.resolve(ticks.push('two cluster')));
  await two.start();
  await until('the other one leads', () => ticks.includes('two cluster'));
  ticks.length = 0;
  await until('both have ticked since', () => ticks.includes('two cluster') && ticks.includes('one reaper'));
  expect(ticks).not.toContain('one cluster');
  // Its renewals leave the loop alone, until the time is over.
  leaders.asked.length = 0;
  await until('it has renewed', () => leaders.asked.includes('one: reaper'));
  elapsed = 60_000;
  await until('it asks for the loop again', () => leaders.asked.includes('one: cluster reaper'));
  expect(leaders.leaderOf.get('cluster')).toBe('two');
});

it('lists a loop that nobody leads only where it would run here, and none of a Deployment of before', async () => {
  const leaders = new MemoryLeaders();
  const options = { leaders, replica: 'one', now: Date.now, elapsedMs: () => 0, log: () => undefined };
  await using scheduler = new LoopScheduler(options);
  scheduler.leaderOnly('reaper', 3_600_000, () => Promise.resolve());
  leaders.leaderOf.set('another', 'two');
  expect((await scheduler.status()).map(({ name, leader }) => [name, leader])).toEqual([
    ['another', 'two'],
    ['reaper', undefined],
  ]);
});
