// The judge of the chaos tests is judged: who waited beside a free worker is found, and nobody else.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { databaseMs, readAvoidableWaits, type AvoidableWaits } from './avoidable-waits.ts';
import type { Interval } from './intervals.ts';

const waitedMs = 2_000;
const boundMs = 1_500;
let service: TestService;
let observed: Interval;
/** Ids of a task that waited beside a free slot, and of one that waited while the only slot was taken. */
let [beside, behind] = ['', ''];

/** The log of a worker with one slot, which takes the first task late, and the second once the first is done. */
beforeAll(async () => {
  service = await openService();
  const { db } = service;
  const from = await databaseMs(db);
  const passed = async (): Promise<void> => {
    const begun = await databaseMs(db);
    await until('it has waited', async () => (await databaseMs(db)) > begun + waitedMs);
  };
  const worker = await service.worker({ slots: 1 });
  beside = (await service.task({ title: 'beside a free slot' })).id;
  await passed();
  const [first] = await worker.claim();
  behind = (await service.task({ title: 'behind the first' })).id;
  await passed();
  if (first === undefined) throw new Error('nothing was claimed');
  await worker.release(first, { status: 'completed' });
  const [second] = await worker.claim();
  if (second === undefined) throw new Error('nothing was claimed');
  await worker.release(second, { status: 'completed' });
  observed = { from, to: await databaseMs(db) };
});
afterAll(() => service[Symbol.asyncDispose]());

const judge = (slots: number, holes: readonly Interval[] = []): Promise<AvoidableWaits> =>
  readAvoidableWaits(service.db, boundMs, { slots, observed, holes });

it('a task that waits beside a free slot is found, one that waits for a slot is not', async () => {
  const { tooLong, longestMs, judged } = await judge(1);
  expect(tooLong.map((line) => line.split(' ')[1])).toEqual([beside]);
  expect(longestMs).toBeGreaterThan(waitedMs);
  expect(judged).toBe(2);
});

it('a worker with a second slot was free all the time', async () => {
  const { tooLong } = await judge(2);
  expect(new Set(tooLong.map((line) => line.split(' ')[1]))).toEqual(new Set([beside, behind]));
});

it('what waited while something was broken is nobody’s fault, and proves nothing', async () => {
  const { tooLong, judged } = await judge(2, [observed]);
  expect({ tooLong, judged }).toEqual({ tooLong: [], judged: 0 });
});
