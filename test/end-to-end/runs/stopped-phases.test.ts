// Pause, resume and cancel in the phases that walks do not stop: while a story is resolved, landed and diagnosed, by real
// processes, and while it asks and waits. The record changes at once, processes are gone, no iteration is lost. runs-15.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRunId, openRunSite, prdDocument, storyDocument } from '../../support/runs/new-run.ts';
import { openRealRunSite, type RealRunSite } from '../../support/runs/real-run.ts';
import { scriptStepWorker } from '../../support/runs/scripted-step-worker.ts';
import { openService, type ApiReply, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { haveExited, leavePids, pidsIn } from '../../support/worker/left-processes.ts';
import { waitFor } from '../../support/worker/local-worker.ts';
import { shellPrompt } from '../../support/worker/run-fixture.ts';

const post = (service: TestService, runId: string, verb: string, body: object = {}): Promise<ApiReply> =>
  service.call('POST', `/v1/ralph/runs/${runId}/${verb}`, { as: 'editor', body });
const read = async (service: TestService, runId: string): Promise<ApiReply['body']> =>
  (await service.call('GET', `/v1/ralph/runs/${runId}`)).body.run;

describe('a run that is paused at once, resumed and cancelled', () => {
  let site: RealRunSite;
  /** A file here is seen by every command. */
  let at: (name: string) => string;
  beforeAll(async () => {
    site = await openRealRunSite({ 'words.txt': 'first\n' }, {}, async (folder) => {
      at = (name) => join(folder, name);
      await writeFile(
        at('agent.sh'),
        ['case "$(head -c 9 "$1")" in', "'You diagn')", ...hang('diagnosing'), ';; esac', ''].join('\n'),
      );
      return { agent_bin: `sh ${at('agent.sh')} {prompt_file}`, gates: 'unconfined', slots: 2 };
    });
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const hang = (name: string): string[] => [...leavePids(at(name)), 'sleep 300'];
  const story = (id: string, lines: readonly string[]): object => ({
    id,
    title: `Story ${id}`,
    description: shellPrompt(lines.join('\n')),
    acceptanceCriteria: [`\`test -e ${id}.txt\` succeeds`],
    dependsOn: [],
  });
  /** Each of two stories waits for the other, so that both begin at the base. */
  const together = (name: string, last: readonly string[]): object[] =>
    (['a', 'b'] as const).map((id) => {
      const other = id === 'a' ? 'b' : 'a';
      const meet = [`echo > ${at(`${name}-${id}`)}`, waitFor(at(`${name}-${other}`))];
      return story(id, [...meet, `echo ${id} > ${id}.txt`, ...last.map((line) => line.replaceAll('ID', id))]);
    });

  async function start(branchName: string, userStories: object[], given: object = {}): Promise<string> {
    const prd = { branchName, userStories, gates: [], ...given };
    return site.start('true', { prd, run: { agent: 'command', mode: 'parallel', max_iterations: 5 } });
  }

  /** Stops the process of a phase by a pause, then by a cancel. @returns the run at its end */
  async function stopTwice(runId: string, phase: string): Promise<ApiReply['body']> {
    const { service } = site;
    const inPhase = (run: ApiReply['body']): { iteration: number } | undefined =>
      run.story_results.find((one: { phase: string }) => one.phase === phase);
    const pids = await pidsIn(at(phase));
    const before = inPhase(await read(service, runId));
    expect(before).toBeDefined();
    const paused = (await post(service, runId, 'pause', { mode: 'now' })).body.run;
    expect(paused).toMatchObject({ status: 'paused' });
    expect(inPhase(paused)).toMatchObject({ iteration: before?.iteration });
    await haveExited(pids);
    await rm(at(phase));
    expect((await post(service, runId, 'resume')).body.run.status).toBe('running');
    const again = await pidsIn(at(phase));
    expect(again).not.toEqual(pids);
    expect(inPhase(await read(service, runId))).toMatchObject({ iteration: before?.iteration });
    expect((await post(service, runId, 'cancel')).body.run.status).toBe('cancelled');
    await haveExited(again);
    return read(service, runId);
  }

  it('while an agent resolves a conflict keeps what has landed [runs-8.8, runs-6.1.4]', async () => {
    const resolves = ["if grep -q '^<<<<<<<' words.txt; then", ...hang('resolving'), 'fi', 'echo ID >> words.txt'];
    const runId = await start('resolved', together('resolved', resolves));
    const run = await stopTwice(runId, 'resolving');
    expect(run).toMatchObject({ spent: { iterations: 1 }, stories: { passed: 1, failed: 1 } });
    await until('the branch', async () => (await branchOf('resolved')).length === 1);
  });

  it('while its gates run on the merged files keeps what has landed [runs-8.8, runs-6.1.4]', async () => {
    const command = ['if [ -e a.txt ] && [ -e b.txt ]; then', ...hang('landing'), 'fi'].join('\n');
    const runId = await start('landed', together('landed', []), { gates: [{ id: 'merged', command }] });
    const run = await stopTwice(runId, 'landing');
    expect(run).toMatchObject({ spent: { iterations: 1 }, stories: { passed: 1, failed: 1 } });
    await until('the branch', async () => (await branchOf('landed')).length === 1);
  });

  it('while an agent diagnoses has spent the iterations that failed, and no other [runs-8.8, runs-6.1.4]', async () => {
    const runId = await start('diagnosed', [story('c', ['true'])]);
    const run = await stopTwice(runId, 'diagnosing');
    expect(run).toMatchObject({ spent: { iterations: 2 }, story_results: [{ iteration: 2 }] });
    expect(await branchOf('diagnosed')).toEqual([]);
  });

  async function branchOf(name: string): Promise<string[]> {
    const log = await site.fixture.git('log', '--format=%s', `main..ralph/${name}`).catch(() => '');
    return log.split('\n').filter((line) => line.startsWith('feat:'));
  }
});

describe('a run without a process', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await openService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  it('that waits for its model is paused, resumed and cancelled; its wait stays, and no iteration is lost [runs-11.3, runs-6.1.4]', async () => {
    const place = await openRunSite(service, 'waits');
    const worker = scriptStepWorker(service, place, ({ kind }) =>
      kind === 'implement' ? { failed: { code: 'model_unreachable', message: 'ECONNREFUSED' } } : undefined,
    );
    const prd = prdDocument({ userStories: [storyDocument('US-001')] });
    const runId = await newRunId(service, { codebase_id: place.codebaseId, prd });
    await until('it waits', async () => {
      await worker.workOnce();
      return (await read(service, runId)).waiting_reason === 'model_unreachable';
    });
    const waitOf = async (): Promise<unknown> =>
      (await service.db.query('select wait from ralph_stories where run_id = $1', [runId]))[0];
    const wait = await waitOf();
    expect((await post(service, runId, 'pause', { mode: 'now' })).body.run.status).toBe('paused');
    expect((await post(service, runId, 'resume')).body.run).toMatchObject({
      status: 'running',
      story_results: [{ phase: 'waiting', iteration: 0 }],
    });
    expect(await waitOf()).toEqual(wait);
    expect(await place.worker.claim(1)).toEqual([]);
    expect((await post(service, runId, 'cancel')).body.run).toMatchObject({
      status: 'cancelled',
      spent: { iterations: 0 },
    });
    expect(await place.worker.claim(1)).toEqual([]);
  });

  it('that asks keeps its question over a pause, and drops it when it is cancelled [runs-5.4, runs-6.1.4]', async () => {
    const place = await openRunSite(service, 'asks');
    const failing = scriptStepWorker(service, place, ({ kind }) =>
      kind === 'implement' ? { failed: { code: 'agent_missing', message: 'claude' } } : undefined,
    );
    const prd = prdDocument({ userStories: [storyDocument('US-001')] });
    const runId = await newRunId(service, { codebase_id: place.codebaseId, prd });
    const asked = await failing.workUntil(runId, 'needs_input');
    expect((await post(service, runId, 'pause')).body.run).toMatchObject({
      status: 'paused',
      questions: asked.questions,
    });
    expect((await post(service, runId, 'resume')).body.run).toMatchObject({
      status: 'needs_input',
      questions: asked.questions,
      story_results: [{ phase: 'asking', iteration: 0 }],
    });
    expect((await post(service, runId, 'cancel')).body.run).toMatchObject({ status: 'cancelled', questions: [] });
    const { body } = await service.call('GET', `/v1/ralph/runs/${runId}/events?after=0&limit=500`);
    const moot = { question_id: asked.questions[0].question_id, by: 'moot' };
    expect(body.events).toContainEqual(expect.objectContaining({ type: 'answer', data: moot }));
  });
});
