// Moves on the queue and on its model, side by side: each answer of the queue is what the model expects.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { answerTask } from '../../../src/domain/tasks/exchange/answer.ts';
import { cancelTask } from '../../../src/domain/tasks/cancel.ts';
import { reap } from '../../../src/domain/tasks/reap.ts';
import { retryTask } from '../../../src/domain/tasks/retry.ts';
import { recordHeartbeat } from '../../../src/domain/workers/claim.ts';
import { unregisterWorker } from '../../../src/domain/workers/register.ts';
import type { TestDatabase } from '../database/database.ts';
import type { Verbs } from '../verbs.ts';
import { agent, editor, createQueueDriver, outputEvent, type QueueDriver } from './queue-driver.ts';
import { QueueModel, type ModelLease, type ModelTask, type ReleaseStatus } from './queue-model.ts';

const pick = fc.nat({ max: 7 });
const worker = fc.nat({ max: 1 });
const releaseStatus = fc.constantFrom<ReleaseStatus[]>('completed', 'failed', 'cancelled', 'needs_input', 'pending');
/** Any move; `pick` chooses a task, `old` its first lease in place of its newest. */
export const anyMove = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('submit' as const), priority: fc.nat({ max: 2 }), max: pick }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('claim' as const), worker, limit: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('report' as const), pick, old: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('release' as const), pick, old: fc.boolean(), status: releaseStatus }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('answer' as const), pick }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('expire' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reap' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('heartbeat' as const), worker }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('retry' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end holds' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave and return' as const), worker }) },
);
export type Move = typeof anyMove extends fc.Arbitrary<infer M> ? M : never;

/** The queue and its model, side by side. */
export class ModelPlayer {
  readonly model = new QueueModel();
  readonly verbs: Verbs;
  readonly db: TestDatabase;
  readonly driver: QueueDriver;
  codebaseId = '';
  readonly workers: { readonly name: string; readonly id: string }[] = [];

  constructor(verbs: Verbs, db: TestDatabase) {
    this.verbs = verbs;
    this.db = db;
    this.driver = createQueueDriver(verbs, db);
  }

  /** Two workers of one codebase. */
  async begin(): Promise<void> {
    for (const name of [crypto.randomUUID(), crypto.randomUUID()]) {
      const { workerId, codebaseId } = await this.driver.worker(this.codebaseId || undefined, { name });
      this.codebaseId = codebaseId;
      this.workers.push({ name, id: workerId });
    }
  }

  async step(next: Move): Promise<void> {
    switch (next.do) {
      case 'submit':
        return this.submit(next.priority, 1 + (next.max % 3));
      case 'claim':
        return this.claim(next.worker, next.limit);
      case 'reap':
        await reap(this.verbs);
        return this.model.reaped();
      case 'heartbeat':
        return this.heartbeat(next.worker);
      case 'end holds':
        for (const task of this.model.tasks) {
          await this.driver.endHolds(task.id);
          task.holds.clear();
        }
        return;
      case 'leave and return':
        await unregisterWorker(this.verbs, agent, this.worker(next.worker).id);
        await this.driver.worker(this.codebaseId, { name: this.worker(next.worker).name });
        return this.model.left(next.worker);
      default: {
        const task = this.model.tasks[next.pick % Math.max(1, this.model.tasks.length)];
        if (task !== undefined) await this.stepOn(task, next);
      }
    }
  }

  async stepOn(task: ModelTask, next: Extract<Move, { pick: number }>): Promise<void> {
    const lease = task.leases.at('old' in next && next.old ? 0 : -1);
    if (next.do === 'cancel') await this.cancel(task);
    else if (next.do === 'answer') await this.answer(task);
    else if (next.do === 'retry') await this.retry(task);
    else if (lease === undefined) return;
    else if (next.do === 'expire') await this.expire(task);
    else if (next.do === 'report') await this.report(task, lease);
    else await this.release(task, lease, next.status);
  }

  worker(index: number): { readonly name: string; readonly id: string } {
    return this.workers[index] ?? { name: '', id: '' };
  }

  async submit(priority: number, maxAttempts: number): Promise<void> {
    const task = await this.driver.submit(this.codebaseId, { priority, maxAttempts });
    this.model.submitted(task.id, priority, maxAttempts);
  }

