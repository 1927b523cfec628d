// Two callers that want the same at the same time: one wins, the other gets an error, and the log matches.
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reap } from '../../../../src/domain/tasks/reap.ts';
import { openService, type TestService, type ManualWorker, type ApiReply } from '../../../support/service.ts';
import { assertInvariants } from '../../../support/database/invariants.ts';
import { openVerbs, type Verbs } from '../../../support/verbs.ts';
import { createQueueDriver, outputEvent, type QueueDriver } from '../../../support/queue/queue-driver.ts';

const full = process.env['SCALE'] === 'full';
const races = full ? 2_000 : 300;

/** Two replicas on one database, and the verbs for operations that no endpoint offers. */
let one: TestService;
let two: TestService;
let verbs: Verbs;
let driver: QueueDriver;
beforeAll(async () => {
  one = await openService();
  two = await openService({ db: one.db });
  verbs = await openVerbs(one.db);
  driver = createQueueDriver(verbs, one.db);
});
afterAll(async () => {
  await assertInvariants(one.db);
  await verbs[Symbol.asyncDispose]();
  await two[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
});

let names = 0;
async function registerOwnWorker(service: TestService = one): Promise<{ worker: ManualWorker; codebase: string }> {
  const worker = await service.worker({ name: `race ${(names += 1)}`, codebases: [{ name: 'code', path: '/code' }] });
  return { worker, codebase: worker.registered.codebases[0]?.codebase_id ?? '' };
}

async function statuses(taskId: string): Promise<string[]> {
  const rows = await one.db.query<{ status: string }>(
    `select data->>'status' as status from task_events where task_id = $1 and type = 'status' order by seq`,
    [taskId],
  );
  return rows.map((row) => row.status);
}

/** Runs so many at a time. */
async function inWaves(count: number, wave: number, work: (i: number) => Promise<void>): Promise<void> {
  for (let i = 0; i < count; i += wave) {
    await Promise.all(Array.from({ length: Math.min(wave, count - i) }, (_, k) => work(i + k)));
  }
}

describe(`${races} races of cancel against complete`, () => {
  it('have one winner each, on one replica or two; the loser gets an error, the log matches [core-3.1.3, core-3.1.6, choices-3.8]', async () => {
    const { worker, codebase } = await registerOwnWorker();
    const wins = { completed: 0, cancelled: 0 };
    await inWaves(races, 20, async (i) => {
      const task = await one.task({ codebase_id: codebase });
      const [held] = await worker.claim(1, task.id);
      if (held === undefined) throw new Error('not claimed');
      const cancel = (): Promise<ApiReply> =>
        (i % 2 === 0 ? one : two).call('POST', `/v1/agent/tasks/${task.id}/cancel`, { as: 'editor' });
      const complete = (): Promise<ApiReply> => worker.release(held, { status: 'completed', result: 'done' });
      // A cancel checks the owner before it changes anything, so it gets a varying head start, from a negative one to one
      // that always wins: each side wins some races on a machine of any speed.
      const headStart = i % 12;
      const early = headStart === 0 ? complete() : undefined;
      await early;
      const cancelling = cancel();
      await (headStart === 11 ? cancelling : setTimeout(headStart));
      const [cancelled, completed] = await Promise.all([cancelling, early ?? complete()]);
      const winner = cancelled?.status === 200 ? 'cancelled' : 'completed';
      wins[winner] += 1;
      expect([cancelled?.status, completed?.status]).toEqual(winner === 'cancelled' ? [200, 409] : [409, 200]);
      const loser = winner === 'cancelled' ? completed : cancelled;
      expect(loser?.body.code).toBe(winner === 'cancelled' ? 'lease_lost' : 'task_finished');
      expect(await statuses(task.id)).toEqual(['pending', 'running', winner]);
      const { body } = await two.call('GET', `/v1/agent/tasks/${task.id}`);
      expect(body.task).toMatchObject({ status: winner, result: winner === 'completed' ? 'done' : null });
    });
    expect(wins.completed + wins.cancelled).toBe(races);
    expect(Math.min(wins.completed, wins.cancelled)).toBeGreaterThan(0);
  }, 600_000);
});

describe('two replicas', () => {
  it('give each task to one of two workers, whatever they claim at once [core-3.1.2]', async () => {
    const { worker: first, codebase } = await registerOwnWorker(one);
    const second = await two.worker({
      name: `race ${(names += 1)}`,
      codebases: [{ codebase_id: codebase, name: 'code', path: '/there' }],
    });
    for (let round = 0; round < 10; round++) {
      const tasks = await Promise.all(
        Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? one : two).task({ codebase_id: codebase })),
      );
      const claims: string[] = [];
      while (claims.length < tasks.length) {
        const got = await Promise.all([first.claim(3), second.claim(3), first.claim(2), second.claim(2)]);
        claims.push(...got.flat().map((held) => held.task.id));
      }
      expect(claims.toSorted()).toEqual(tasks.map((task) => task.id).toSorted());
      const [row] = await one.db.query<{ n: string }>(
        'select count(*) as n from task_runs where task_id = any($1::uuid[])',
        [claims],
      );
      expect(Number(row?.n)).toBe(tasks.length);
    }
  });

  it('let one of two claims of a named task win, and reject the other [choices-5.15]', async () => {
    const { worker: first, codebase } = await registerOwnWorker(one);
    const second = await two.worker({
      name: `race ${(names += 1)}`,
      codebases: [{ codebase_id: codebase, name: 'code', path: '/there' }],
    });
    for (let round = 0; round < 20; round++) {
      const task = await one.task({ codebase_id: codebase });
      const claim = (service: TestService, worker: ManualWorker): Promise<ApiReply> =>
        service.call('POST', '/v1/worker/tasks/claim', {
          as: 'agent',
          body: { worker_id: worker.id, task_id: task.id },
        });
      const answers = await Promise.all([claim(one, first), claim(two, second)]);
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 409]));
      expect(answers.find((answer) => answer.status === 409)?.body.code).toBe('task_taken');
    }
  });
});

