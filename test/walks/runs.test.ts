// Autonomous runs, as their users see them: stories become commits, failures are learnt from, people are asked. tools-2.2.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { startScriptedModel } from '../support/agents/scripted-model.ts';
import { until } from '../support/until.ts';
import { haveExited, pidsIn } from '../support/worker/left-processes.ts';
import { calculator, computes, implementsStories, operation, writes } from './support/calculator.ts';
import { leavesProcesses, requestsInput, untilThere } from './support/prompts.ts';
import { branchesOf, inFreshClone, messagesOn } from './support/repository.ts';
import { shellStory, WalkedRun } from './support/walked-run.ts';
import type { WalkContext } from './support/walk-context.ts';
import { walks } from './support/walk.ts';
import type { WorkerOptions } from './support/worker-process.ts';

/** A worker on a calculator of its own. */
async function site(
  on: WalkContext,
  options: Partial<WorkerOptions> = {},
  more: Readonly<Record<string, string>> = {},
): Promise<{ repository: string; codebaseId: string }> {
  const repository = await on.repository('calculator', { ...calculator, ...more });
  const worker = await on.worker({ codebases: [{ path: repository }], ...options });
  return { repository, codebaseId: (await on.codebaseAt(worker, repository)).codebase_id };
}

/** The commands of gates reach the folder of the walk. */
const unconfined = { env: { A2A_WORKER_GATES: 'unconfined' } } as const;

/** The built-in agent that asks a model at this address. */
const modelAgent = (url: string): Record<string, string> => ({
  A2A_AGENT_BIN: 'model',
  MODEL_PROVIDER_ENDPOINT: `${url}/v1`,
  MODEL_PROVIDER_API_KEY: 'key-of-the-scripted-model',
  MODEL_DEPLOYMENT_NAME: 'scripted',
});

const product = operation('product', '*', 18);
const quotient = operation('quotient', '/', 2);
const wrongQuotient = { ...quotient, 'src/quotient.js': 'export const quotient = (a, b) => a - b;\n' };

/** The commits of a run: a subject for each story, oldest first, all with the trailers of the run. */
async function expectCommits(repository: string, runId: string, stories: readonly (readonly [string, number])[]) {
  const messages = (await messagesOn(repository, 'ralph/work')).toReversed();
  expect(messages).toHaveLength(stories.length);
  for (const [at, [story, iteration]] of stories.entries()) {
    const message = messages[at] ?? '';
    expect(message.split('\n')[0]).toBe(`feat: ${story} - Story ${story}`);
    expect(message.split('\n').slice(-5)).toEqual([
      `Switchyard-Run: ${runId}`,
      `Switchyard-Story: ${story}`,
      `Switchyard-Iteration: ${iteration}`,
      'Switchyard-Gates: typecheck=pass test=pass',
      expect.stringMatching(/^Switchyard-Task: [0-9a-f-]{36}$/),
    ]);
  }
}

/** The facts of the first attempt in the prompt of the second. */
async function expectLearnt(run: WalkedRun, progress: string) {
  const { prompt } = await run.taskOf('implement', 'US-002', 2);
  expect(prompt).toContain('# The last attempt (iteration 1) and why it was rejected');
  for (const text of [prompt, progress]) {
    expect(text).toContain('- `npm test` exit 1');
    expect(text).toContain('the quotient of six and three');
    expect(text).toContain('3 !== 2');
    expect(text).toContain('test/quotient.test.js:4');
  }
  expect(progress).toContain('US-002, iteration 1: failed');
}