  async claim(index: number, limit: number): Promise<void> {
    const expected = this.model.claimable(index, limit);
    const claimed = await this.driver.claim(this.worker(index).id, limit);
    assert.deepEqual(
      claimed.map((held) => held.task.id),
      expected.map((task) => task.id),
    );
    expected.forEach((task, i) => {
      const held = claimed[i];
      if (held !== undefined) this.model.claimed(task, index, held);
    });
  }

  async heartbeat(index: number): Promise<void> {
    const held = this.model.heldBy(index);
    const leases = held.map(({ lease }) => ({ taskId: lease.held.task.id, leaseToken: lease.held.leaseToken }));
    const renewal = await recordHeartbeat(this.verbs, agent, this.worker(index).id, leases, undefined);
    const ids = (expired: boolean): string[] =>
      held.filter(({ lease }) => lease.expired === expired).map(({ task }) => task.id);
    assert.deepEqual(new Set(renewal.renewed.map((lease) => lease.taskId)), new Set(ids(false)));
    assert.deepEqual(new Set(renewal.lost), new Set(ids(true)));
    for (const { lease } of held) lease.seen = true;
  }

  async report(task: ModelTask, lease: ModelLease): Promise<void> {
    const sent = this.driver.report(lease.held, [outputEvent(lease.n + 1)]);
    if (this.model.current(task) === lease) {
      assert.equal((await sent).cancelRequested, false);
      lease.seen = true;
      lease.n += 1;
    } else if (lease.end === 'cancelled' || lease.end === 'cut off') {
      // Within 10 s of its cancel reports of an attempt are accepted; only its artifacts are kept.
      assert.equal((await sent).cancelRequested, true);
    } else {
      await assert.rejects(sent, { code: 'lease_lost' });
    }
  }

  async release(task: ModelTask, lease: ModelLease, status: ReleaseStatus): Promise<void> {
    const sent = this.driver.release(lease.held, {
      status,
      ...(status === 'needs_input' ? { question: 'which?' } : {}),
    });
    if (this.model.current(task) === lease) {
      this.model.released(task, lease, status, await sent);
    } else if (lease.end === status) {
      assert.deepEqual(await sent, lease.answer);
    } else if (lease.end === 'cut off' && status === 'cancelled') {
      assert.equal((await sent).status, 'cancelled');
    } else {
      await assert.rejects(sent, { code: 'lease_lost' });
    }
  }

  async cancel(task: ModelTask): Promise<void> {
    const sent = cancelTask(this.verbs, editor, task.id);
    if (this.model.finished(task)) await assert.rejects(sent, { code: 'task_finished' });
    else {
      assert.equal((await sent).status, 'cancelled');
      this.model.cancelled(task);
    }
  }

  async answer(task: ModelTask): Promise<void> {
    const sent = answerTask(this.verbs, editor, task.id, { message: 'this one' });
    if (task.status === 'needs_input') {
      assert.equal((await sent).status, 'pending');
      task.status = 'pending';
    } else {
      await assert.rejects(sent, { code: this.model.finished(task) ? 'task_finished' : 'no_question' });
    }
  }

  async retry(task: ModelTask): Promise<void> {
    const sent = retryTask(this.verbs, editor, task.id);
    if (this.model.finished(task)) {
      const { task: again } = await sent;
      assert.deepEqual([again.retryOf, again.status, again.attempt], [task.id, 'pending', 0]);
      this.model.submitted(again.id, task.priority, task.maxAttempts);
    } else {
      await assert.rejects(sent, { code: 'task_not_finished' });
    }
  }

  async expire(task: ModelTask): Promise<void> {
    const lease = this.model.current(task);
    if (lease === undefined) return;
    await this.driver.expire(task.id);
    lease.expired = true;
  }

  /** Every task as the database has it, beside what the model says. */
  async compare(): Promise<void> {
    const rows = await this.db.query<{ row: string }>(
      `select concat_ws(' ', id, status, attempt, epoch, releases) as row from tasks where codebase_id = $1 order by id`,
      [this.codebaseId],
    );
    const shown = this.model.tasks.map((t) => [t.id, t.status, t.attempt, t.epoch, t.releases].join(' '));
    assert.deepEqual(
      rows.map(({ row }) => row),
      shown,
    );
  }
}
