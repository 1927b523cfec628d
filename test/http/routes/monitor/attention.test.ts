// Things that wait for a person: the list, how each kind comes and goes, dismissals, and the stream's frames at every replica.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streamFrameByType } from '../../../../src/contracts/monitor/stream.ts';
import { newRunId, openRunSite } from '../../../support/runs/new-run.ts';
import {
  openService,
  type ApiReply,
  type ManualWorker,
  type TestService,
  type TestUser,
} from '../../../support/service.ts';
import { openStream, type Frame, type Stream } from '../../../support/client/sse.ts';
import { until } from '../../../support/until.ts';

let here: TestService;
let there: TestService;
let worker: ManualWorker;
beforeAll(async () => {
  here = await openService({ config: { webhookBackoffSeconds: 0.01 } });
  there = await openService({ db: here.db, config: { webhookBackoffSeconds: 0.01 } });
  worker = await here.worker({ name: 'asker', slots: 50 });
});
afterAll(async () => {
  await there[Symbol.asyncDispose]();
  await here[Symbol.asyncDispose]();
});

interface Item {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly link: string;
}

const list = async (query = ''): Promise<Item[]> =>
  (await here.call('GET', `/v1/monitor/attention${query}`, { as: 'viewer' })).body.items;
const itemOf = async (id: string): Promise<Item | undefined> =>
  (await list('?limit=200')).find((item) => item.id === id);
const dismiss = (id: string, as: TestUser): Promise<ApiReply> =>
  here.call('POST', `/v1/monitor/attention/${id}/dismiss`, { as });
const stream = (service: TestService, query = '', lastEventId?: string): Promise<Stream> =>
  openStream(service, `/v1/monitor/stream${query}`, { as: 'viewer', lastEventId });

/** Reads a stream until it has had these states of one thing, in this order. A stream may begin with an earlier state. */
async function takeStates(from: Stream, id: string, ...states: readonly string[]): Promise<void> {
  const seen: string[] = [];
  while (seen.slice(-states.length).join() !== states.join()) {
    const { data } = await from.take('attention');
    streamFrameByType.attention.parse(data);
    if (data.id === id) seen.push(data.state);
  }
}

async function asking(text: string, fields: Record<string, unknown> = {}): Promise<string> {
  const { id } = await here.task({ title: `asks ${text}`, ...fields });
  const [held] = await worker.claim(1, id);
  if (held === undefined) throw new Error('not claimed');
  await worker.release(held, { status: 'needs_input', message: { text } });
  return id;
}

async function deadDelivery(as: TestUser = 'editor'): Promise<{ taskId: string; deliveryId: string }> {
  const { id: taskId } = await here.task({ title: 'cannot deliver', webhook_url: 'https://hooks.invalid/y' }, as);
  await here.call('POST', `/v1/agent/tasks/${taskId}/cancel`, { as: 'operator', body: {} });
  const path = `/v1/automation/tasks/${taskId}/deliveries`;
  const deliveryId = await until('its delivery is dead', async () => {
    const { status, body } = await here.call('GET', path);
    // Too many calls, and a busy service: later.
    if (status === 429 || status === 503) return undefined;
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    const [delivery] = body.deliveries;
    return delivery?.status === 'dead' ? String(delivery.delivery_id) : undefined;
  });
  return { taskId, deliveryId };
}

let sites = 0;
async function newRun(fields: Record<string, unknown> = {}): Promise<string> {
  sites += 1;
  const site = await openRunSite(here, `attention ${sites}`);
  return newRunId(here, { codebase_id: site.codebaseId, ...fields });
}

async function failedRun(): Promise<string> {
  const id = await newRun();
  await here.db.query(`update ralph_runs set status = 'running' where id = $1`, [id]);
  const error = { code: 'budget_spent', message: 'The budget is spent.' };
  await here.db.query(`update ralph_runs set status = 'failed', completed_at = now(), error = $2 where id = $1`, [
    id,
    error,
  ]);
  return id;
}

