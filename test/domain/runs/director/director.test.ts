// The director hears of ended steps by a hint, by the message of its topic, and by a search: each alone is enough.
import { beforeEach, describe, expect, it } from 'vitest';
import { deliverTopicMessages } from '../../../../src/domain/events/topic-subscribers.ts';
import { RunDirector } from '../../../../src/domain/runs/director/director.ts';
import { runTopic } from '../../../../src/domain/runs/step-task.ts';
import type { RunEffect } from '../../../../src/domain/model/run/effect.ts';
import type { RunSnapshot } from '../../../../src/domain/model/run/snapshot.ts';
import { buildStepPlan } from '../../../support/builders/run-records.ts';
import { useQueueFixture } from '../../../support/queue/queue-fixture.ts';
import { openDirectorFixture, type DirectorFixture } from '../../../support/runs/director-fixture.ts';
import { until } from '../../../support/until.ts';

const base = 'a'.repeat(40);

/** Begins a run, and opens the next step after each one that ended; after three it waits. */
function threeSteps({ run, openSteps, endedSteps }: RunSnapshot): readonly RunEffect[] {
  const plan = buildStepPlan({ base, kind: 'diagnose', try: endedSteps.length + 1 });
  if (run.status === 'pending') {
    return [
      { type: 'setRun', change: { status: 'running', dueAt: null } },
      { type: 'openStep', plan },
    ];
  }
  return openSteps.flatMap(({ step, task }): RunEffect[] => {
    if (task?.status !== 'completed') return [];
    const close = { code: null, result: null, workerId: task.workerId, bundleArtifactId: null };
    const next: RunEffect[] = endedSteps.length < 2 ? [{ type: 'openStep', plan }] : [];
    return [{ type: 'closeStep', stepId: step.id, status: 'ok', ...close }, ...next];
  });
}

const fixture = useQueueFixture();
let director: DirectorFixture;
beforeEach(async () => {
  const { db, verbs } = fixture();
  director = await openDirectorFixture(verbs, db, { decide: threeSteps });
});

const due = { dueAt: '2020-01-01T00:00:00.000Z' };
const stepsOf = (runId: string) => director.rows((rows) => rows.runSteps.list(runId));

async function finishOne(): Promise<void> {
  await director.driver.release(await director.driver.claimOne(director.workerId));
}

describe('the director', () => {
  it('opens the next step at once when a task is announced', async () => {
    const runId = await director.createRun(due);
    await using directing = new RunDirector(director.deps, () => performance.now());
    expect(await directing.tick()).toBe(1);
    for (const opened of [2, 3]) {
      await finishOne();
      await until(`step ${opened}`, async () => (await stepsOf(runId)).length === opened);
    }
  });

  it('hears of a step that ends before the look that opened it has returned', async () => {
    const runId = await director.createRun(due);
    let isFirst = true;
    // The look's commit is seen by a worker at once; its own answer waits for the line of its audit.
    const audit: DirectorFixture['deps']['audit'] = {
      ...director.deps.audit,
      async change(caller, about, work) {
        const done = await director.deps.audit.change(caller, about, work);
        if (isFirst) {
          isFirst = false;
          await finishOne();
        }
        return done;
      },
    };
    await using directing = new RunDirector({ ...director.deps, audit }, () => performance.now());
    await directing.tick();
    const steps = await until('step 2', async () => {
      const all = await stepsOf(runId);
      return all.length > 1 ? all : undefined;
    });
    expect(steps).toHaveLength(2);
  });

  it('looks again when a step ends while the run is held, by itself or by another', async () => {
    const { verbs } = fixture();
    const runId = await director.createRun(due);
    await using directing = new RunDirector({ ...director.deps, wake: deaf }, () => performance.now());
    await directing.tick();
    await finishOne();
    const [step] = await stepsOf(runId);
    const task = { tenantId: 'default', taskId: step?.taskId ?? '', status: 'completed', seq: 1 } as const;
    const message = { ...task, messageId: verbs.makeId(), topic: runTopic, tries: 0 };
    await director.rows(async (rows) => {
      await rows.runs.lockIfFree(runId);
      // A message whose handling fails is kept.
      await expect(directing.subscriber.handle(message)).rejects.toMatchObject({ code: 'run_held' });
    });
    await Promise.all([directing.subscriber.handle(message), directing.subscriber.handle(message)]);
    expect(await stepsOf(runId)).toMatchObject([{ status: 'ok' }, { status: 'open' }]);
  });

  it('does not listen to hints while another replica leads', async () => {
    const runId = await director.createRun(due);
    let elapsed = 0;
    await using directing = new RunDirector(director.deps, () => elapsed);
    await directing.tick();
    elapsed = 10_000;
    await finishOne();
    expect(await stepsOf(runId)).toHaveLength(1);
  });

  it('finds what no hint announced by the message of its topic [runs-7.4]', async () => {
    const { verbs } = fixture();
    const runId = await director.createRun(due);
    {
      await using first = new RunDirector(director.deps, () => performance.now());
      await first.tick();
    }
    await finishOne();
    await using second = new RunDirector(director.deps, () => performance.now());
    const topics = { ...verbs, subscribers: [second.subscriber], log: () => {} };
    expect(await deliverTopicMessages(topics)).toBeGreaterThan(0);
    expect(await stepsOf(runId)).toMatchObject([{ status: 'ok' }, { status: 'open' }]);
  });

  it('finds what neither announced by a search, at its first round and once a minute [runs-7.4]', async () => {
    const runId = await director.createRun(due);
    let elapsed = 0;
    await using directing = new RunDirector({ ...director.deps, wake: deaf }, () => elapsed);
    await directing.tick();
    await finishOne();
    elapsed = 1_000;
    await directing.tick();
    expect(await stepsOf(runId)).toHaveLength(1);
    for (; elapsed <= 61_000; elapsed += 4_000) await directing.tick();
    expect(await stepsOf(runId)).toHaveLength(2);
    await finishOne();
    await using another = new RunDirector({ ...director.deps, wake: deaf }, () => 0);
    await another.tick();
    expect(await stepsOf(runId)).toHaveLength(3);
  });

  it('goes on with other runs when the look at one fails, and comes back to it later', async () => {
    const { verbs } = fixture();
    const [broken, whole] = [await director.createRun({ ...due, project: 'broken' }), await director.createRun(due)];
    let isBroken = true;
    const decide: typeof threeSteps = (snapshot) => {
      if (isBroken && snapshot.run.project === 'broken') throw new Error('no decision');
      return threeSteps(snapshot);
    };
    let elapsed = 0;
    await using directing = new RunDirector({ ...director.deps, decide }, () => elapsed);
    expect(await directing.tick()).toBe(1);
    expect([(await stepsOf(broken)).length, (await stepsOf(whole)).length]).toEqual([0, 1]);
    expect(verbs.logged.join('\n')).toContain('failed to look at a run');
    isBroken = false;
    expect(await directing.tick()).toBe(0);
    elapsed = 2_001;
    expect(await directing.tick()).toBe(1);
    expect(await stepsOf(broken)).toHaveLength(1);
  });
});

const deaf = { announce: () => {}, listen: () => () => {} };
