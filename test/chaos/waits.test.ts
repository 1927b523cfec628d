// The judge of the chaos tests is judged: who waited beside a free worker is found, and nobody else.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openHouse, type House } from '../house.ts';
import { until } from '../support/until.ts';
import { databaseMs, readWaits, type Waits } from './waits.ts';
import type { Span } from './spans.ts';

const waitedMs = 2_000;
const boundMs = 1_500;
let house: House;
let whole: Span;
/** Ids of a task that waited beside a free slot, and of one that waited while the only slot was taken. */
let [beside, behind] = ['', ''];

/** Of a worker with one slot, which takes the first task late, and the second once the first is done. */
beforeAll(async () => {
  house = await openHouse();
  const { db } = house;
  const from = await databaseMs(db);
  const passed = async (): Promise<void> => {
    const begun = await databaseMs(db);
    await until('it has waited', async () => (await databaseMs(db)) > begun + waitedMs);
  };
  const worker = await house.worker({ slots: 1 });
  beside = (await house.task({ title: 'beside a free slot' })).id;
  await passed();
  const [first] = await worker.claim();
  behind = (await house.task({ title: 'behind the first' })).id;
  await passed();
  if (first === undefined) throw new Error('nothing was claimed');
  await worker.release(first, { status: 'completed' });
  const [second] = await worker.claim();
  if (second === undefined) throw new Error('nothing was claimed');
  await worker.release(second, { status: 'completed' });
  whole = { from, to: await databaseMs(db) };
});
afterAll(() => house[Symbol.asyncDispose]());

const judge = (slots: number, holes: readonly Span[] = []): Promise<Waits> =>
  readWaits(house.db, boundMs, { slots, whole, holes });

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
  const { tooLong, judged } = await judge(2, [whole]);
  expect({ tooLong, judged }).toEqual({ tooLong: [], judged: 0 });
});