async function silentWorker(name: string): Promise<ManualWorker> {
  const silent = await here.worker({ name });
  await here.db.query(`update workers set last_heartbeat_at = now() - interval '10 minutes' where worker_id = $1`, [
    silent.id,
  ]);
  return silent;
}

describe('GET /v1/monitor/attention', () => {
  it('lists some kinds alone, however many of others are newer [ui-6.19.8]', async () => {
    const id = await asking('Which kind?');
    await deadDelivery();
    const asked = await list('?kinds=task_question,approval&limit=1');
    expect(asked.map((item) => item.id)).toEqual([id]);
    expect((await list('?kinds=worker_gone&limit=200')).filter((item) => item.kind !== 'worker_gone')).toEqual([]);
    const { status, body } = await here.call('GET', '/v1/monitor/attention?kinds=bogus');
    expect([status, body.errors[0].path]).toEqual([400, '/query/kinds']);
  });

  it('lists a task that asks until it is answered, and announces it at every replica [ui-6.19.1, ui-6.19.2, ui-6.19.6]', async () => {
    await using one = await stream(here);
    await using two = await stream(there, '?types=attention');
    for (const each of [one, two]) await each.take('connected');
    const id = await asking('Which colour?');
    expect(await itemOf(id)).toEqual({
      kind: 'task_question',
      id,
      about: { kind: 'task', id },
      title: 'asks Which colour?',
      text: 'Which colour?',
      asked_at: expect.any(String),
      link: `/v1/monitor/questions/${id}`,
    });
    expect(
      (await here.call('POST', `/v1/agent/tasks/${id}/input`, { as: 'editor', body: { message: 'red' } })).status,
    ).toBe(200);
    expect(await itemOf(id)).toBeUndefined();
    for (const each of [one, two]) await takeStates(each, id, 'open', 'closed');
  });

  it('closes the question of a task that is cancelled [ui-6.19.2]', async () => {
    const id = await asking('Shall I?');
    await here.call('POST', `/v1/agent/tasks/${id}/cancel`, { as: 'editor', body: {} });
    expect(await itemOf(id)).toBeUndefined();
  });

  it('lists the question of a run with its options until it is answered [ui-6.19.2]', async () => {
    const run = await newRun();
    const id = '01a1fe54-4a4a-7000-89aa-ee8f27cb4186';
    await here.db.query(
      `insert into ralph_questions (tenant_id, run_id, id, kind, text, options)
       values ('default', $1, $2, 'baseline_red', 'The gates are red.', '["fix_first", "ignore"]')`,
      [run, id],
    );
    expect(await itemOf(id)).toMatchObject({
      kind: 'run_question',
      about: { kind: 'run', id: run },
      text: 'The gates are red.',
      options: [
        { value: 'fix_first', label: 'Fix first' },
        { value: 'ignore', label: 'Ignore' },
      ],
      link: `/v1/monitor/questions/${id}`,
    });
    await here.db.query('update ralph_questions set answered_at = now() where id = $1', [id]);
    expect(await itemOf(id)).toBeUndefined();
  });

  it('lists a dead delivery until it is sent again [ui-6.19.3]', async () => {
    const { taskId, deliveryId } = await deadDelivery();
    expect(await itemOf(deliveryId)).toMatchObject({
      kind: 'dead_delivery',
      title: 'cannot deliver',
      text: expect.stringContaining('hooks.invalid'),
      link: `/v1/monitor/tasks/${taskId}/deliveries`,
    });
    await using live = await stream(there);
    await live.take('connected');
    await here.call('POST', `/v1/automation/tasks/${taskId}/deliveries/${deliveryId}/redeliver`, { as: 'editor' });
    // It dies again, and waits again.
    await takeStates(live, deliveryId, 'closed', 'open');
  });

  it('lists a failed run until it is retried [ui-6.19.3]', async () => {
    const run = await failedRun();
    expect(await itemOf(run)).toMatchObject({
      kind: 'run_failed',
      text: 'The budget is spent.',
      link: `/dashboard/ralph/${run}`,
    });
    await here.db.query(
      `insert into ralph_runs select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'retry_of', r.id,
         'status', 'pending', 'completed_at', null))).* from ralph_runs r where r.id = $1`,
      [run],
    );
    expect(await itemOf(run)).toBeUndefined();
  });

  it('lists a lost worker until it is back, or deleted [ui-6.19.3, ui-6.17.1]', async () => {
    await using live = await stream(there, '?types=worker');
    await live.take('connected');
    const silent = await silentWorker('silent');
    const statuses: string[] = [];
    const follow = async (count: number): Promise<void> => {
      while (statuses.length < count) {
        const { data } = await live.take('worker');
        streamFrameByType.worker.parse(data);
        if (data.worker_id === silent.id) statuses.push(data.status);
      }
    };
    await follow(2);
    expect(await itemOf(silent.id)).toMatchObject({
      kind: 'worker_gone',
      title: 'silent',
      text: expect.stringContaining('No heartbeat since'),
      link: `/v1/monitor/fleet/${silent.id}`,
    });
    await silent.heartbeat([]);
    await follow(3);
    expect(await itemOf(silent.id)).toBeUndefined();
    await here.db.query(`update workers set last_heartbeat_at = now() - interval '10 minutes' where worker_id = $1`, [
      silent.id,
    ]);
    await follow(4);
    await here.call('POST', `/v1/agent/workers/${silent.id}/unregister`, { as: 'operator', body: {} });
    await follow(5);
    expect(statuses).toEqual(['active', 'offline', 'active', 'offline', 'unregistered']);
    expect(await itemOf(silent.id)).toBeUndefined();
  });

  it('forgets after seven days what does not ask [ui-6.19.4]', async () => {
    const [asked, failed] = [await asking('Long ago?'), await failedRun()];
    await here.db.query(`update attention_items set asked_at = now() - interval '8 days' where id = any ($1)`, [
      [asked, failed],
    ]);
    expect([await itemOf(asked), await itemOf(failed)]).toEqual([expect.objectContaining({ id: asked }), undefined]);
  });

  it('pages by cursor, newest first [ui-6.19.1]', async () => {
    const ids = [await asking('one'), await asking('two'), await asking('three')].toReversed();
    const first = (await here.call('GET', '/v1/monitor/attention?limit=2', { as: 'viewer' })).body;
    const second = await here.call('GET', `/v1/monitor/attention?limit=1&cursor=${first.next_cursor}`, {
      as: 'viewer',
    });
    expect([...first.items, ...second.body.items].map(({ id }: Item) => id)).toEqual(ids);
    for (const cursor of ['x', Buffer.from('nonsense').toString('base64url')]) {
      expect((await here.call('GET', `/v1/monitor/attention?cursor=${cursor}`)).status).toBe(400);
    }
  });

  it('shows nothing of another tenant [ui-6.19.1]', async () => {
    const id = await asking('Ours?');
    const { body } = await here.call('GET', '/v1/monitor/attention?limit=200', { as: 'other' });
    expect(JSON.stringify(body)).not.toContain(id);
    expect((await dismiss(id, 'other')).status).toBe(404);
  });
});

