// Six stories in a diamond on two machines with separate clones: two that conflict in a file, and two that are green each
// alone and red together. What lands is what was gated, on the stories that it depends on, and nothing is left over.
import { expect, it } from 'vitest';
import { stepResult, type StepResultWire } from '../../../src/contracts/step.ts';
import { checkRunInvariants } from '../../support/database/run-invariants.ts';
import { testRunConfig } from '../../support/builders/run-records.ts';
import { openService, type TestService } from '../../support/service.ts';
import {
  moduleLines,
  openRunMachines,
  scriptedStory,
  testedProject,
  type RunMachine,
} from '../../support/runs/run-machines.ts';
import { until } from '../../support/until.ts';

/** The parts of the shop take at most ten seats together: the gate counts them. */
const seats = {
  'seats/base': '1\n',
  'words.txt': 'first\n',
  'test/seats.test.mjs': [
    "import test from 'node:test';",
    "import assert from 'node:assert/strict';",
    "import { readdirSync, readFileSync } from 'node:fs';",
    "const taken = readdirSync('seats').reduce((sum, name) => sum + Number(readFileSync(`seats/${name}`, 'utf8')), 0);",
    "test('seats', () => assert.ok(taken <= 10, `${taken} seats are taken`));",
    '',
  ].join('\n'),
};

/** Takes six seats where there are as many, else those that are left. */
const takeSeats = (name: string): string[] => [
  "left=$((10 - $(cat seats/* | awk '{ taken += $1 } END { print taken }')))",
  `if [ "$left" -gt 6 ]; then left=6; fi; echo "$left" > seats/${name}`,
];

/** Adds a line at the end of the file; a conflict about it is resolved by both lines. */
const addWord = (word: string): string[] => [
  "if grep -q '^<<<<<<<' words.txt; then sed -i '/^<<<<<<< /d;/^=======$/d;/^>>>>>>> /d' words.txt",
  `else echo ${word} >> words.txt; fi`,
];

const middle = ['US-002', 'US-003', 'US-004', 'US-005'];
const afterFirst = { dependsOn: ['US-001'] };
const stories = [
  scriptedStory('US-001', moduleLines('US-001')),
  scriptedStory('US-002', [...moduleLines('US-002'), ...addWord('second')], afterFirst),
  scriptedStory('US-003', [...moduleLines('US-003'), ...addWord('third')], afterFirst),
  scriptedStory('US-004', [...moduleLines('US-004'), ...takeSeats('fourth')], afterFirst),
  scriptedStory('US-005', [...moduleLines('US-005'), ...takeSeats('fifth')], afterFirst),
  scriptedStory('US-006', [...moduleLines('US-006'), 'test -e src/us-003.mjs', 'test -e src/us-005.mjs'], {
    dependsOn: middle,
  }),
];

interface Step {
  readonly kind: string;
  readonly story_id: string | null;
  readonly status: string;
  readonly code: string | null;
  readonly worker_id: string;
  readonly result: StepResultWire | null;
}

async function stepsOf(service: TestService, runId: string): Promise<Step[]> {
  const rows = await service.db.query<Step>(
    'select kind, story_id, status, code, worker_id, result from ralph_steps where run_id = $1 order by id',
    [runId],
  );
  return rows.map((row) => ({ ...row, result: row.result === null ? null : stepResult.parse(row.result) }));
}

/** The state that a user of the clone sees: branches, tags, HEAD, and files that are not as committed. */
async function visibleState({ git }: RunMachine): Promise<string[]> {
  const refs = ['for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/remotes', 'refs/tags'];
  return [await git(...refs), await git('symbolic-ref', 'HEAD'), await git('status', '--porcelain')];
}