walks('runs', { on: ['embedded', 'replicas'] }, (walk) => {
  walk(
    ['run-stories'],
    'three stories become three commits; the second fails first and knows why [runs-5.1, runs-5.6, runs-5.13, runs-6.2.1, runs-8.4, runs-9.3, runs-9.5, runs-9.6]',
    async (on) => {
      const { repository, codebaseId } = await site(on);
      const seen = path.join(on.folder, 'progress-of-the-second-attempt');
      const run = await WalkedRun.create(on, codebaseId, [
        shellStory(
          'US-001',
          [...writes(product), 'echo "SUMMARY: It multiplies."'],
          computes('product', 18),
          'Tests pass',
        ),
        shellStory(
          'US-002',
          [
            `if ! grep -q 'the quotient of' progress.txt; then`,
            ...writes(wrongQuotient),
            'exit; fi',
            `cp progress.txt '${seen}'`,
            ...writes(quotient),
          ],
          computes('quotient', 2),
        ),
        shellStory('US-003', ['echo "# Calculator" > README.md'], '`grep -q Calculator README.md` succeeds'),
      ]);
      const ended = await run.completed();
      expect(ended).toMatchObject({
        current_iteration: 2,
        error: null,
        stories: { total: 3, passed: 3, pending: 0, running: 0, failed: 0 },
        spent: { iterations: 4, usd: null },
      });
      expect(ended.story_results.map(({ status, iteration, result }) => [status, iteration, result])).toEqual([
        ['passed', 1, expect.stringMatching(/^commit [0-9a-f]{7}: 2 of 2 criteria \(2 by test\)$/)],
        ['passed', 2, expect.stringMatching(/: 1 of 1 criteria \(1 by test\)$/)],
        ['passed', 1, expect.stringMatching(/: 1 of 1 criteria \(1 by test\)$/)],
      ]);
      await expectLearnt(run, await readFile(seen, 'utf8'));
      await expectLearnt(run, await run.progress());
      await expectCommits(repository, run.id, [
        ['US-001', 1],
        ['US-002', 2],
        ['US-003', 1],
      ]);
      expect((await messagesOn(repository, 'ralph/work'))[2]).toContain('\n\nIt multiplies.\n\n');
      expect(await branchesOf(repository)).toEqual(['main', 'ralph/work']);
      expect(await inFreshClone(repository, 'ralph/work', ['npm', 'test'])).toContain('pass 3');
      expect(await inFreshClone(repository, 'ralph/work', ['ls'])).toBe('README.md\npackage.json\nsrc\ntest\n');
    },
  );

  walk(
    ['run-model'],
    'the built-in agent implements them, each attempt in a fresh session [runs-8.7, runs-9.1, tools-1.4, tools-3.6]',
    async (on) => {
      const model = on.use(
        await startScriptedModel([
          implementsStories({
            'US-001': () => product,
            'US-002': (again) => (again ? quotient : wrongQuotient),
            'US-003': () => ({ 'README.md': '# Calculator\n' }),
          }),
        ]),
      );
      const { repository, codebaseId } = await site(on, { env: modelAgent(model.url) });
      const run = await WalkedRun.create(on, codebaseId, [
        { id: 'US-001', acceptanceCriteria: [computes('product', 18)] },
        { id: 'US-002', acceptanceCriteria: [computes('quotient', 2)] },
        { id: 'US-003', acceptanceCriteria: ['`grep -q Calculator README.md` succeeds'] },
      ]);
      await run.completed();
      await expectLearnt(run, await run.progress());
      await expectCommits(repository, run.id, [
        ['US-001', 1],
        ['US-002', 2],
        ['US-003', 1],
      ]);
      expect((await messagesOn(repository, 'ralph/work'))[1]).toContain('\n\nUS-002 is done better.\n\n');
      expect(await inFreshClone(repository, 'ralph/work', ['npm', 'test'])).toContain('pass 3');
      // A session begins without a result of a tool: once for each attempt, and nothing of an earlier one.
      const begun = model.requests.filter(({ results }) => results === 0);
      expect(begun).toHaveLength(4);
      expect(begun.filter(({ raw }) => raw.includes('is done'))).toEqual([]);
    },
  );

  walk(
    ['run-exhausted'],
    'a story that never passes fails its run after its iterations, and what depends on it does not begin [runs-5.9, runs-5.10, runs-5.11, runs-5.14]',
    async (on) => {
      const { repository, codebaseId } = await site(on);
      const stories = [
        shellStory('US-001', writes(product), computes('product', 18)),
        shellStory('US-002', [...writes(wrongQuotient), 'date +%N > attempt.txt'], 'Tests pass'),
        shellStory('US-003', ['echo never > never.txt'], '`test -e never.txt` succeeds'),
      ];
      const run = await WalkedRun.create(on, codebaseId, stories, { max_iterations: 2 });
      const ended = await run.ended();
      expect(ended).toMatchObject({
        status: 'failed',
        current_iteration: 2,
        max_iterations: 2,
        error: { code: 'stories_failed' },
        stories: { passed: 1, failed: 2 },
      });
      expect(ended.story_results.map(({ result }) => result)).toEqual([
        expect.stringMatching(/^commit /),
        expect.stringMatching(
          /^2 iterations: `npm test` exit 1: the quotient of six and three.*\(test\/quotient\.test\.js:4\)$/,
        ),
        'not started: it depends on US-002, which failed',
      ]);
      await expectCommits(repository, run.id, [['US-001', 1]]);
      const { attempts } = await on.must(200, 'GET', `${run.where}/stories/US-002/attempts`);
      expect(attempts.map(({ n, status }: { n: number; status: string }) => [n, status])).toEqual([
        [1, 'failed'],
        [2, 'failed'],
      ]);
    },
  );

  walk(
    ['run-cancel'],
    'a run that is cancelled while its agent works has no process left, and keeps its commits [runs-6.1.4, runs-8.8]',
    async (on) => {
      const { repository, codebaseId } = await site(on);
      const file = path.join(on.folder, 'pids');
      const run = await WalkedRun.create(on, codebaseId, [
        shellStory('US-001', writes(product), computes('product', 18)),
        shellStory('US-002', [...leavesProcesses(file), 'sleep 600'], 'Tests pass'),
      ]);
      const pids = await pidsIn(file);
      const cancelled = await run.steer('cancel', { reason: 'enough' });
      expect(cancelled).toMatchObject({ status: 'cancelled', current_iteration: 1 });
      await haveExited(pids);
      expect(await run.ended()).toMatchObject({
        status: 'cancelled',
        story_results: [{ status: 'passed' }, { status: 'failed', iteration: 0 }],
      });
      await expectCommits(repository, run.id, [['US-001', 1]]);
      const { attempts } = await on.must(200, 'GET', `${run.where}/stories/US-002/attempts`);
      expect(attempts).toMatchObject([{ n: 1, status: 'void' }]);
      expect((await on.call('POST', `${run.where}/cancel`, { body: {} })).body).toMatchObject({
        code: 'run_finished',
      });
    },
  );

  walk(
    ['run-cancel'],
    'a run that is cancelled while a gate runs has no process left, and nothing on a branch [runs-6.1.4, runs-8.8]',
    async (on) => {
      const { repository, codebaseId } = await site(on, unconfined);
      const file = path.join(on.folder, 'pids');
      const check = ['[ -e made.txt ] || exit 1', ...leavesProcesses(file), 'sleep 600'].join('\n');
      const story = shellStory('US-001', ['echo made > made.txt'], 'It is made.');
      const run = await WalkedRun.create(on, codebaseId, [{ ...story, checks: [{ criterion: 0, command: check }] }]);
      const pids = await pidsIn(file);
      expect(await run.steer('cancel')).toMatchObject({ status: 'cancelled', current_iteration: 0 });
      await haveExited(pids);
      const ended = await run.ended();
      expect(ended.story_results).toMatchObject([{ status: 'failed', iteration: 0, commit: null }]);
      expect((await run.taskOf('check', 'US-001', 1)).status).toBe('cancelled');
      expect(await branchesOf(repository)).toEqual(['main']);
    },
  );

  walk(
    ['run-cancel', 'run-judge'],
    'a run that is cancelled while its reviewer reads ends at once, and its worker goes on [runs-6.1.4, runs-8.8]',
    async (on) => {
      const implement = implementsStories({ 'US-001': () => product });
      let asked = 0;
      const model = on.use(
        await startScriptedModel([
          (request) => {
            if (!request.raw.includes('You judge whether')) return implement(request);
            asked += 1;
            return { hang: true };
          },
        ]),
      );
      const { repository, codebaseId } = await site(on, { env: modelAgent(model.url) });
      const criteria = { id: 'US-001', acceptanceCriteria: ['The code is short'] };
      const run = await WalkedRun.create(on, codebaseId, [criteria]);
      await until('the reviewer was asked', () => asked === 1);
      expect(await run.steer('cancel')).toMatchObject({ status: 'cancelled' });
      const ended = await run.ended();
      expect(ended.story_results).toMatchObject([{ status: 'failed', iteration: 0, commit: null }]);
      expect((await run.taskOf('judge', 'US-001', 1)).status).toBe('cancelled');
      expect(await branchesOf(repository)).toEqual(['main']);
      const next = { id: 'US-001', acceptanceCriteria: [computes('product', 18)] };
      await (await WalkedRun.create(on, codebaseId, [next])).completed();
    },
  );

  walk(
    ['run-cancel'],
    'a run that is cancelled before its commit is on the branch still puts it there [runs-6.1.4, runs-8.4]',
    async (on) => {
      const { repository, codebaseId } = await site(on, unconfined);
      const at = (name: string): string => path.join(on.folder, name);
      const check = ['[ -e made.txt ] || exit 1', `echo > '${at('begun')}'`, untilThere(at('gate'))].join('\n');
      const made = shellStory('US-001', ['echo made > made.txt'], 'It is made.');
      const never = shellStory('US-002', ['echo never > never.txt'], '`test -e never.txt` succeeds');
      const run = await WalkedRun.create(on, codebaseId, [
        { ...made, checks: [{ criterion: 0, command: check }] },
        never,
      ]);
      await until('the check runs', async () => (await readFile(at('begun')).catch(() => undefined)) !== undefined);
      // It takes the only slot of the worker before the step that moves the branch.
      const holder = await on.task(codebaseId, [untilThere(at('held'))], { priority: 100 });
      await writeFile(at('gate'), '');
      await run.seen('landing', ({ event }) => event === 'landed');
      expect(await branchesOf(repository)).toEqual(['main']);
      expect(await run.steer('cancel')).toMatchObject({ status: 'cancelled', stories: { passed: 1, failed: 1 } });
      expect((await on.get(holder)).status).toBe('running');
      await writeFile(at('held'), '');
      await until('the branch', async () => (await branchesOf(repository)).includes('ralph/work'));
      await expectCommits(repository, run.id, [['US-001', 1]]);
    },
  );

  walk(
    ['run-pause'],
    'paused at once while a story lands, a run gates the merged files again and loses no iteration [runs-8.8, runs-12.2]',
    async (on) => {
      const { repository, codebaseId } = await site(on, { ...unconfined, slots: 2 });
      const at = (name: string): string => path.join(on.folder, name);
      const merged = `[ -e first.txt ] && [ -e second.txt ] && [ ! -e '${at('again')}' ]`;
      const gate = [`if ${merged}; then`, ...leavesProcesses(at('pids')), 'sleep 600; fi'].join('\n');
      // Each waits for the other, so that both begin at the base.
      const story = (id: string, mine: string, other: string): ReturnType<typeof shellStory> =>
        shellStory(
          id,
          [`echo > '${at(mine)}'`, untilThere(at(other)), `echo ${mine} > ${mine}.txt`],
          `\`test -e ${mine}.txt\` succeeds`,
        );
      const stories = [story('US-001', 'first', 'second'), story('US-002', 'second', 'first')];
      const gates = [{ id: 'merged', command: gate }];
      const run = await WalkedRun.create(on, codebaseId, stories, { mode: 'parallel', gates });
      const pids = await pidsIn(at('pids'));
      expect(await run.steer('pause', { mode: 'now' })).toMatchObject({ status: 'paused', stories: { passed: 1 } });
      await haveExited(pids);
      await writeFile(at('again'), '');
      await run.steer('resume');
      expect(await run.completed()).toMatchObject({ current_iteration: 1, spent: { iterations: 2 } });
      const messages = await messagesOn(repository, 'ralph/work');
      expect(new Set(messages.map((message) => message.split('\n')[0]))).toEqual(
        new Set(['feat: US-001 - Story US-001', 'feat: US-002 - Story US-002']),
      );
      expect(await inFreshClone(repository, 'ralph/work', ['ls'])).toContain('first.txt\npackage.json\nsecond.txt\n');
    },
  );

  walk(
    ['run-pause', 'run-cancel'],
    'paused at once while implementing and while checking, a run goes on in the same iteration [runs-5.1, runs-11.1, runs-8.8]',
    async (on) => {
      const { repository, codebaseId } = await site(on, unconfined);
      const at = (name: string): string => path.join(on.folder, name);
      const slow = (name: string): string[] => [
        `if [ ! -e '${at(`${name}-again`)}' ]; then`,
        ...leavesProcesses(at(`${name}-pids`)),
        'sleep 600; fi',
      ];
      const check = ['[ -e made.txt ] || exit 1', ...slow('check')].join('\n');
      const story = shellStory('US-001', [...slow('implement'), 'echo made > made.txt'], 'It is made.');
      const run = await WalkedRun.create(on, codebaseId, [{ ...story, checks: [{ criterion: 0, command: check }] }]);
      for (const name of ['implement', 'check']) {
        const pids = await pidsIn(at(`${name}-pids`));
        expect(await run.steer('pause', { mode: 'now' })).toMatchObject({ status: 'paused', current_iteration: 0 });
        await haveExited(pids);
        await writeFile(at(`${name}-again`), '');
        expect(await run.steer('resume')).toMatchObject({ status: 'running' });
      }
      expect(await run.completed()).toMatchObject({ current_iteration: 1, spent: { iterations: 1 } });
      await expectCommits(repository, run.id, [['US-001', 1]]);
    },
  );

  walk(
    ['run-pause'],
    'paused after its step, a run starts no other one until it is resumed [runs-6.1.4]',
    async (on) => {
      const { repository, codebaseId } = await site(on);
      const [begun, gate] = [path.join(on.folder, 'begun'), path.join(on.folder, 'gate')];
      const run = await WalkedRun.create(on, codebaseId, [
        shellStory('US-001', [`echo > '${begun}'`, untilThere(gate), ...writes(product)], computes('product', 18)),
      ]);
      await until('the agent works', async () => (await readFile(begun).catch(() => undefined)) !== undefined);
      expect(await run.steer('pause')).toMatchObject({ status: 'paused' });
      await writeFile(gate, '');
      await run.seen(
        'end of the step',
        ({ event, data }) => event === 'step' && data.data.kind === 'implement' && data.data.status === 'ok',
      );
      expect(await run.read()).toMatchObject({ status: 'paused', story_results: [{ phase: 'checking' }] });
      await run.steer('resume');
      expect(await run.completed()).toMatchObject({ current_iteration: 1 });
      await expectCommits(repository, run.id, [['US-001', 1]]);
    },
  );

  walk(
    ['run-question'],
    'a gate that is red before the work is asked about, and ignored where the answer says so [runs-5.7, runs-6.1.5, runs-10.4]',
    async (on) => {
      const red = { 'test/sum.test.js': calculator['test/sum.test.js']?.replace('3)', '4)') ?? '' };
      const { repository, codebaseId } = await site(on, {}, red);
      const run = await WalkedRun.create(on, codebaseId, [
        shellStory('US-001', writes(product), computes('product', 18)),
      ]);
      const question = await run.question('baseline_red');
      expect(question).toMatchObject({ story_id: null, options: ['fix_first', 'ignore', 'cancel'] });
      expect(question.text).toContain('npm test');
      const answer = { question_id: question.question_id, choice: 'ignore' };
      const refused = await on.call('POST', `${run.where}/answer`, { body: { ...answer, choice: 'perhaps' } });
      expect(refused.status).toBe(400);
      await run.steer('answer', answer);
      await run.completed();
      expect((await messagesOn(repository, 'ralph/work'))[0]).toContain('Switchyard-Gates: typecheck=pass test=fail');
      expect((await on.call('POST', `${run.where}/answer`, { body: answer })).status).toBe(409);
    },
  );

  walk(
    ['run-question'],
    'a story that its agent calls impossible twice passes by the hint of a person [runs-5.8, runs-6.1.5]',
    async (on) => {
      const { repository, codebaseId } = await site(on);
      const lines = [
        "if ! grep -q 'multiply them' progress.txt; then echo 'SWITCHYARD_BLOCKED: nobody says how'; exit; fi",
        ...writes(product),
      ];
      const run = await WalkedRun.create(on, codebaseId, [shellStory('US-001', lines, computes('product', 18))]);
      const question = await run.question('blocked');
      expect(question.text).toContain('nobody says how');
      await run.steer('answer', { question_id: question.question_id, choice: 'hint', text: 'Please multiply them.' });
      await run.completed();
      expect(await messagesOn(repository, 'ralph/work')).toHaveLength(1);
    },
  );

  walk(
    ['run-question'],
    'a question of the agent is answered over REST, and the same step goes on [runs-11.1]',
    async (on) => {
      const { repository, codebaseId } = await site(on);
      const run = await WalkedRun.create(on, codebaseId, [
        shellStory('US-001', requestsInput('which word?'), '`grep -q blue answer.txt` succeeds'),
      ]);
      const question = await run.question('agent');
      expect(question.text).toContain('which word?');
      await run.steer('answer', { question_id: question.question_id, text: 'blue' });
      expect(await run.completed()).toMatchObject({ current_iteration: 1 });
      expect(await inFreshClone(repository, 'ralph/work', ['cat', 'answer.txt'])).toBe('blue\n');
    },
  );

  walk(
    ['run-judge'],
    'a reviewer passes what no command shows with a quote that stands in the file; a pause of its step costs nothing [runs-10.2, runs-10.12]',
    async (on) => {
      const quote = { path: 'src/product.js', line: 1, text: 'export const product' };
      const verdict = { criteria: [{ index: 1, verdict: 'pass', quotes: [quote], reason: 'It is short.' }] };
      let asked = 0;
      const implement = implementsStories({ 'US-001': () => product });
      const model = on.use(
        await startScriptedModel([
          (request) => {
            if (!request.raw.includes('You judge whether')) return implement(request);
            asked += 1;
            return asked === 1 ? { hang: true } : { reply: JSON.stringify(verdict) };
          },
        ]),
      );
      const { repository, codebaseId } = await site(on, { env: modelAgent(model.url) });
      const run = await WalkedRun.create(on, codebaseId, [
        { id: 'US-001', acceptanceCriteria: [computes('product', 18), 'The code is short'] },
      ]);
      await run.inPhase('judging', 'US-001');
      await until('the reviewer was asked', () => asked === 1);
      await run.steer('pause', { mode: 'now' });
      await run.steer('resume');
      const ended = await run.completed();
      expect(ended).toMatchObject({ current_iteration: 1, spent: { iterations: 1 } });
      expect(ended.story_results[0]?.result).toMatch(/: 2 of 2 criteria \(1 by test, 1 by reviewer\)$/);
      const { story } = await on.must(200, 'GET', `${run.where}/stories/US-001`);
      expect(story.criteria[1]).toMatchObject({ status: 'passed', by: 'judge' });
      const verdictOfJudge = story.evidence.find(({ by }: { by: string }) => by === 'judge');
      expect(verdictOfJudge).toMatchObject({ status: 'passed', quotes: [quote], reason: 'It is short.' });
      const judged = model.requests.find(({ raw }) => raw.includes('You judge whether'));
      expect(judged?.raw).toContain('export const product');
      expect(judged?.raw).not.toContain('US-001 is done');
      await expectCommits(repository, run.id, [['US-001', 1]]);
    },
  );

  walk(
    ['run-example'],
    'the example document becomes three commits in a repository that has nothing [runs-6.1.1]',
    async (on) => {
      const { repository, codebaseId } = await on.workplace();
      const prd = await readFile(path.join(import.meta.dirname, '../../examples/prd/hello.yaml'), 'utf8');
      const run = await WalkedRun.of(on, { codebase_id: codebaseId, prd });
      expect(await run.completed()).toMatchObject({ branch_name: 'ralph/hello', current_iteration: 1 });
      expect(await messagesOn(repository, 'ralph/hello')).toHaveLength(3);
      expect(await inFreshClone(repository, 'ralph/hello', ['sh', 'test.sh'])).toBe('');
      expect(await inFreshClone(repository, 'ralph/hello', ['sh', 'hello.sh', 'Ada'])).toBe('Hello, Ada\n');
    },
  );
});