describe('POST /v1/monitor/attention/{id}/dismiss', () => {
  it('needs the permission for the remedy, and for what another owns the role operator [ui-6.19.5]', async () => {
    const { deliveryId } = await deadDelivery('editor');
    for (const [as, code] of [
      ['viewer', 'permission_missing'],
      ['editor2', 'not_owner'],
    ] as const) {
      const { status, body } = await dismiss(deliveryId, as);
      expect([status, body.code]).toEqual([403, code]);
    }
    expect(await itemOf(deliveryId)).toBeDefined();
    await using live = await stream(there);
    await live.take('connected');
    expect(await dismiss(deliveryId, 'editor')).toMatchObject({
      status: 200,
      body: { dismissed: true, id: deliveryId },
    });
    expect(await itemOf(deliveryId)).toBeUndefined();
    await takeStates(live, deliveryId, 'closed');
    expect((await dismiss(deliveryId, 'editor')).status).toBe(404);
  });

  it('dismisses failed runs and lost workers [ui-6.19.5]', async () => {
    const run = await failedRun();
    expect((await dismiss(run, 'viewer')).status).toBe(403);
    expect((await dismiss(run, 'operator')).status).toBe(200);
    const silent = await silentWorker('left');
    await until('it is missed', () => itemOf(silent.id));
    expect((await dismiss(silent.id, 'editor')).status).toBe(403);
    expect((await dismiss(silent.id, 'operator')).status).toBe(200);
    expect(await itemOf(silent.id)).toBeUndefined();
  });

  it('rejects what asks, and what is not there [ui-6.19.5]', async () => {
    const id = await asking('Really?');
    const { status, body } = await dismiss(id, 'admin');
    expect([status, body.code]).toEqual([409, 'needs_answer']);
    for (const missing of ['01890000-0000-7000-8000-000000000000', 'nothing', `x'y`]) {
      const reply = await dismiss(encodeURIComponent(missing), 'admin');
      expect([reply.status, reply.body.code]).toEqual([404, 'attention_item_not_found']);
    }
  });
});

