// The cost of the director of runs: waiting runs, a look that changes nothing, and the time from a step to the next.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { stepCapabilityLabel, stepDescriptor, type StepDescriptorWire } from '../../src/contracts/step.ts';
import { decide } from '../../src/domain/runs/decide/decide.ts';
import { lookAtRun } from '../../src/domain/runs/director/look-at-run.ts';
import { buildStepTask } from '../../src/domain/runs/step-task.ts';
import { succeed } from '../../test/support/runs/scripted-step-worker.ts';
import { openVerbs } from '../../test/support/verbs.ts';
import type { BenchDatabase } from '../database.ts';
import { cpuMs } from './cpu.ts';
import { openStatementCounter } from './statement-counter.ts';
import { quantile } from './statistics.ts';

export interface CpuShares {
  readonly service: number;
  readonly store: number;
}

export interface RunFigures {
  readonly waitingRuns: number;
  /** Shares of a core, before there is a run and with all of them waiting. */
  readonly alone: CpuShares;
  readonly waiting: CpuShares;
  /** Statements of a look that changes nothing, without begin, commit and the tenant's setting. */
  readonly statementsPerLook: number;
  readonly steps: number;
  /** Milliseconds from the answer to a finished step until the task of the next is pending. */
  readonly nextTask: { readonly p50Ms: number; readonly p99Ms: number };
}

export interface RunBench {
  readonly database: BenchDatabase;
  readonly service: { readonly url: string; readonly pid: number };
  readonly tokenOf: (tenant: 'steps' | 'waiting') => string;
  readonly waitingRuns: number;
  readonly idleMs: number;
  readonly log: (line: string) => void;
}

const registered = z.object({
  worker: z.object({ worker_id: z.string() }),
  codebases: z.array(z.object({ codebase_id: z.string() })),
});
const created = z.object({ run_id: z.string() });
const claimed = z.object({
  tasks: z.array(z.object({ lease_token: z.string(), task: z.object({ id: z.string(), step: stepDescriptor }) })),
});
type Claimed = z.infer<typeof claimed>['tasks'][number];

