// The states of a task: one total table in code, the same table in the database's trigger.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  canMove,
  isTerminal,
  nextStatus,
  taskTransitions,
  taskStatuses,
  type TaskStatus,
} from '../../../../src/domain/model/task/task-state.ts';
import { cloneDatabase, type TestDatabase } from '../../../support/database/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await cloneDatabase();
  await db.query(`insert into tenants (tenant_id, name) values ('default', 'default')`);
});
afterAll(() => db[Symbol.asyncDispose]());

/** The transitions as drawn in choices-2, one per line. */
const drawn = new Set([
  'pending → running',
  'pending → cancelled',
  'pending → failed',
  'running → completed',
  'running → failed',
  'running → cancelled',
  'running → needs_input',
  'running → pending',
  'needs_input → pending',
  'needs_input → cancelled',
  'needs_input → failed',
]);

const pairs = taskStatuses.flatMap((from) => taskStatuses.map((to) => ({ from, to })));

/** Tries to move a task from `from` to `to` in the database. */
async function tryMove(from: TaskStatus, to: TaskStatus): Promise<'moved' | 'refused'> {
  const [row] = await db.query<{ id: string }>(
    `insert into tasks (tenant_id, id, status, route_id, run_id, max_attempts, title, prompt, created_by)
     values ('default', gen_random_uuid(), $1, 'r', gen_random_uuid(), 3, 't', 'p', 'me') returning id`,
    [from],
  );
  try {
    await db.query('update tasks set status = $2 where id = $1', [row?.id, to]);
    return 'moved';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'SY409') return 'refused';
    throw error;
  }
}

describe('the states', () => {
  it('are pending, running, needs_input, completed, failed and cancelled [choices-2.1, core-3.1.7]', () => {
    expect(taskStatuses).toEqual(['pending', 'running', 'needs_input', 'completed', 'failed', 'cancelled']);
  });

  it('move as drawn and no other way, in code [choices-2.2, choices-2.4, choices-2.7, choices-2.9]', () => {
    const moves = pairs.filter(({ from, to }) => canMove(from, to)).map(({ from, to }) => `${from} → ${to}`);
    expect(new Set(moves)).toEqual(drawn);
    expect(taskStatuses.filter(isTerminal)).toEqual(['completed', 'failed', 'cancelled']);
  });

  it('have a result for every transition in every state', () => {
    for (const status of taskStatuses) {
      for (const happening of taskTransitions) {
        const next = nextStatus(status, happening);
        expect(next === null || taskStatuses.includes(next)).toBe(true);
      }
    }
  });

  it('move in the database exactly as in code, every pair tried [choices-2.3]', async () => {
    for (const { from, to } of pairs) {
      const expected = from === to || canMove(from, to) ? 'moved' : 'refused';
      expect({ from, to, did: await tryMove(from, to) }).toEqual({ from, to, did: expected });
    }
  });

  it('leave no terminal state by any random walk in the database [choices-2.3]', async () => {
    const walk = fc.array(fc.constantFrom(...taskStatuses), { minLength: 2, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(walk, async (wishes) => {
        const [row] = await db.query<{ id: string }>(
          `insert into tasks (tenant_id, id, route_id, run_id, max_attempts, title, prompt, created_by)
           values ('default', gen_random_uuid(), 'r', gen_random_uuid(), 3, 't', 'p', 'me') returning id`,
        );
        let at: TaskStatus = 'pending';
        for (const wish of wishes) {
          await db.query('update tasks set status = $2 where id = $1', [row?.id, wish]).catch(() => undefined);
          if (canMove(at, wish)) at = wish;
          const [now] = await db.query<{ status: TaskStatus }>('select status from tasks where id = $1', [row?.id]);
          expect(now?.status).toBe(at);
        }
      }),
      { numRuns: 40 },
    );
  });
});
