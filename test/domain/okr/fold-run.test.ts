// Runs of objectives under several directors at once, with lost messages and deleted tasks, and their retention.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { OkrDirectorDeps, OkrMetrics } from '../../../src/domain/okr/base/okr-deps.ts';
import { createOkr, updateOkr } from '../../../src/domain/okr/change/change-okr.ts';
import { directOkrRuns, okrSubscriber } from '../../../src/domain/okr/director/okr-director.ts';
import { retainOkrRuns } from '../../../src/domain/okr/director/retain-okr-runs.ts';
import { startOkrRun } from '../../../src/domain/okr/run/start-run.ts';
import type { OkrRun } from '../../../src/domain/model/okr/okr.ts';
import { parseOkrReport } from '../../../src/server/build/insight/parse-okr-report.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts';
import { callerOf, openVerbs, type Verbs } from '../../support/verbs.ts';

let db: TestDatabase;
let replicas: Verbs[];
beforeAll(async () => {
  db = await cloneDatabase();
  replicas = await Promise.all(Array.from({ length: 3 }, () => openVerbs(db)));
});
afterAll(async () => {
  for (const replica of replicas) await replica[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});
beforeEach(() => db.query('delete from okrs'));

const editor = callerOf('editor', 'default', 'someone');
const first = (): Verbs => {
  const [verbs] = replicas;
  if (verbs === undefined) throw new Error('no replica');
  return verbs;
};

class CountingMetrics implements OkrMetrics {
  items = 0;
  runs = 0;
  folded(): void {
    this.items += 1;
  }
  runEnded(): void {
    this.runs += 1;
  }
}

function depsOf(verbs: Verbs, metrics: OkrMetrics = new CountingMetrics()): OkrDirectorDeps {
  return { ...verbs, principals: { find: () => undefined }, metrics, parseReport: parseOkrReport };
}

async function runWith(count: number, mode: OkrRun['mode'] = 'parallel'): Promise<OkrRun> {
  const deps = depsOf(first());
  const keyResults = Array.from({ length: count }, (_, at) => ({
    title: `key result ${at}`,
    weight: 1,
    measure: { kind: 'tasks' } as const,
    move: {},
  }));
  const settings = {
    objective: 'o',
    description: null,
    owner: undefined,
    targetDate: null,
    tags: [],
    taskTemplate: null,
  };
  const { okrId } = await createOkr(deps, editor, { ...settings, keyResults });
  await updateOkr(deps, editor, okrId, { status: 'approved' }, undefined);
  const request = { keyResultIds: undefined, mode, instructions: null, taskTemplate: undefined };
  return (await startOkrRun(deps, editor, okrId, request, undefined)).run;
}

const runOf = ({ okrId, runId }: OkrRun): Promise<OkrRun | undefined> =>
  first().store.within({ tenantId: 'default' }, (rows) => rows.okrRuns.find(okrId, runId));

async function failTask(taskId: string): Promise<void> {
  const error = { code: 'broke', message: 'it broke' };
  await first().store.within({ tenantId: 'default' }, (rows) => rows.taskMoves.end(taskId, 'failed', error, 'test'));
}

it('folds each item once under three directors and their topic [platform-4.31]', async () => {
  const run = await runWith(20);
  const tasks = run.items.map(({ taskId }) => String(taskId));
  for (const taskId of tasks) await failTask(taskId);
  const metrics = new CountingMetrics();
  await Promise.all(
    replicas.flatMap((verbs) => {
      const deps = depsOf(verbs, metrics);
      const message = { tenantId: 'default', taskId: tasks[7] ?? '' };
      const subscriber = okrSubscriber(deps);
      return [directOkrRuns(deps), subscriber.handle({ ...fullMessage, ...message }), directOkrRuns(deps)];
    }),
  );
  expect([metrics.items, metrics.runs]).toEqual([20, 1]);
  expect(await runOf(run)).toMatchObject({ status: 'failed', items: tasks.map(() => ({ status: 'failed' })) });
});

const fullMessage = { messageId: 'm', topic: 'okr_task', status: 'failed', seq: 1, tries: 0 } as const;

it('starts each next task of a sequential run once under three directors [platform-4.29, platform-4.31]', async () => {
  const run = await runWith(6, 'sequential');
  for (let at = 0; at < 6; at += 1) {
    const item = (await runOf(run))?.items[at];
    expect(item?.status).toBe('running');
    await failTask(String(item?.taskId));
    await Promise.all(replicas.map((verbs) => directOkrRuns(depsOf(verbs))));
  }
  expect((await runOf(run))?.status).toBe('failed');
  const tasks = await db.query(`select from tasks where metadata->>'okr_run_id' = $1`, [run.runId]);
  expect(tasks.length).toBe(6);
});

it('is seen to run once a task has begun, and ends where its task was deleted [platform-4.30]', async () => {
  const run = await runWith(2);
  expect(await directOkrRuns(depsOf(first()))).toBe(0);
  const [begun, deleted] = run.items.map(({ taskId }) => String(taskId));
  await db.query(
    `update tasks set status = 'running', lease_token = gen_random_uuid(), lease_expires_at = now() + interval '1 hour',
       started_at = now() where id = $1`,
    [begun],
  );
  expect(await directOkrRuns(depsOf(first()))).toBe(1);
  expect((await runOf(run))?.status).toBe('running');
  await failTask(String(deleted));
  await db.query('delete from tasks where id = $1', [deleted]);
  await failTask(String(begun));
  await directOkrRuns(depsOf(first()));
  expect(await runOf(run)).toMatchObject({ status: 'failed', items: [{ status: 'failed' }, { status: 'cancelled' }] });
});

it('a run that fails holds up no other', async () => {
  const [broken, good] = [await runWith(1), await runWith(1)];
  for (const { items } of [broken, good]) await failTask(String(items[0]?.taskId));
  const verbs = first();
  const deps = depsOf(verbs);
  const store: Verbs['store'] = {
    ...verbs.store,
    within: (tenant, work) =>
      verbs.store.within(tenant, (rows) => {
        const okrs = {
          ...rows.okrs,
          lock: (id: string) => (id === broken.okrId ? Promise.reject(new Error('a bug')) : rows.okrs.lock(id)),
        };
        return work(
          new Proxy(rows, { get: (target, name) => (name === 'okrs' ? okrs : Reflect.get(target, name, target)) }),
        );
      }),
  };
  await expect(directOkrRuns({ ...deps, store })).rejects.toThrow('a bug');
  expect((await runOf(good))?.status).toBe('failed');
  await directOkrRuns(deps);
  expect((await runOf(broken))?.status).toBe('failed');
});

it('ended runs go after RUN_RETENTION_DAYS, open ones stay [platform-4.35]', async () => {
  const [old, open] = [await runWith(1), await runWith(1)];
  await failTask(String(old.items[0]?.taskId));
  await directOkrRuns(depsOf(first()));
  await db.query(`update okr_runs set ended_at = now() - interval '366 days' where run_id = $1`, [old.runId]);
  await db.query(`update okr_runs set created_at = now() - interval '366 days'`);
  await retainOkrRuns(first(), 365, new AbortController().signal);
  expect(await runOf(old)).toBeUndefined();
  expect((await runOf(open))?.status).toBe('pending');
});