it('parallel stories land one after the other as they were gated, through a conflict and a red merge [runs-12.1, runs-12.2, runs-9.11]', async () => {
  // progress.txt of the service is in each commit, and nothing conflicts for it.
  await using service = await openService({ config: { runs: { ...testRunConfig, commitProgress: true } } });
  const files = { ...testedProject, ...seats };
  await using site = await openRunMachines(service, { files, count: 2, slots: 2 });
  const [home, other] = site.machines;
  if (home === undefined || other === undefined) throw new Error('two machines are needed');
  const before = await Promise.all(site.machines.map(visibleState));

  const prd = { project: 'shop', description: 'A shop.', branchName: 'diamond', userStories: stories };
  const body = { codebase_id: site.codebaseId, prd, agent: 'command', mode: 'parallel', max_parallel: 4 };
  const created = await service.call('POST', '/v1/ralph/runs', { as: 'editor', body });
  expect(created.status).toBe(201);
  const runId: string = created.body.run_id;
  const run = await until(
    'the run is over',
    async () => {
      const { body: answer } = await service.call('GET', `/v1/ralph/runs/${runId}`);
      return ['completed', 'failed', 'needs_input'].includes(answer.run.status) ? answer.run : undefined;
    },
    180_000,
  );
  const steps = await stepsOf(service, runId);
  expect(
    [run.status, run.questions, run.error],
    JSON.stringify(steps.map((s) => [s.kind, s.story_id, s.status, s.code])),
  ).toEqual(['completed', [], null]);
  expect(await checkRunInvariants(service.db)).toEqual([]);

  // Both obstacles were met, and no iteration was spent on them.
  const lands = steps.filter(({ kind }) => kind === 'land');
  expect(new Set(lands.flatMap(({ code }) => code ?? []))).toEqual(new Set(['conflict', 'merged_gates_failed']));
  expect(steps.some(({ kind, status }) => kind === 'resolve' && status === 'ok')).toBe(true);
  expect(run.spent.iterations).toBe(stories.length);
  expect(new Set(steps.map(({ worker_id: id }) => id)).size).toBe(2);

  // The holder of the branch has it; the other clone shows nothing new.
  const after = await Promise.all(site.machines.map(visibleState));
  const at =
    (await home.git('rev-parse', '--verify', '--quiet', 'refs/heads/ralph/diamond').catch(() => '')) === '' ? 1 : 0;
  const holder = at === 0 ? home : other;
  expect(after[1 - at]).toEqual(before[1 - at]);
  expect(after[at]?.[0]?.split('\n')).toEqual(
    (before[at]?.[0]?.split('\n') ?? []).toSpliced(1, 0, `refs/heads/ralph/diamond ${run.head_commit}`),
  );
  expect(after[at]?.slice(1)).toEqual(before[at]?.slice(1));

  // The landed tree is the gated tree.
  const commits = (await holder.git('rev-list', '--reverse', `${run.base_commit}..${run.head_commit}`)).split('\n');
  expect(commits).toHaveLength(stories.length);
  for (const commit of commits) {
    const made = steps.find(
      ({ result }) => (result?.kind === 'check' || result?.kind === 'land') && result.commit === commit,
    )?.result;
    if (made?.kind !== 'check' && made?.kind !== 'land') throw new Error(`no step has made ${commit}`);
    expect(await holder.git('rev-parse', `${commit}^{tree}`)).toBe(made.tree);
    expect(made.results.map(({ passed }) => passed)).not.toContain(false);
    expect(await holder.git('show', `${commit}:progress.txt`)).toContain(`# Progress: shop (run ${runId})`);
  }
  const landed = new Map<string, string>(
    run.story_results.map((story: { story_id: string; commit: string }) => [story.story_id, story.commit]),
  );
  const isOn = (below: string, above: string): Promise<string> =>
    holder.git('merge-base', '--is-ancestor', landed.get(below) ?? '', landed.get(above) ?? '');
  for (const story of middle) {
    await isOn('US-001', story);
    await isOn(story, 'US-006');
  }
  const words = (await holder.git('show', `${run.head_commit}:words.txt`)).split('\n');
  expect(words.toSorted()).toEqual(['first', 'second', 'third']);

  for (const machine of site.machines) await machine.stop();
  for (const { git, leftAttempts } of site.machines) {
    expect((await git('worktree', 'list')).split('\n')).toHaveLength(1);
    expect(await leftAttempts()).toEqual([]);
  }
}, 300_000);
