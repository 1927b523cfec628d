// Steps of runs among tasks: lists, counts and statistics leave them out, and nobody but the director ends or repeats them.
import { beforeEach, describe, expect, it } from 'vitest';
import { lookAtRun } from '../../../src/domain/runs/director/look-at-run.ts';
import { cancelTask } from '../../../src/domain/tasks/cancel.ts';
import { intervene } from '../../../src/domain/tasks/exchange/intervene.ts';
import { retryTask } from '../../../src/domain/tasks/retry.ts';
import { retain } from '../../../src/domain/tasks/retain.ts';
import { retainRuns } from '../../../src/domain/runs/retain-runs.ts';
import { buildStepPlan } from '../../support/builders/run-records.ts';
import { useQueueFixture } from '../../support/queue/queue-fixture.ts';
import { openDirectorFixture, type DirectorFixture } from '../../support/runs/director-fixture.ts';
import { callerOf } from '../../support/verbs.ts';

const fixture = useQueueFixture();
const admin = callerOf('admin');
const page = { limit: 50, before: undefined };
let director: DirectorFixture;
let runId: string;
let taskId: string;
beforeEach(async () => {
  const { db, verbs } = fixture();
  director = await openDirectorFixture(verbs, db);
  runId = await director.createRun();
  director.decisions.push(() => [
    { type: 'setRun', change: { status: 'running' } },
    { type: 'openStep', plan: buildStepPlan() },
  ]);
  await lookAtRun(director.deps, { tenantId: 'default', runId });
  taskId = (await director.rows((rows) => rows.runSteps.list(runId)))[0]?.taskId ?? '';
});

describe('a step among tasks', () => {
  it('is in lists and counts only where it is asked for [runs-18.2]', async () => {
    const { codebaseId } = director;
    const plain = await director.driver.submit(codebaseId);
    await director.rows(async (rows) => {
      const ids = async (filter: object) =>
        (await rows.tasks.list({ codebaseId, ...filter }, page)).map(({ id }) => id);
      expect(await ids({})).toEqual([plain.id]);
      expect(await ids({ steps: true })).toEqual([plain.id, taskId]);
      expect(await ids({ stepRunId: runId })).toEqual([taskId]);
      expect(await rows.tasks.count({ codebaseId }, 100)).toBe(1);
      expect(await rows.tasks.listByStatusTime({ codebaseId }, { limit: 9, after: undefined })).toHaveLength(1);
      const depth = await rows.taskStats.depthByCodebase(100);
      expect(depth.filter(({ codebase }) => codebase === codebaseId)).toMatchObject([{ tasks: 1 }]);
    });
  });

  it('is not cancelled or repeated by callers', async () => {
    const { verbs } = fixture();
    const refused = { code: 'belongs_to_run', runId };
    await expect(cancelTask(verbs, admin, taskId)).rejects.toMatchObject(refused);
    await expect(
      intervene(verbs, admin, { taskId, agentId: undefined, action: 'cancel', message: undefined }),
    ).rejects.toMatchObject(refused);
    await director.driver.release(await director.driver.claimOne(director.workerId));
    await expect(retryTask(verbs, admin, taskId)).rejects.toMatchObject(refused);
  });

  it('is kept by retention while its run is not over, and the run for RUN_RETENTION_DAYS [runs-18.7]', async () => {
    const { db, verbs } = fixture();
    await director.driver.release(await director.driver.claimOne(director.workerId));
    const old = '01000000-0000-7000-8000-000000000000';
    await db.query('update task_events set task_id = $2 where task_id = $1', [taskId, old]);
    await db.query('update task_runs set task_id = $2 where task_id = $1', [taskId, old]);
    await db.query(`update tasks set id = $2, completed_at = now() - interval '40 days' where id = $1`, [taskId, old]);
    await db.query('update topic_messages set task_id = $2 where task_id = $1', [taskId, old]);
    const never = new AbortController().signal;
    const drop = () => retain(verbs, { retentionDays: 30, idempotencyHours: 48 }, never);
    const found = () => director.rows((rows) => rows.tasks.find(old));
    await drop();
    expect(await found()).toBeDefined();
    await db.query(
      `update ralph_runs set status = 'cancelled', completed_at = now() - interval '40 days' where id = $1`,
      [runId],
    );
    await drop();
    expect(await found()).toBeUndefined();
    await retainRuns(verbs, 365, never);
    expect(await director.rows((rows) => rows.runs.find(runId))).toBeDefined();
    await retainRuns(verbs, 39, never);
    expect(await director.rows((rows) => rows.runs.find(runId))).toBeUndefined();
    expect(await db.query('select from ralph_steps where run_id = $1', [runId])).toEqual([]);
  });
});
