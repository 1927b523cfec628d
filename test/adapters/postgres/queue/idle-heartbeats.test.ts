// Heartbeats of workers that run nothing share commits, and are otherwise independent.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openCommitPool } from '../../../../src/adapters/postgres/connection/connections.ts';
import { postgresQueue } from '../../../../src/adapters/postgres/queue/queue.ts';
import type { AuditIntent } from '../../../../src/domain/model/audit-entry.ts';
import type { TaskQueue } from '../../../../src/domain/ports/store/queue.ts';
import { unregisterWorker } from '../../../../src/domain/workers/register.ts';
import { until } from '../../../support/until.ts';
import { callerOf } from '../../../support/verbs.ts';
import { agent, createQueueDriver, type QueueDriver } from '../../../support/queue/queue-driver.ts';
import { useQueueFixture } from '../../../support/queue/queue-fixture.ts';

const fixture = useQueueFixture();
const connections = 2;

let pools: pg.Pool[];
/** Two replicas on one database. */
let here: TaskQueue;
let there: TaskQueue;
beforeAll(() => {
  const { service } = fixture().db;
  pools = [0, 1].map(() => openCommitPool({ address: service, role: 'a2a_app', max: connections, log: () => {} }));
});
beforeEach(() => {
  // The clock stands still, so a commit is never slow and a second connection is never used.
  const queues = pools.map((pool) => {
    const queue = postgresQueue({
      pool,
      connections,
      elapsedMs: () => 0,
      leaseSeconds: 60,
      idempotencyHours: 48,
      maxTaskArtifactBytes: 0,
    });
    queue.start([]);
    return queue;
  });
  [here, there] = [queues[0] ?? none(), queues[1] ?? none()];
});
afterAll(() => Promise.all(pools.map((pool) => pool.end())));

function none(): never {
  throw new Error('there are two pools');
}

const { subject } = agent;
const completed = { status: 'completed' as const, result: null, error: null, usage: null, digest: 'd', artifacts: [] };

async function workers(count: number, driver: QueueDriver = fixture().driver): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: count }, () => driver.worker()));
  return made.map(({ workerId }) => workerId);
}

const sendIdleHeartbeat = (workerId: string, queue = here, as = agent): Promise<boolean> =>
  queue.renew(as, { workerId, subject: as.subject, running: [], checkWaiting: false }).then(({ known }) => known);

/** Sets the last heartbeat an hour back. */
async function silence(workerIds: readonly string[]): Promise<void> {
  await fixture().db.query(`update workers set last_heartbeat_at = now() - interval '1 h' where worker_id = any ($1)`, [
    workerIds,
  ]);
}

async function readHeartbeats(workerIds: readonly string[]): Promise<{ ids: Set<string>; commits: number }> {
  const rows = await fixture().db.query<{ worker_id: string; xmin: string }>(
    `select worker_id, xmin::text from workers where worker_id = any ($1)
       and last_heartbeat_at > now() - interval '10 min'`,
    [workerIds],
  );
  return { ids: new Set(rows.map((row) => row.worker_id)), commits: new Set(rows.map((row) => row.xmin)).size };
}

/** Holds a row, as a transaction that does not end. */
async function hold(table: 'workers' | 'tasks', key: 'worker_id' | 'id', id: string): Promise<pg.Client> {
  const blocker = new pg.Client(fixture().db.superuser);
  await blocker.connect();
  await blocker.query('begin');
  await blocker.query(`select from ${table} where ${key} = $1 for update`, [id]);
  return blocker;
}

const waitsForALock = (): Promise<true> =>
  until('a statement waits for a lock', async () => {
    const waiting = await fixture().db.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return waiting.length > 0 ? true : undefined;
  });