describe('GET /v1/monitor/stream', () => {
  it('announces new runs and their changes of status, with the rest in one order [ui-6.17.2]', async () => {
    await using live = await stream(there, '?types=run');
    await live.take('connected');
    const id = await newRun();
    await here.call('POST', `/v1/ralph/runs/${id}/cancel`, { as: 'editor', body: {} });
    const statuses: string[] = [];
    while (statuses.at(-1) !== 'cancelled') {
      const { data } = await live.take('run');
      streamFrameByType.run.parse(data);
      if (data.run_id === id) statuses.push(data.status);
    }
    expect(statuses[0]).toBe('pending');
  });

  it('has question and attempt in a status [ui-6.17.3]', async () => {
    await using live = await stream(here, '?types=status');
    await live.take('connected');
    const id = await asking('Which one?');
    const found: Frame[] = [];
    while (found.length < 3) {
      const frame = await live.take('status');
      if (frame.data.task_id === id) found.push(frame);
    }
    const asked = await here.db.query('select message_id from later_messages where task_id = $1', [id]);
    expect(found.map(({ data }) => [data.status, data.attempt, data.question_id])).toEqual([
      ['pending', expect.any(Number), null],
      ['running', 1, null],
      ['needs_input', 1, asked[0]?.['message_id']],
    ]);
  });

  it('leaves frames of the wanted types, and of what the caller created [ui-6.17.4, ui-6.17.5]', async () => {
    await using mine = await openStream(there, '/v1/monitor/stream?only=mine&types=status,attention', {
      as: 'editor2',
    });
    await mine.take('connected');
    await here.task({ title: 'theirs' }, 'editor');
    await here.worker({ name: 'not wanted' });
    const { id } = await here.task({ title: 'mine' }, 'editor2');
    expect(await mine.next()).toMatchObject({ event: 'status', data: { task_id: id } });
    for (const query of ['types=nothing', 'types=status,', 'types=', 'only=theirs']) {
      const { status, body } = await here.call('GET', `/v1/monitor/stream?${query}`, { as: 'viewer' });
      expect([status, body.errors?.[0]?.path]).toEqual([400, `/query/${query.split('=')[0]}`]);
    }
  });

  it('resumes changes of what is no task at the other replica, each once [ui-6.17.6]', async () => {
    const ids: string[] = [];
    const add = async (): Promise<void> => void ids.push((await here.worker({ name: `resumed ${ids.length}` })).id);
    const seen: string[] = [];
    const read = async (from: Stream, count: number): Promise<string | undefined> => {
      while (seen.length < count) {
        const { id, data } = await from.take('worker');
        if (ids.includes(data.worker_id)) seen.push(data.worker_id);
        if (seen.length === count) return id;
      }
      return undefined;
    };
    const first = await stream(here);
    await first.take('connected');
    for (let n = 0; n < 3; n += 1) await add();
    const place = await read(first, 2);
    await first.close();
    for (let n = 0; n < 3; n += 1) await add();
    await using second = await stream(there, '', place);
    await read(second, 6);
    expect(seen).toEqual(ids);
  });
});
