// One look of the director: every effect changes its rows, a look is one transaction, and its steps have their tasks.
import { beforeEach, describe, expect, it } from 'vitest';
import type { RunEffect } from '../../../../src/domain/model/run/effect.ts';
import type { ImplementResult } from '../../../../src/domain/model/run/step.ts';
import { lookAtRun } from '../../../../src/domain/runs/director/look-at-run.ts';
import { answerTask } from '../../../../src/domain/tasks/exchange/answer.ts';
import { buildStepPlan, buildStory } from '../../../support/builders/run-records.ts';
import { editor } from '../../../support/queue/queue-driver.ts';
import { useQueueFixture } from '../../../support/queue/queue-fixture.ts';
import { openDirectorFixture, type DirectorFixture } from '../../../support/runs/director-fixture.ts';

const base = 'a'.repeat(40);
const commit = 'b'.repeat(40);
const tree = 'c'.repeat(40);
const tenantId = 'default';

const implemented: ImplementResult = {
  kind: 'implement',
  agent: 'model',
  candidate: { commit, tree },
  changed: [],
  notes: '',
  patterns: [],
  blocked: null,
  asks: null,
  summary: 'done',
};

const started: readonly RunEffect[] = [
  {
    type: 'setRun',
    change: { status: 'running', baseCommit: base, headCommit: base, startedAt: '2026-01-02T03:04:05.678Z' },
  },
  { type: 'setStory', storyId: 'US-001', change: { status: 'running', phase: 'implementing' } },
  { type: 'openAttempt', storyId: 'US-001', n: 1, try: 1, base },
  { type: 'openStep', plan: buildStepPlan({ base }) },
  { type: 'event', event: 'story', data: { story_id: 'US-001', status: 'running' } },
  { type: 'event', event: 'run', data: { status: 'running', current_iteration: 0 } },
];

const fixture = useQueueFixture();
let director: DirectorFixture;
beforeEach(async () => {
  const { db, verbs } = fixture();
  director = await openDirectorFixture(verbs, db);
});

async function begunRun(): Promise<string> {
  const runId = await director.createRun();
  director.decisions.push(() => started);
  expect(await lookAtRun(director.deps, { tenantId, runId })).toMatchObject({ outcome: 'changed' });
  return runId;
}

const look = (runId: string, ...effects: RunEffect[]) => {
  director.decisions.push(() => effects);
  return lookAtRun(director.deps, { tenantId, runId });
};