export async function measureRuns(bench: RunBench): Promise<RunFigures> {
  const { database, log, waitingRuns } = bench;
  await using observer = await openObserver(database);
  log('idle, without a run');
  const alone = await shares(bench);
  log('from step to step');
  const times = await measureSteps(bench, observer.client);
  log(`idle, with ${waitingRuns} runs that wait`);
  const runIds = await createWaitingRuns(bench);
  await untilSettled(observer.client);
  const waiting = await shares(bench);
  log('looks that change nothing');
  const statementsPerLook = await countStatements(database, runIds);
  const nextTask = { p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
  return { waitingRuns, alone, waiting, statementsPerLook, steps: times.length, nextTask };
}

async function openObserver({ superuser }: BenchDatabase): Promise<AsyncDisposable & { client: pg.Client }> {
  const client = new pg.Client(superuser);
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}

/** Share of a core, over the idle time. */
async function shares({ service, database, idleMs }: RunBench): Promise<CpuShares> {
  const pids = [service.pid, database.pid];
  const [before, startedAt] = [await cpuMs(pids), performance.now()];
  await delay(idleMs);
  const [after, elapsedMs] = [await cpuMs(pids), performance.now() - startedAt];
  const [own = 0, store = 0] = after.map((ms, i) => (ms - (before[i] ?? 0)) / elapsedMs);
  return { service: own, store };
}

async function post<T>(
  { service, tokenOf }: RunBench,
  tenant: 'steps' | 'waiting',
  path: string,
  body: unknown,
  answer: z.ZodType<T>,
): Promise<T> {
  const reply = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokenOf(tenant)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
  return answer.parse(await reply.json());
}

function register(bench: RunBench, tenant: 'steps' | 'waiting'): Promise<z.infer<typeof registered>> {
  const codebases = [{ name: 'shop', path: '/shop' }];
  const profile = { name: 'bench', slots: 64, codebases, capabilities: [stepCapabilityLabel], agents: ['claude'] };
  return post(bench, tenant, '/v1/agent/workers/register', profile, registered);
}

function newRun(codebaseId: string, branchName: string, stories: number): Record<string, unknown> {
  const userStories = Array.from({ length: stories }, (_, i) => ({
    id: `US-${i}`,
    title: `Story ${i}`,
    description: 'A story.',
    acceptanceCriteria: ['`npm test` passes'],
  }));
  return { codebase_id: codebaseId, prd: { project: 'shop', branchName, description: 'A shop.', userStories } };
}

async function createWaitingRuns(bench: RunBench): Promise<string[]> {
  const { codebases } = await register(bench, 'waiting');
  const ids: string[] = [];
  for (let i = 0; i < bench.waitingRuns; i += 1) {
    const body = newRun(codebases[0]?.codebase_id ?? '', `waiting-${i}`, 5);
    ids.push((await post(bench, 'waiting', '/v1/ralph/runs', body, created)).run_id);
  }
  return ids;
}

/** Until no run is due within the next second. */
async function untilSettled(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::integer as n from ralph_runs where status not in ('completed', 'failed', 'cancelled')
         and due_at < now() + interval '1 second'`,
    );
    if (rows[0]?.n === 0) return;
    await delay(200);
  }
}

const storiesOfRun = 30;

/** A run of stories that pass at once. @returns for each finished step the milliseconds until the next one's task waits */
async function measureSteps(bench: RunBench, client: pg.Client): Promise<number[]> {
  const { worker, codebases } = await register(bench, 'steps');
  const body = newRun(codebases[0]?.codebase_id ?? '', 'steps', storiesOfRun);
  const { run_id: runId } = await post(bench, 'steps', '/v1/ralph/runs', body, created);
  const times: number[] = [];
  for (;;) {
    const { tasks } = await post(
      bench,
      'steps',
      '/v1/worker/tasks/claim',
      { worker_id: worker.worker_id, limit: 1 },
      claimed,
    );
    const [one] = tasks;
    if (one !== undefined) {
      await release(bench, one);
      const { kind } = one.task.step;
      if (kind === 'implement' || kind === 'check') times.push(await nextTaskMs(client, runId, one));
    }
    if (await isOver(client, runId)) return times.slice(0, -1);
  }
}

function release(bench: RunBench, { task, lease_token }: Claimed): Promise<unknown> {
  const data = succeed(task.step);
  const step = { name: 'step', mime_type: 'application/json', data };
  const bundle = { name: 'bundle', mime_type: 'application/x-git-bundle', bytes: 'YnVuZGxl' };
  const end = { lease_token, status: 'completed', result: data.kind, artifacts: [step, bundle] };
  return post(bench, 'steps', `/v1/worker/tasks/${task.id}/release`, end, z.unknown());
}

/** From now until a later step of a story has a task; of the last step until the run is over. */
async function nextTaskMs(client: pg.Client, runId: string, { task }: Claimed): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await client.query(
      'select from ralph_steps where run_id = $1 and task_id > $2 and story_id is not null limit 1',
      [runId, task.id],
    );
    if (rows.length > 0) return performance.now() - startedAt;
    if (isLast(task.step) && (await hasPassed(client, runId))) return performance.now() - startedAt;
  }
}

function isLast({ kind, story_id: storyId }: StepDescriptorWire): boolean {
  return kind === 'check' && storyId === `US-${storiesOfRun - 1}`;
}

async function hasPassed(client: pg.Client, runId: string): Promise<boolean> {
  const text = `select from ralph_stories where run_id = $1 and status <> 'passed' limit 1`;
  return (await client.query(text, [runId])).rows.length === 0;
}

async function isOver(client: pg.Client, runId: string): Promise<boolean> {
  const text = 'select status from ralph_runs where id = $1 and completed_at is not null';
  const { rows } = await client.query<{ status: string }>(text, [runId]);
  const [run] = rows;
  if (run !== undefined && run.status !== 'completed') throw new Error(`the run is ${run.status}`);
  return run !== undefined;
}

/** Looks at each run once, by way of a line that counts. */
async function countStatements({ service, superuser }: BenchDatabase, runIds: readonly string[]): Promise<number> {
  await using line = await openStatementCounter(service);
  await using verbs = await openVerbs({
    service: line.login,
    superuser,
    query: () => Promise.resolve([]),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
  const deps = {
    ...verbs,
    decide,
    buildStepTask,
    parseStepResult: () => undefined,
    sends: { areHeld: () => Promise.resolve(false) },
    principals: { find: () => ({ name: 'bench', roles: ['editor'] as const, markFor: () => '' }) },
    maxActiveRuns: 50,
    verifier: { agent: null, model: null },
    metrics: { stepEnded: () => {}, attemptEnded: () => {}, lagged: () => {} },
    log: () => {},
  };
  line.counts.clear();
  for (const runId of runIds) {
    const { outcome } = await lookAtRun(deps, { tenantId: 'waiting', runId });
    if (outcome !== 'unchanged') throw new Error(`the look at ${runId} is ${outcome}`);
  }
  const counted = [...line.counts].filter(([name]) => name.startsWith('run_'));
  return counted.reduce((sum, [, n]) => sum + n, 0) / runIds.length;
}
