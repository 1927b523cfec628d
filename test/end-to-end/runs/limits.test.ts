// Rate limits, models out of reach, budgets and stuck stories, through the whole service with a scripted worker.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newRunId, openRunSite, prdDocument, storyDocument, type RunSite } from '../../support/runs/new-run.ts';
import {
  fakeCommit,
  rejected,
  scriptStepWorker,
  succeed,
  type ScriptedStepWorker,
  type StepEnd,
  type StepScript,
} from '../../support/runs/scripted-step-worker.ts';
import { openService, type ApiReply, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const minute = 60_000;
let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** Time passes for one run: all its times lie further back. */
async function advance(runId: string, ms: number): Promise<void> {
  const earlier = (member: string): string =>
    `to_char(((wait->>'${member}')::timestamptz - make_interval(secs => $2)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  await service.db.query(
    `with stories as (
       update ralph_stories set wait = wait || jsonb_build_object('notBefore', ${earlier('notBefore')}, 'since', ${earlier('since')})
       where run_id = $1 and wait is not null)
     update ralph_runs set due_at = due_at - make_interval(secs => $2),
       active_since = active_since - make_interval(secs => $2) where id = $1`,
    [runId, ms / 1000],
  );
}

interface Scene {
  readonly site: RunSite;
  readonly worker: ScriptedStepWorker;
  readonly runId: string;
}

let scenes = 0;
async function open(script: StepScript, body: Record<string, unknown> = {}): Promise<Scene> {
  scenes += 1;
  const site = await openRunSite(service, `limits-${scenes}`);
  const prd = prdDocument({ userStories: [storyDocument('US-001')] });
  const runId = await newRunId(service, { codebase_id: site.codebaseId, prd, ...body });
  return { site, worker: scriptStepWorker(service, site, script), runId };
}

const read = (runId: string, rest = ''): Promise<ApiReply> => service.call('GET', `/v1/ralph/runs/${runId}${rest}`);
const answer = async (runId: string, body: Record<string, unknown>): Promise<void> => {
  const reply = await service.call('POST', `/v1/ralph/runs/${runId}/answer`, { as: 'editor', body });
  expect(reply).toMatchObject({ status: 200 });
};

/** The story waits: the run says why, and its worker finds nothing to do until this much time has passed. */
async function waits({ site, worker, runId }: Scene, reason: string, ms: number): Promise<void> {
  await until(`the run waits: ${reason}`, async () => {
    await worker.workOnce();
    const { body } = await read(runId);
    return body.run.story_results[0].phase === 'waiting' && body.run.waiting_reason === reason;
  });
  await advance(runId, ms - 20_000);
  // A round of the director with nothing to do goes by: another run gets its step.
  const other = await open(() => undefined);
  await other.worker.claimStep('prepare');
  expect(await site.worker.claim(1)).toEqual([]);
  const { body } = await read(runId);
  expect(body.run.story_results[0]).toMatchObject({ phase: 'waiting', iteration: 0 });
  await advance(runId, 30_000);
}

const kinds = ({ worker }: Scene): string[] => worker.seen.map(({ kind, n }) => `${kind} ${n}`);

/** Ends the first implementations in these ways; every other step succeeds. */
function firstly(...ends: (() => StepEnd)[]): StepScript {
  return (step) => (step.kind === 'implement' ? ends.shift()?.() : undefined);
}

describe('what is not the story’s fault', () => {
  test('a rate limit with its reset is waited for, and a minute; the same iteration goes on [runs-11.4]', async () => {
    const scene = await open(
      firstly(() => ({
        failed: { code: 'rate_limited', message: 'x', retry_at: new Date(Date.now() + 30 * minute).toISOString() },
      })),
    );
    await waits(scene, 'rate_limited', 31 * minute);
    const run = await scene.worker.workUntil(scene.runId, 'completed', 'failed', 'needs_input');
    expect(run).toMatchObject({ status: 'completed', current_iteration: 1, spent: { iterations: 1 } });
    expect(kinds(scene)).toEqual(['prepare 0', 'implement 1', 'implement 1', 'check 1', 'publish 0']);
  });

  test('a rate limit without one, and a model out of reach, wait 1 and 5 minutes [runs-11.3]', async () => {
    const scene = await open(
      firstly(
        () => ({ failed: { code: 'rate_limited', message: 'x' } }),
        () => ({ failed: { code: 'model_unreachable', message: 'x' } }),
      ),
    );
    await waits(scene, 'rate_limited', minute);
    await waits(scene, 'model_unreachable', 5 * minute);
    const run = await scene.worker.workUntil(scene.runId, 'completed', 'failed', 'needs_input');
    expect(run).toMatchObject({ status: 'completed', current_iteration: 1 });
    expect(kinds(scene).filter((kind) => kind === 'implement 1')).toHaveLength(3);
  });

  test('a refused model asks at once, and the answer goes on with the same iteration [runs-11.5]', async () => {
    const scene = await open(firstly(() => ({ failed: { code: 'model_refused', message: 'bad key' } })));
    const asked = await scene.worker.workUntil(scene.runId, 'needs_input');
    expect(asked.questions).toMatchObject([{ kind: 'agent_setup', story_id: 'US-001' }]);
    expect(await scene.site.worker.claim(1)).toEqual([]);
    await answer(scene.runId, { question_id: asked.questions[0].question_id, choice: 'retry' });
    const run = await scene.worker.workUntil(scene.runId, 'completed', 'failed', 'needs_input');
    expect(run).toMatchObject({ status: 'completed', current_iteration: 1 });
  });
});

describe('a budget', () => {
  const used = (usage: Record<string, number>): StepScript => {
    return (step) => (step.kind === 'implement' ? { result: succeed(step), usage } : undefined);
  };
  const cases: [string, Record<string, number>, Record<string, number>, Record<string, number>][] = [
    ['money', { usd: 1 }, { input_tokens: 10, output_tokens: 10, cost_usd: 1.5 }, { usd: 1 }],
    ['tokens', { tokens: 100 }, { input_tokens: 90, output_tokens: 20 }, { tokens: 100 }],
  ];

  test.each(cases)(
    'of %s stops before the next step, asks, and goes on when it is raised [runs-11.7]',
    async (_what, budget, usage, raise) => {
      const scene = await open(used(usage), { budget });
      const asked = await scene.worker.workUntil(scene.runId, 'needs_input');
      expect(asked.questions).toMatchObject([{ kind: 'budget', data: { reached: Object.keys(budget) } }]);
      expect(kinds(scene)).toEqual(['prepare 0', 'implement 1']);
      expect(await scene.site.worker.claim(1)).toEqual([]);
      const { body } = await read(scene.runId, '/events?after=0');
      const shares = body.events.filter(({ type }: { type: string }) => type === 'budget');
      expect(shares.at(-1).data).toMatchObject({ share: 100 });
      await answer(scene.runId, { question_id: asked.questions[0].question_id, choice: 'raise', ...raise });
      const run = await scene.worker.workUntil(scene.runId, 'completed', 'failed', 'needs_input');
      expect(run).toMatchObject({ status: 'completed', spent: { iterations: 1 } });
    },
  );

  test('of time is reached while a step runs, which may end [runs-11.7, runs-18.9]', async () => {
    const scene = await open(() => undefined, { budget: { seconds: 600 } });
    const held = await scene.worker.claimStep('implement');
    await advance(scene.runId, 601_000);
    const asked = await until('the question', async () => {
      const { body } = await read(scene.runId);
      return body.run.status === 'needs_input' ? body.run : undefined;
    });
    expect(asked.questions).toMatchObject([{ kind: 'budget', data: { reached: ['seconds'] } }]);
    await advance(scene.runId, 3_600_000);
    expect((await read(scene.runId)).body.run.spent.seconds).toBe(asked.spent.seconds);
    await scene.worker.release(held.assignment, { result: succeed(held.step) });
    await answer(scene.runId, { question_id: asked.questions[0].question_id, choice: 'raise', seconds: 600 });
    const run = await scene.worker.workUntil(scene.runId, 'completed', 'failed', 'needs_input');
    expect(run.status).toBe('completed');
  });

  test('in money asks once about an agent without a price, and never says that it cost nothing [runs-11.8]', async () => {
    const usage = { input_tokens: 10, output_tokens: 10 };
    const scene = await open(used(usage), { budget: { usd: 5 } });
    const asked = await scene.worker.workUntil(scene.runId, 'needs_input');
    expect(asked).toMatchObject({
      questions: [{ kind: 'unpriced' }],
      spent: { usd: null, tokens: 20, unpriced_steps: 1 },
    });
    await answer(scene.runId, { question_id: asked.questions[0].question_id, choice: 'go_on' });
    const run = await scene.worker.workUntil(scene.runId, 'completed', 'failed', 'needs_input');
    expect(run).toMatchObject({ status: 'completed', spent: { usd: null, unpriced_steps: 1 } });
  });
});

describe('a stuck story', () => {
  const failing = 'expected 2, got 3';
  /** Every candidate is rejected. @param tree of the candidate @param tail what the gate printed */
  const stuck = (tree: (n: number) => string, tail: (n: number) => string, code = 'gate_failed'): StepScript => {
    return (step) => {
      if (step.kind === 'implement') {
        const good = succeed(step);
        if (good.kind !== 'implement') throw new Error('no implement');
        const commit = fakeCommit('candidate', tree(step.n));
        return { result: { ...good, candidate: { commit, tree: fakeCommit(tree(step.n)) } } };
      }
      if (step.kind !== 'check') return undefined;
      const result = rejected(step, code, () => false);
      const results = result.results.map((one) => ({ ...one, tail: tail(step.n) }));
      return { result: { ...result, tree: fakeCommit(tree(step.n)), no_change: code === 'no_change', results } };
    };
  };
  const differs = (n: number): string =>
    `error: the ${['first', 'second', 'third', 'fourth', 'fifth', 'sixth'][n - 1]} thing`;
  const cases: [string, string, StepScript][] = [
    ['the same tree', 'same_tree', stuck(() => 'tree', differs)],
    [
      'the same failure',
      'same_failure',
      stuck(
        (n) => `tree ${n}`,
        () => failing,
      ),
    ],
    ['no change', 'no_change', stuck((n) => `tree ${n}`, differs, 'no_change')],
  ];

  test.each(cases)('by %s twice is diagnosed once, then asked about [runs-11.6]', async (_what, reason, script) => {
    const scene = await open(script, { max_iterations: 9 });
    const asked = await scene.worker.workUntil(scene.runId, 'needs_input', 'failed', 'completed');
    expect(asked.questions).toMatchObject([{ kind: 'stuck', story_id: 'US-001', data: { reason } }]);
    expect(kinds(scene).filter((kind) => kind.startsWith('diagnose'))).toHaveLength(1);
    const { body } = await read(scene.runId, '/learnings?kind=diagnosis');
    expect(body.learnings).toMatchObject([{ text: 'Try it another way.', author: 'agent' }]);
    await answer(scene.runId, { question_id: asked.questions[0].question_id, choice: 'give_up' });
    const run = await scene.worker.workUntil(scene.runId, 'failed', 'completed', 'needs_input');
    expect(run).toMatchObject({ status: 'failed', error: { code: 'stories_failed' } });
  });

  test('is none that polls: the same words of an agent over and over mean nothing [runs-11.6]', async () => {
    const worker = stuck((n) => `tree ${n}`, differs);
    const scene = await open(worker, { max_iterations: 4 });
    for (let n = 1; n <= 4; n++) {
      const held = await scene.worker.claimStep('implement');
      const lines = Array.from({ length: 50 }, (_, i) => ({
        type: 'output',
        n: i + 1,
        stream: 'agent',
        text: 'Waiting for the build…\n',
      }));
      await scene.site.worker.report(held.assignment, lines);
      const end = worker(held.step);
      if (end === undefined) throw new Error('no end');
      await scene.worker.release(held.assignment, end);
    }
    const run = await scene.worker.workUntil(scene.runId, 'failed', 'completed', 'needs_input');
    expect(run).toMatchObject({ status: 'failed', current_iteration: 4 });
    expect(kinds(scene).some((kind) => kind.startsWith('diagnose'))).toBe(false);
  });
});
