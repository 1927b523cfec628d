// A corpus of repositories that name programs: an agent plants them, and no git of the worker starts one.
import { describe, expect, test } from 'vitest';
import { shellPrompt } from '../../../support/worker/run-fixture.ts';
import { hostilePrograms, type HostileRepository } from './hostile-programs.ts';
import { modes, openHostileFixture, type Mode } from './hostile-fixture.ts';

const [first, second] = ['1', '2'].map((n) => `01890000-0000-7000-8000-00000000000${n}`);

/** SCALE=full runs every program in every mode; else each in one that works on a copy and one that works in the folder. */
const full = process.env['SCALE'] === 'full';
const pairs: readonly (readonly Mode[])[] = [
  ['worktree', 'plain'],
  ['clone', 'in_place'],
  ['clone', 'plain'],
  ['worktree', 'in_place'],
];
const modesOf = (i: number): readonly Mode[] => (full ? modes : (pairs[i % pairs.length] ?? modes));
const programsIn = (mode: Mode): HostileRepository[] => hostilePrograms.filter((_, i) => modesOf(i).includes(mode));

test('the corpus has no name twice, and enough', () => {
  expect(new Set(hostilePrograms.map(({ name }) => name)).size).toBe(hostilePrograms.length);
  expect(hostilePrograms.length).toBeGreaterThanOrEqual(25);
});

test('each program runs in two modes at least, and each mode has half of them; without objects it is in place', () => {
  const counts = hostilePrograms.map(
    ({ name }) => modes.filter((mode) => programsIn(mode).some((one) => one.name === name)).length,
  );
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
  for (const mode of modes) expect([mode, programsIn(mode).length * 2 >= hostilePrograms.length]).toEqual([mode, true]);
  expect(programsIn('in_place').filter(({ loses }) => loses === 'objects')).not.toEqual([]);
});

describe('plain git starts', () => {
  test.each(hostilePrograms)('$name', async ({ plant, probe }) => {
    await using place = await openHostileFixture('in_place');
    await place.plainly(plant);
    expect(await place.marks()).toBe('');
    await place.fixture.write('a.txt', 'changed\n');
    await place.plainly(probe);
    expect(await place.marks()).not.toBe('');
  });
});

describe.each(modes)('the worker starts nothing of (%s)', (mode) => {
  const kept = mode === 'worktree' || mode === 'clone' ? ['diff', 'files', 'branch'] : ['diff', 'files'];

  test.each(programsIn(mode))('$name', async ({ plant, loses }) => {
    await using place = await openHostileFixture(mode);
    const planted = await place.run(`${plant}\ncd "$HERE"; echo changed > a.txt; echo new > new.txt`, { id: first });
    expect(planted.status).toBe('completed');
    expect(planted.artifacts?.map(({ name }) => name)).toEqual(mode === 'in_place' && loses ? [] : kept);
    // Files that the agent could write are there when the next attempt begins, which uses no git itself.
    const next = await place.run('', { id: second, prompt: shellPrompt('echo again >> a.txt') });
    if (next.status === 'failed') expect(next.error?.code).toMatch(/^workspace_/);
    else expect(next.artifacts?.map(({ name }) => name)).toEqual(kept);
    expect(await place.marks()).toBe('');
  });
});