describe('the reaper', () => {
  it('and a heartbeat: the lease is either renewed and kept, or lost and put back [choices-2.22]', async () => {
    await inWaves(full ? 400 : 60, 6, async () => {
      const { workerId, task, held } = await driver.heldTask();
      // At the very edge of its time.
      await one.db.query(`update tasks set lease_expires_at = clock_timestamp() + interval '3 ms' where id = $1`, [
        task.id,
      ]);
      const [renewal] = await Promise.all([driver.heartbeat(workerId, held), reap(verbs), reap(verbs)]);
      await reap(verbs);
      const { status } = await driver.currentTask(task.id);
      expect(status).toBe(renewal.renewed.length === 1 ? 'running' : 'pending');
      expect(renewal.lost).toHaveLength(renewal.renewed.length === 1 ? 0 : 1);
    });
  });

  it('and a release: one of them ends the run, once [choices-2.23]', async () => {
    const seen = { finished: 0, lost: 0 };
    await inWaves(full ? 400 : 60, 6, async (i) => {
      const { task, held } = await driver.heldTask();
      await driver.report(held, [outputEvent(1)]);
      await driver.expire(task.id);
      const status = i % 2 === 0 ? 'completed' : 'pending';
      const [release] = await Promise.allSettled([driver.release(held, { status }), reap(verbs)]);
      const log = await statuses(task.id);
      expect(log).toHaveLength(3);
      if (release.status === 'fulfilled') {
        seen.finished += 1;
        expect(log[2]).toBe(status);
      } else {
        seen.lost += 1;
        expect(release.reason).toMatchObject({ code: 'lease_lost' });
        expect(log[2]).toBe('pending');
      }
    });
    expect(seen.finished + seen.lost).toBe(full ? 400 : 60);
  });
});

describe('two answers to one question', () => {
  it('given at once: one is accepted, the other is rejected because no question is open [choices-2.10, choices-3.70]', async () => {
    const { worker, codebase } = await registerOwnWorker();
    for (let round = 0; round < 15; round++) {
      const task = await one.task({ codebase_id: codebase });
      const [held] = await worker.claim(1, task.id);
      if (held === undefined) throw new Error('not claimed');
      await worker.release(held, { status: 'needs_input', message: { text: 'which?' } });
      const answer = (service: TestService, message: string): Promise<ApiReply> =>
        service.call('POST', `/v1/agent/tasks/${task.id}/input`, { as: 'editor', body: { message } });
      const [left, right] = await Promise.all([answer(one, 'left'), answer(two, 'right')]);
      expect(new Set([left.status, right.status])).toEqual(new Set([200, 409]));
      expect((left.status === 409 ? left : right).body.code).toBe('no_question');
      const [again] = await worker.claim(1, task.id);
      const texts = again?.task.messages.map((message) => message.parts[0]);
      expect(texts).toEqual([{ text: 'which?' }, { text: left.status === 200 ? 'left' : 'right' }]);
    }
  });
});