describe('a look', () => {
  it('opens a step with its task, and numbers the events without a gap [runs-6.2.1, runs-7.1]', async () => {
    const { db } = fixture();
    const runId = await begunRun();
    const [step, run, attempts, events] = await director.rows(async (rows) => [
      (await rows.runSteps.list(runId))[0],
      await rows.runs.find(runId),
      await rows.runStories.attempts(runId),
      await rows.runRecords.events(runId, 0, 100),
    ]);
    expect(run).toMatchObject({ status: 'running', headCommit: base, version: 2, lastSeq: 3 });
    expect(step).toMatchObject({ kind: 'implement', storyId: 'US-001', status: 'open', base });
    expect(attempts).toMatchObject([
      { n: 1, try: 1, status: 'open', promptSha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(events.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'step'],
      [2, 'story'],
      [3, 'run'],
    ]);
    const task = await director.driver.currentTask(step?.taskId ?? '');
    expect(task).toMatchObject({
      status: 'pending',
      createdBy: 'token:test',
      step: { kind: 'implement', run_id: runId },
    });
    expect(await db.query('select step_run_id, topic from tasks where id = $1', [task.id])).toEqual([
      { step_run_id: runId, topic: 'task_ended' },
    ]);
    expect(await director.driver.claim(director.workerId)).toMatchObject([{ task: { id: task.id } }]);
  });

  it('reads the answer of a completed step, its bundle and its usage', async () => {
    const runId = await begunRun();
    const held = await director.driver.claimOne(director.workerId);
    await director.driver.release(held, {
      usage: { input_tokens: 5 },
      artifacts: [
        { artifact_id: 'a1', name: 'step', mime_type: 'application/json', data: implemented },
        { artifact_id: 'a2', name: 'bundle', mime_type: 'application/x-git-bundle', bytes: 'YQ==' },
      ],
    });
    await look(runId);
    expect(director.seen.at(-1)?.openSteps).toMatchObject([
      {
        task: {
          status: 'completed',
          result: implemented,
          bundleArtifactId: 'a2',
          usage: { input_tokens: 5 },
          workerId: director.workerId,
          error: null,
        },
      },
    ]);
    expect(director.seen.at(-1)?.workers).toEqual([
      { workerId: director.workerId, online: true, offlineSince: null, agents: [] },
    ]);
  });

  it('reads an answer that is text, and takes one of another form for none [runs-7.6]', async () => {
    const runId = await begunRun();
    const held = await director.driver.claimOne(director.workerId);
    const artifact = { artifact_id: 'a1', name: 'step', mime_type: 'application/json' };
    await director.driver.release(held, { artifacts: [{ ...artifact, text: JSON.stringify(implemented) }] });
    await look(runId);
    expect(director.seen.at(-1)?.openSteps[0]?.task?.result).toEqual(implemented);
    const { db } = fixture();
    await db.query(`update task_events set data = data || '{"text": "{"}' where type = 'artifact' and task_id = $1`, [
      held.task.id,
    ]);
    await look(runId);
    expect(director.seen.at(-1)?.openSteps[0]?.task).toMatchObject({ status: 'completed', result: undefined });
  });

  it('keeps the time of a rate limit in the error of a step', async () => {
    const runId = await begunRun();
    const held = await director.driver.claimOne(director.workerId);
    const error = { code: 'rate_limited', message: 'later', retry_at: '2100-01-02T03:04:05.678Z' };
    await director.driver.release(held, { status: 'failed', error });
    await look(runId);
    expect(director.seen.at(-1)?.openSteps[0]?.task?.error).toMatchObject({
      code: 'rate_limited',
      retryAt: '2100-01-02T03:04:05.678Z',
    });
  });

  it('closes a step, records what it showed, and lands its commit', async () => {
    const runId = await begunRun();
    const [step] = await director.rows((rows) => rows.runSteps.list(runId));
    if (step === undefined) throw new Error('no step');
    await look(
      runId,
      {
        type: 'closeStep',
        stepId: step.id,
        status: 'ok',
        code: null,
        result: implemented,
        workerId: director.workerId,
        bundleArtifactId: 'a2',
      },
      {
        type: 'setAttempt',
        storyId: 'US-001',
        n: 1,
        try: 1,
        change: { status: 'passed', candidateCommit: commit, ended: true },
      },
      { type: 'addEvidence', evidence: someEvidence },
      { type: 'addLearning', storyId: 'US-001', n: 1, kind: 'note', author: 'agent', text: 'use tabs' },
      { type: 'addLearning', storyId: 'US-001', n: 1, kind: 'note', author: 'agent', text: 'use tabs' },
      { type: 'land', storyId: 'US-001', commit, parent: base, source: { taskId: step.taskId, artifactId: 'a2' } },
      {
        type: 'setStory',
        storyId: 'US-001',
        change: { status: 'passed', phase: null, commit, iteration: 1, passedAt: '2026-01-02T03:04:05.678Z' },
      },
      { type: 'setRun', change: { currentIteration: 1, dueAt: '2100-01-01T00:00:00.000Z' } },
    );
    await director.rows(async (rows) => {
      expect(await rows.runs.find(runId)).toMatchObject({
        headCommit: commit,
        currentIteration: 1,
        dueAt: '2100-01-01T00:00:00.000Z',
      });
      expect(await rows.runSteps.list(runId)).toMatchObject([
        { status: 'ok', result: implemented, endedAt: expect.any(String) },
      ]);
      expect(await rows.runStories.attempts(runId)).toMatchObject([
        { status: 'passed', candidateCommit: commit, endedAt: expect.any(String) },
      ]);
      expect(await rows.runRecords.evidence(runId)).toEqual([{ ...someEvidence, at: expect.any(String) }]);
      expect(await rows.runRecords.allLearnings(runId)).toMatchObject([{ text: 'use tabs', kind: 'note' }]);
      const events = await rows.runRecords.events(runId, 3, 100);
      expect(events.map(({ type }) => type)).toEqual(['learning']);
    });
    await look(runId);
    expect(director.seen.at(-1)).toMatchObject({
      openSteps: [],
      endedSteps: [{ id: step.id }],
      evidence: [someEvidence],
      stories: [{ status: 'passed' }],
    });
  });

  it('gives the steps of a retry the bundles of what landed before [runs-12.12]', async () => {
    const { db } = fixture();
    const earlier = await begunRun();
    const [step] = await director.rows((rows) => rows.runSteps.list(earlier));
    if (step === undefined) throw new Error('no step');
    const source = { taskId: step.taskId, artifactId: 'a2' };
    await look(
      earlier,
      { type: 'land', storyId: 'US-001', commit, parent: base, source },
      { type: 'setStory', storyId: 'US-001', change: { status: 'passed', commit } },
    );
    const baseBundles = await director.rows((rows) => rows.runStories.landedBundles(earlier));
    expect(baseBundles).toEqual([{ task_id: step.taskId, artifact_id: 'a2', commit }]);
    const retry = await director.createRun({ retryOf: earlier, baseBundles });
    director.decisions.push(() => started);
    await lookAtRun(director.deps, { tenantId, runId: retry });
    const text = `select step->'fetch' as fetch from tasks where step_run_id = $1`;
    expect(await db.query(text, [retry])).toEqual([{ fetch: baseBundles }]);
  });

  it('asks a question, closes and settles questions, and removes a story', async () => {
    const runId = await begunRun();
    const question = {
      kind: 'stuck',
      storyId: 'US-001',
      text: 'What now?',
      options: ['hint', 'cancel'],
      data: { n: 1 },
    } as const;
    await look(
      runId,
      { type: 'ask', ...question },
      { type: 'ask', ...question, text: 'And now?' },
      { type: 'setRun', change: { status: 'needs_input' } },
    );
    const [first, second] = await director.rows((rows) => rows.runRecords.questions(runId));
    expect(first).toMatchObject({ ...question, answeredAt: null, settled: false });
    if (first === undefined || second === undefined) throw new Error('no questions');
    const answer = { choice: 'hint', choices: {}, text: 'try b', agent: null, commit: null, branch: null, raise: {} };
    await director.rows(async (rows) => {
      expect(await rows.runRecords.answer(runId, first.id, answer, 'token:me')).toBe(true);
      expect(await rows.runRecords.answer(runId, first.id, answer, 'token:me')).toBe(false);
    });
    await look(
      runId,
      { type: 'settleQuestion', questionId: first.id },
      { type: 'closeQuestion', questionId: second.id },
      { type: 'removeStory', storyId: 'US-001' },
    );
    await look(runId);
    expect(director.seen.at(-1)).toMatchObject({
      stories: [],
      questions: [
        { settled: true, answer, answeredBy: 'token:me' },
        { settled: true, answer: null, answeredBy: 'moot', answeredAt: expect.any(String) },
      ],
    });
  });

  it('ends the task of a step, and answers one that asks', async () => {
    const { verbs } = fixture();
    const runId = await begunRun();
    const [step] = await director.rows((rows) => rows.runSteps.list(runId));
    if (step === undefined) throw new Error('no step');
    const close = {
      type: 'closeStep',
      stepId: step.id,
      code: null,
      result: null,
      workerId: null,
      bundleArtifactId: null,
    } as const;
    await director.driver.release(await director.driver.claimOne(director.workerId), {
      status: 'needs_input',
      question: 'which?',
    });
    await look(runId, { ...close, status: 'asking' });
    expect(director.seen.at(-1)?.openSteps[0]?.task).toMatchObject({ status: 'needs_input', question: 'which?' });
    await look(
      runId,
      { type: 'answerTask', taskId: step.taskId, text: 'this one' },
      { type: 'reopenStep', stepId: step.id },
    );
    expect(await director.driver.currentTask(step.taskId)).toMatchObject({ status: 'pending' });
    expect(await director.rows((rows) => rows.runSteps.list(runId))).toMatchObject([{ status: 'open' }]);
    const held = await director.driver.claimOne(director.workerId);
    const hints: string[] = [];
    verbs.wake.listen((wake) => hints.push(wake.kind));
    await look(runId, { type: 'cancelTask', taskId: step.taskId, reason: 'paused' }, { ...close, status: 'cancelled' });
    expect(await director.driver.currentTask(held.task.id)).toMatchObject({ status: 'cancelled' });
    expect(hints).toEqual(['cancel', 'task', 'run']);
  });

  it('leaves nothing when the task of a step cannot be made [runs-7.1]', async () => {
    const runId = await director.createRun();
    director.decisions.push(() => started);
    const failing = {
      ...director.deps,
      buildStepTask: () => {
        throw new Error('no task');
      },
    };
    await expect(lookAtRun(failing, { tenantId, runId })).rejects.toThrow('no task');
    await director.rows(async (rows) => {
      expect(await rows.runs.find(runId)).toMatchObject({ status: 'pending', version: 1, lastSeq: 0 });
      expect(await rows.runStories.list(runId)).toMatchObject([{ status: 'pending' }]);
      expect(await rows.runStories.attempts(runId)).toEqual([]);
      expect(await rows.runSteps.list(runId)).toEqual([]);
    });
  });

  it('fails a run whose codebase was removed', async () => {
    const runId = await director.createRun({ codebaseId: 'removed' });
    director.decisions.push(() => started);
    await lookAtRun(director.deps, { tenantId, runId });
    await director.rows(async (rows) => {
      expect(await rows.runs.find(runId)).toMatchObject({
        status: 'failed',
        error: { code: 'no_codebase' },
        dueAt: null,
      });
      expect(await rows.runSteps.list(runId)).toEqual([]);
      expect(await rows.runStories.list(runId)).toMatchObject([{ status: 'failed' }]);
      expect(await rows.runRecords.events(runId, 0, 10)).toMatchObject([{ seq: 1, type: 'run' }]);
    });
  });

  it('refuses a commit whose parent is not the head, and a move that the states do not have [runs-5.2]', async () => {
    const runId = await begunRun();
    const source = { taskId: runId, artifactId: null };
    await expect(look(runId, { type: 'land', storyId: 'US-001', commit, parent: tree, source })).rejects.toThrow(
      'cannot land',
    );
    await expect(look(runId, { type: 'setRun', change: { status: 'pending' } })).rejects.toThrow('cannot go from');
    await expect(
      look(
        runId,
        { type: 'setStory', storyId: 'US-001', change: { status: 'passed' } },
        { type: 'setRun', change: { status: 'completed' } },
      ),
    ).resolves.toMatchObject({ outcome: 'changed' });
    await expect(look(runId, { type: 'setStory', storyId: 'US-001', change: { status: 'running' } })).rejects.toThrow(
      'cannot go from',
    );
  });

  it('moves through the states between, where one decision made several moves', async () => {
    const runId = await director.createRun();
    await look(
      runId,
      { type: 'setStory', storyId: 'US-001', change: { status: 'passed' } },
      { type: 'setRun', change: { status: 'completed', completedAt: '2026-01-02T03:04:05.678Z' } },
    );
    expect(await director.rows((rows) => rows.runs.find(runId))).toMatchObject({ status: 'completed' });
  });

  it('writes a webhook for each question and for the end, signed and listed as a task’s [runs-6.2.2]', async () => {
    const { db } = fixture();
    const runId = await director.createRun({ webhookUrl: 'https://hooks.example/run' });
    const question = {
      type: 'ask',
      kind: 'stuck',
      storyId: null,
      text: 'What now?',
      options: ['cancel'],
      data: {},
    } as const;
    await look(runId, { type: 'setRun', change: { status: 'running' } });
    await look(runId, question, { type: 'setRun', change: { status: 'needs_input' } });
    await look(runId, { ...question, text: 'And now?' });
    await look(runId, { type: 'setRun', change: { status: 'cancelled', completedAt: '2026-01-02T03:04:05.678Z' } });
    const sent = await db.query<{ body: string }>(
      'select body from deliveries where task_id = $1 order by delivery_id',
      [runId],
    );
    expect(sent.map(({ body }): unknown => JSON.parse(body))).toMatchObject([
      {
        event: 'run_needs_input',
        run_id: runId,
        status: 'needs_input',
        question: { text: 'What now?', options: ['cancel'] },
      },
      { event: 'run_needs_input', question: { text: 'And now?' } },
      { event: 'run_cancelled', status: 'cancelled', error: null, timestamp: expect.any(String) },
    ]);
    expect(await director.rows((rows) => rows.deliveries.list(runId, { limit: 9, after: undefined }))).toHaveLength(3);
  });

  it('decides once when several directors look at the same time [runs-7.1]', async () => {
    const runId = await director.createRun({}, [buildStory()]);
    const decide: DirectorFixture['deps']['decide'] = ({ run }) => (run.status === 'pending' ? started : []);
    const deps = { ...director.deps, decide };
    const results = await Promise.all(Array.from({ length: 6 }, () => lookAtRun(deps, { tenantId, runId })));
    expect(results.filter(({ outcome }) => outcome === 'changed')).toHaveLength(1);
    expect(await director.rows((rows) => rows.runSteps.list(runId))).toHaveLength(1);
    const { db } = fixture();
    expect(await db.query('select count(*)::integer as n from tasks where step_run_id = $1', [runId])).toEqual([
      { n: 1 },
    ]);
  });

  it('reads by two statements and writes nothing when there is nothing to do', async () => {
    const runId = await begunRun();
    const before = await director.rows((rows) => rows.runs.find(runId));
    const { verbs } = fixture();
    let statements = 0;
    const counting: typeof verbs.store = {
      ...verbs.store,
      within: (tenant, work) =>
        verbs.store.within(tenant, (rows) =>
          work({
            ...rows,
            runs: {
              ...rows.runs,
              lockIfFree: (id) => ((statements += 1), rows.runs.lockIfFree(id)),
              state: (run) => ((statements += 1), rows.runs.state(run)),
            },
          }),
        ),
    };
    expect(await lookAtRun({ ...director.deps, store: counting }, { tenantId, runId })).toEqual({
      outcome: 'unchanged',
    });
    expect(statements).toBe(2);
    expect(await director.rows((rows) => rows.runs.find(runId))).toEqual(before);
  });

  it('moves a time that has passed and that nothing uses', async () => {
    const runId = await director.createRun({ dueAt: '2020-01-01T00:00:00.000Z' });
    expect(await director.deps.crossTenant.dueRuns(10)).toContainEqual({ tenantId, runId });
    expect(await lookAtRun(director.deps, { tenantId, runId })).toEqual({ outcome: 'unchanged' });
    expect(await director.deps.crossTenant.dueRuns(10)).not.toContainEqual({ tenantId, runId });
  });

  it('finds the run of a task that ended, asks, or goes on', async () => {
    const { verbs } = fixture();
    const runId = await begunRun();
    const [step] = await director.rows((rows) => rows.runSteps.list(runId));
    if (step === undefined) throw new Error('no step');
    const found = () => director.rows((rows) => rows.runSteps.runToLook(step.taskId));
    const searched = async () =>
      (await director.deps.crossTenant.runsWithEndedSteps(100)).map((run) => run.runId).includes(runId);
    expect([await found(), await searched()]).toEqual([undefined, false]);
    await director.driver.release(await director.driver.claimOne(director.workerId), {
      status: 'needs_input',
      question: 'which?',
    });
    expect([await found(), await searched()]).toEqual([runId, true]);
    await look(runId, {
      type: 'closeStep',
      stepId: step.id,
      status: 'asking',
      code: null,
      result: null,
      workerId: null,
      bundleArtifactId: null,
    });
    expect([await found(), await searched()]).toEqual([undefined, false]);
    await answerTask(verbs, { ...editor, subject: 'token:test' }, step.taskId, { message: 'that one' });
    expect([await found(), await searched()]).toEqual([runId, true]);
    await director.rows((rows) => rows.taskMoves.end(step.taskId, 'cancelled', null, 'test'));
    expect([await found(), await searched()]).toEqual([runId, true]);
  });
});

const someEvidence = {
  storyId: 'US-001',
  n: 1,
  criterion: 0,
  by: 'gate',
  status: 'passed',
  gateId: 'test',
  command: 'npm test',
  exitCode: 0,
  seconds: 3.1,
  commit,
  before: 'failed',
  vacuous: false,
  flaky: false,
  counts: { passed: 14, failed: 0, skipped: 0 },
  tail: 'ok',
  taskId: null,
  artifactId: null,
  quotes: [],
  reason: null,
  subject: null,
  sameAgent: false,
} as const;
