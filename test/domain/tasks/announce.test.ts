// A change of a task is announced once it is committed: whoever reads at the hint sees the change.
import { expect, it } from 'vitest';
import type { TaskStatus } from '../../../src/domain/model/task/task-state.ts';
import type { Wake } from '../../../src/domain/ports/wake.ts';
import { cancelTask } from '../../../src/domain/tasks/cancel.ts';
import { answerTask } from '../../../src/domain/tasks/exchange/answer.ts';
import { intervene } from '../../../src/domain/tasks/exchange/intervene.ts';
import { reap } from '../../../src/domain/tasks/reap.ts';
import { unregisterWorker } from '../../../src/domain/workers/register.ts';
import { agent, editor } from '../../support/queue/queue-driver.ts';
import { useQueueFixture } from '../../support/queue/queue-fixture.ts';

const fixture = useQueueFixture();

interface Change {
  readonly name: string;
  readonly status: TaskStatus;
  /** Whether an attempt is running until the change, and its worker must stop it. */
  readonly stops: boolean;
  /** Prepares the task, and returns the call that changes it. */
  readonly prepare: (held: Held) => Promise<() => Promise<unknown>>;
}

type Held = Awaited<ReturnType<ReturnType<typeof fixture>['driver']['heldTask']>>;

const changes: Change[] = [
  {
    name: 'a cancel',
    status: 'cancelled',
    stops: true,
    prepare: ({ task }) => Promise.resolve(() => cancelTask(fixture().verbs, editor, task.id)),
  },
  {
    name: 'a cancel by intervention',
    status: 'cancelled',
    stops: true,
    prepare: ({ task }) => {
      const request = { action: 'cancel', message: undefined, taskId: task.id, agentId: undefined } as const;
      return Promise.resolve(() => intervene(fixture().verbs, editor, request));
    },
  },
  {
    name: 'an answer',
    status: 'pending',
    stops: false,
    prepare: async ({ task, held }) => {
      await fixture().driver.release(held, { status: 'needs_input', question: 'which?' });
      return () => answerTask(fixture().verbs, editor, task.id, { message: 'this one' });
    },
  },
  {
    name: 'a lost lease',
    status: 'pending',
    stops: false,
    prepare: async ({ task }) => {
      await fixture().driver.expire(task.id);
      return () => reap(fixture().verbs);
    },
  },
  {
    name: 'a passed deadline',
    status: 'failed',
    stops: true,
    prepare: async ({ task }) => {
      await fixture().db.query(`update tasks set deadline_at = now() - interval '1 s' where id = $1`, [task.id]);
      return () => reap(fixture().verbs);
    },
  },
  {
    name: 'the end of a worker',
    status: 'pending',
    stops: true,
    prepare: ({ workerId }) => Promise.resolve(() => unregisterWorker(fixture().verbs, agent, workerId)),
  },
];

it.each(changes)('$name is announced after its commit: $status', async ({ status, stops, prepare }) => {
  const { db, driver, verbs } = fixture();
  const held = await driver.heldTask();
  const { task, workerId } = held;
  const change = await prepare(held);
  const hints: Wake[] = [];
  const reads: Promise<{ status: string }[]>[] = [];
  const stop = verbs.wake.listen((hint) => {
    if (!('taskId' in hint) || hint.taskId !== task.id) return;
    hints.push(hint);
    reads.push(db.query<{ status: string }>('select status from tasks where id = $1', [task.id]));
  });
  await change();
  stop();
  const seen = (await Promise.all(reads)).flatMap((rows) => rows.map((row) => row.status));
  const kinds = hints.map(({ kind }) => kind);
  expect(kinds).toEqual([...(stops ? ['cancel'] : []), 'task', ...(status === 'pending' ? ['pending'] : [])]);
  expect(seen).toEqual(kinds.map(() => status));
  if (stops) expect(hints[0]).toEqual({ kind: 'cancel', tenantId: 'default', workerId, taskId: task.id });
});