describe('heartbeats of workers that run nothing', () => {
  it('share a commit when they arrive together, and when they arrive while another commit runs', async () => {
    const ids = await workers(20);
    await silence(ids);
    expect(new Set(await Promise.all(ids.map((id) => sendIdleHeartbeat(id))))).toEqual(new Set([true]));
    expect(await readHeartbeats(ids)).toEqual({ ids: new Set(ids), commits: 1 });

    await silence(ids);
    const { driver } = fixture();
    const { task, held } = await driver.heldTask();
    const blocker = await hold('tasks', 'id', task.id);
    const heartbeats: Promise<boolean>[] = [];
    try {
      const run = { taskId: task.id, leaseToken: held.leaseToken, subject };
      const finished = here.finish(agent, { ...run, ...completed });
      await waitsForALock();
      for (const id of ids) {
        heartbeats.push(sendIdleHeartbeat(id));
        // In separate turns of the event loop: in one turn they would share a commit in any case.
        await new Promise(setImmediate);
      }
      await blocker.query('rollback');
      await finished;
    } finally {
      await blocker.end();
    }
    await Promise.all(heartbeats);
    expect(await readHeartbeats(ids)).toEqual({ ids: new Set(ids), commits: 1 });
  });

  it('get results of their own: for an unknown worker, an unregistered one, another subject’s, another tenant’s', async () => {
    const { db, driver, verbs } = fixture();
    const others = createQueueDriver(verbs, db, {
      submitter: callerOf('editor', 'other'),
      workerCaller: callerOf('agent', 'other'),
    });
    const [ours = '', left = '', owned = ''] = await workers(3);
    const [foreign = ''] = await workers(1, others);
    await unregisterWorker(verbs, agent, left);
    await silence([ours, left, owned, foreign]);
    const stranger = callerOf('agent', 'default', 'token:stranger');
    const elsewhere = callerOf('agent', 'other');
    const answered = [
      sendIdleHeartbeat(randomUUID()),
      sendIdleHeartbeat(ours),
      sendIdleHeartbeat(left),
      sendIdleHeartbeat(owned, here, stranger),
      sendIdleHeartbeat(foreign),
      sendIdleHeartbeat(foreign, here, elsewhere),
      sendIdleHeartbeat(ours, here, elsewhere),
      sendIdleHeartbeat(ours),
    ];
    expect(await Promise.all(answered)).toEqual([false, true, false, false, false, true, false, true]);
    expect(await readHeartbeats([ours, left, owned, foreign])).toEqual({ ids: new Set([ours, foreign]), commits: 1 });
    // An operator acts for any of them.
    expect(await here.renew(agent, { workerId: owned, subject: undefined, running: [], checkWaiting: false })).toEqual({
      known: true,
      renewed: [],
      lost: [],
      cancel: [],
      interventions: [],
      tasksWaiting: false,
    });
    expect(await driver.claim(ours)).toEqual([]);
  });

  it('do not wait for a worker whose row is locked; its heartbeat waits alone, and succeeds then', async () => {
    const ids = await workers(5);
    await silence(ids);
    const [held = '', ...free] = ids;
    const blocker = await hold('workers', 'worker_id', held);
    try {
      const waiting = sendIdleHeartbeat(held);
      expect(await Promise.all(free.map((id) => sendIdleHeartbeat(id)))).toEqual([true, true, true, true]);
      await waitsForALock();
      expect((await readHeartbeats(ids)).ids).toEqual(new Set(free));
      await blocker.query('rollback');
      expect(await waiting).toBe(true);
    } finally {
      await blocker.end();
    }
    expect((await readHeartbeats(ids)).ids).toEqual(new Set(ids));
  });

  it('find a worker unregistered whose unregister was running', async () => {
    const [id = ''] = await workers(1);
    const blocker = await hold('workers', 'worker_id', id);
    try {
      await blocker.query('update workers set unregistered_at = now() where worker_id = $1', [id]);
      const waiting = sendIdleHeartbeat(id);
      await waitsForALock();
      await blocker.query('commit');
      expect(await waiting).toBe(false);
    } finally {
      await blocker.end();
    }
  });

  it('succeed beside one that the database rejects', async () => {
    const ids = await workers(3);
    await silence(ids);
    const answers = await Promise.allSettled([...ids, 'no id at all'].map((id) => sendIdleHeartbeat(id)));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    expect(answers[3]).toMatchObject({ reason: { code: 'invalid_value' } });
    expect((await readHeartbeats(ids)).ids).toEqual(new Set(ids));
  });

  it('store an audit intent when accepted, and none when rejected', async () => {
    const { db } = fixture();
    const [taken = '', held = ''] = await workers(2);
    const intents = [taken, held, randomUUID()].map(intentOf);
    const blocker = await hold('workers', 'worker_id', held);
    const heartbeats = intents.map((intent) =>
      here.renew({ ...agent, intent }, { workerId: intent.resource, subject, running: [], checkWaiting: false }),
    );
    try {
      await heartbeats[0];
      await waitsForALock();
      await blocker.query('rollback');
    } finally {
      await blocker.end();
    }
    expect((await Promise.all(heartbeats)).map(({ known }) => known)).toEqual([true, true, false]);
    const rows = await db.query<{ id: string; entries: string }>(
      `select id, entries from audit_intents where entries like '%idle heartbeat%'`,
    );
    const stored = rows.flatMap(({ id, entries }) => JSON.parse(entries).map((entry: string[]) => [entry[1], id]));
    expect(new Set(stored.map(([id]) => id))).toEqual(new Set([intents[0]?.id, intents[1]?.id]));
    expect(stored).toHaveLength(2);
    // Writing its line releases the row that has it.
    for (const [id, row] of stored) {
      expect(intents.find((intent) => intent.id === id)?.trace.rows.map((kept) => kept.id)).toContain(row);
    }
  });

  it('share this with reports and releases: a rejected one stores no intent', async () => {
    const { db, driver } = fixture();
    const [gap, other] = [await driver.heldTask(), await driver.heldTask()];
    const intents = [gap, other].map(({ workerId }) => intentOf(workerId));
    const [one, two] = intents;
    const lease = { taskId: other.task.id, leaseToken: other.held.leaseToken, subject };
    expect(await here.finish(agent, { ...lease, ...completed })).toMatchObject({ verdict: 'finished' });
    const line = { n: 2, type: 'output' as const, data: { stream: 'agent' as const, text: 'too early' } };
    const verdicts = await Promise.all([
      here.report(
        { ...agent, intent: one },
        { taskId: gap.task.id, leaseToken: gap.held.leaseToken, subject, contiguous: true, events: [line] },
      ),
      here.finish({ ...agent, intent: two }, { ...lease, ...completed, digest: 'another' }),
    ]);
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['event_gap', 'differs']);
    const rows = await db.query<{ entries: string }>('select entries from audit_intents');
    for (const { entries } of rows) for (const { id } of intents) expect(entries).not.toContain(id);
  });

  it('of two replicas meet each other, finishes and renewals without a deadlock', async () => {
    const { db, driver } = fixture();
    const deadlocks = async (): Promise<unknown> =>
      (await db.query('select deadlocks from pg_stat_database where datname = current_database()'))[0];
    const before = await deadlocks();
    const held = await Promise.all(Array.from({ length: 24 }, () => driver.heldTask()));
    const ids = held.map(({ workerId }) => workerId);
    const work = held.flatMap(({ workerId, task, held: { leaseToken } }, i) => {
      const [one, two] = i % 2 === 0 ? [here, there] : [there, here];
      const run = { taskId: task.id, leaseToken };
      const opposite = ids.at(-1 - i) ?? workerId;
      return [
        () => sendIdleHeartbeat(workerId, one),
        () => one.renew(agent, { workerId, subject, running: [run], checkWaiting: false }),
        () => sendIdleHeartbeat(opposite, two),
        () => two.finish(agent, { ...run, ...completed, subject }),
        () => sendIdleHeartbeat(workerId, two),
      ];
    });
    const answers = await Promise.all(work.map((runWork) => runWork()));
    expect(answers.filter((answer) => answer === false)).toEqual([]);
    expect(await deadlocks()).toEqual(before);
    for (const { task } of held) expect(await driver.currentTask(task.id)).toMatchObject({ status: 'completed' });
  });
});

function intentOf(workerId: string): AuditIntent {
  const id = randomUUID();
  const about = {
    actor: subject,
    action: 'idle heartbeat',
    resource: workerId,
    metadata: {},
    ip: null,
    sessionId: null,
  };
  return { id, at: 0, tenantId: 'default', ...about, chain: 'chain', trace: { rows: [] } };
}
