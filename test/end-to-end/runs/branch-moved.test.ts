// A person moves or checks out the branch of a run, with real git and the whole service: continue, rename, nothing
// overwritten. runs-15, scenario 16.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRealRunSite, type RealRunSite } from '../../support/runs/real-run.ts';
import type { ApiReply } from '../../support/service.ts';
import { waitFor } from '../../support/worker/local-worker.ts';
import { shellPrompt } from '../../support/worker/run-fixture.ts';
import { until } from '../../support/until.ts';

let site: RealRunSite;
let folder: string;
beforeAll(async () => {
  site = await openRealRunSite({ 'words.txt': 'first\n' }, {}, (root) => {
    folder = root;
    return Promise.resolve({ gates: 'unconfined', codebase_roots: [root] });
  });
});
afterAll(() => site[Symbol.asyncDispose]());

const story = (id: string, ...lines: string[]): object => ({
  id,
  title: `Story ${id}`,
  description: shellPrompt([...lines, `echo ${id} > ${id}.txt`].join('\n')),
  acceptanceCriteria: [`\`test -e ${id}.txt\` succeeds`],
});
const start = (branchName: string, userStories: object[]): Promise<string> =>
  site.start('true', { prd: { branchName, userStories, gates: [] }, run: { agent: 'command' } });
const answer = async (runId: string, run: ApiReply['body'], body: object): Promise<void> => {
  const given = { question_id: run.questions[0].question_id, ...body };
  const reply = await site.service.call('POST', `/v1/ralph/runs/${runId}/answer`, { as: 'editor', body: given });
  expect(reply.status).toBe(200);
};
const git = (...args: string[]): Promise<string> => site.fixture.git(...args);
const trailers = '%s|%(trailers:key=Switchyard-Story,valueonly,separator=)';

it('continue puts each story as its own commit on those of a person; none of theirs is lost [runs-12.5, runs-12.10]', async () => {
  const gate = join(folder, 'moved');
  const runId = await start('moved', [story('US-001', waitFor(gate)), story('US-002')]);
  await until('the agent works', async () => {
    const { body } = await site.service.call('GET', `/v1/ralph/runs/${runId}`);
    return body.run.story_results[0].phase === 'implementing';
  });
  // The branch is new when the run begins, and a person makes it meanwhile.
  const tree = await git('rev-parse', 'main^{tree}');
  const theirs = await git('commit-tree', tree, '-p', 'main', '-m', 'theirs');
  await git('branch', 'ralph/moved', theirs);
  await writeFile(gate, '');
  await until('both stories have passed', async () => {
    const { body } = await site.service.call('GET', `/v1/ralph/runs/${runId}`);
    return body.run.stories.passed === 2 && body.run.status === 'needs_input';
  });
  const asked = await site.reaches(runId, 'needs_input');
  expect(asked.questions).toMatchObject([{ kind: 'branch_moved', data: { reason: 'moved', found: theirs } }]);
  expect(await git('rev-parse', 'ralph/moved')).toBe(theirs);
  await answer(runId, asked, { choice: 'continue' });
  const done = await site.reaches(runId, 'completed', 'failed');
  expect(done).toMatchObject({ status: 'completed', error: null });
  expect(done.warnings.map(({ code }: { code: string }) => code)).not.toContain('change_differs');
  expect((await git('log', `--format=${trailers}`, 'main..ralph/moved')).split('\n')).toEqual([
    'feat: US-002 - Story US-002|US-002',
    'feat: US-001 - Story US-001|US-001',
    'theirs|',
  ]);
  expect(await git('rev-parse', 'ralph/moved')).toBe(done.head_commit);
  const landed = (await git('rev-list', `${theirs}..ralph/moved`)).split('\n').toReversed();
  for (const [index, result] of done.story_results.entries()) {
    expect(result.commit).toBe(landed[index]);
    expect(result.criteria).toMatchObject([{ status: 'passed', by: 'check', commit: landed[index] }]);
  }
}, 120_000);

it('a branch that is checked out is left alone; rename publishes under another name [runs-12.5, runs-5.8]', async () => {
  const gate = join(folder, 'checked-out');
  const runId = await start('held', [story('US-001'), story('US-002', waitFor(gate))]);
  await until('the first story is on the branch', () =>
    git('rev-parse', '--verify', '--quiet', 'ralph/held').catch(() => undefined),
  );
  const place = join(folder, 'worktree');
  await git('worktree', 'add', '--quiet', place, 'ralph/held');
  const held = await git('rev-parse', 'ralph/held');
  await writeFile(gate, '');
  const asked = await site.reaches(runId, 'needs_input');
  expect(asked.questions).toMatchObject([{ kind: 'branch_moved', data: { reason: 'checked_out' } }]);
  await answer(runId, asked, { choice: 'rename', branch: 'ralph/free' });
  const done = await site.reaches(runId, 'completed', 'failed');
  expect(done).toMatchObject({ status: 'completed', branch_name: 'ralph/free' });
  expect(await git('rev-parse', 'ralph/free', 'ralph/held')).toBe(`${done.head_commit}\n${held}`);
  await git('worktree', 'remove', place);
}, 120_000);

it('a run on a plain folder, or before the first commit, ends with the remedy [runs-8.6]', async () => {
  for (const [path, code, remedy] of [
    ['plain', 'not_a_repository', 'git init'],
    ['empty', 'base_not_found', 'Commit something first'],
  ] as const) {
    const root = join(folder, path);
    if (path === 'plain') await mkdir(root);
    else await git('init', '--quiet', root);
    const body = { name: path, path: root, worker_id: site.worker.id };
    const { body: made } = await site.service.call('POST', '/v1/agent/codebases', { as: 'operator', body });
    const prd = { project: 'x', branchName: path, description: 'x', userStories: [{ ...story('US-001') }], gates: [] };
    const given = { codebase_id: made.codebase.codebase_id, prd, agent: 'command' };
    const { body: created } = await site.service.call('POST', '/v1/ralph/runs', { as: 'editor', body: given });
    const ended = await site.reaches(created.run_id, 'completed', 'failed', 'needs_input');
    expect(ended).toMatchObject({ status: 'failed', error: { code, message: expect.stringContaining(remedy) } });
  }
}, 60_000);
