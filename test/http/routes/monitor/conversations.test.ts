// The monitor over HTTP: agents, messages, the stream over two replicas, exports.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportJson } from '../../../../src/contracts/monitor.ts';
import { streamFrameByType } from '../../../../src/contracts/monitor/stream.ts';
import { registerAgent } from '../../../../src/domain/agents/directory.ts';
import { openService, type ManualWorker, type TestService } from '../../../support/service.ts';
import { openStream, type Frame, type Stream } from '../../../support/client/sse.ts';
import { until } from '../../../support/until.ts';
import { callerOf, openVerbs, type Verbs } from '../../../support/verbs.ts';

let here: TestService;
let there: TestService;
let worker: ManualWorker;
let verbs: Verbs;
beforeAll(async () => {
  here = await openService();
  there = await openService({ db: here.db });
  worker = await here.worker({ name: 'hand', agents: ['scribe'], capabilities: ['ink'], slots: 50 });
  verbs = await openVerbs(here.db);
});
afterAll(async () => {
  await verbs[Symbol.asyncDispose]();
  await there[Symbol.asyncDispose]();
  await here[Symbol.asyncDispose]();
});

const stream = (service: TestService, lastEventId?: string): Promise<Stream> =>
  openStream(service, '/v1/monitor/stream', { as: 'viewer', lastEventId });

/** Frames about these tasks, until there are so many. */
async function about(from: Stream, taskIds: readonly string[], count: number): Promise<Frame[]> {
  const found: Frame[] = [];
  while (found.length < count) {
    const frame = await from.next();
    if (frame === undefined) throw new Error('the stream is over');
    if (taskIds.includes(frame.data.task_id)) found.push(frame);
  }
  return found;
}

const frameText = ({ event, data }: Frame): string => `${event} ${data.status ?? data.role} ${data.text}`;

describe('GET /v1/monitor/agents', () => {
  it('lists the agents that accept messages: those of workers and registered ones [choices-3.81, core-1.11.2]', async () => {
    const named = {
      name: 'listener',
      description: 'answers',
      url: 'https://l.invalid',
      capabilities: ['ears'],
      models: [],
    };
    await registerAgent(verbs, callerOf('editor'), named);
    const { status, body } = await here.call('GET', '/v1/monitor/agents', { as: 'viewer' });
    expect(status).toBe(200);
    expect(body.agents.map(({ name }: { name: string }) => name)).toEqual(['hand', 'listener', 'scribe']);
    expect(body.agents[1]).toMatchObject({ ...named, source: 'registered', routable: false, online: true });
    expect(body.agents[2]).toMatchObject({ name: 'scribe', source: 'worker', routable: true, capabilities: ['ink'] });
    const able = await here.call('GET', '/v1/monitor/agents?capability=ears&online_only=true', { as: 'viewer' });
    expect(able.body.agents).toHaveLength(1);
    const first = await here.call('GET', '/v1/monitor/agents?limit=2', { as: 'viewer' });
    const rest = await here.call('GET', `/v1/monitor/agents?cursor=${first.body.next_cursor}`, { as: 'viewer' });
    expect(rest.body.agents.map(({ name }: { name: string }) => name)).toEqual(['scribe']);
  });
});

describe('GET /v1/monitor/messages', () => {
  it('searches the messages of all conversations, with cursors [choices-3.81]', async () => {
    const { id } = await here.task({ prompt: 'compose a Sonnet', conversation_id: 'poems', target_agent: 'scribe' });
    const [held] = await worker.claim(1, id);
    if (held === undefined) throw new Error('not claimed');
    await worker.release(held, { status: 'completed', result: 'a sonnet it is' });
    await here.task({ prompt: 'something else' });
    const { body } = await here.call('GET', '/v1/monitor/messages?q=SONNET', { as: 'viewer' });
    expect(body.messages).toEqual([
      expect.objectContaining({
        role: 'agent',
        agent_name: 'scribe',
        text: 'a sonnet it is',
        conversation_id: 'poems',
      }),
      expect.objectContaining({ role: 'user', agent_name: null, text: 'compose a Sonnet', task_id: id }),
    ]);
    const first = await here.call('GET', '/v1/monitor/messages?conversation_id=poems&limit=1', { as: 'viewer' });
    const query = `conversation_id=poems&cursor=${first.body.next_cursor}`;
    const second = await here.call('GET', `/v1/monitor/messages?${query}`, { as: 'viewer' });
    expect([...first.body.messages, ...second.body.messages]).toEqual(body.messages);
    for (const cursor of ['x', 'bm9uc2Vuc2U']) {
      expect((await here.call('GET', `/v1/monitor/messages?cursor=${cursor}`)).status).toBe(400);
    }
  });
});

describe('GET /v1/monitor/stream', () => {
  it('streams changes and messages as they happen, at every replica [choices-3.82]', async () => {
    await using one = await stream(here);
    await using two = await stream(there);
    for (const each of [one, two]) await each.take('connected');
    const { id } = await here.task({ prompt: 'hello' });
    const [held] = await worker.claim(1, id);
    if (held === undefined) throw new Error('not claimed');
    await worker.report(held, [
      { type: 'output', n: 1, stream: 'agent', text: 'printed' },
      { type: 'message', n: 2, role: 'agent', parts: [{ text: 'on it' }] },
    ]);
    await worker.release(held, { status: 'completed', result: 'x'.repeat(3_000) });
    for (const each of [one, two]) {
      const frames = await about(each, [id], 4);
      expect(frames.slice(0, 3).map(frameText)).toEqual([
        'status pending hello',
        'status running null',
        'message agent on it',
      ]);
      expect(frames[3]?.data).toMatchObject({ status: 'completed', truncated: true, text: 'x'.repeat(2_000) });
      for (const { event, data } of frames)
        (event === 'status' ? streamFrameByType.status : streamFrameByType.message).parse(data);
    }
  });

  it('resumes at the other replica after a disconnect, without gaps or duplicates', async () => {
    await using first = await stream(here);
    await first.take('connected');
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await here.task({ prompt: `${n}` })).id);
    const before = await about(first, ids, 2);
    await first.close();
    for (let n = 3; n < 6; n += 1) ids.push((await here.task({ prompt: `${n}` })).id);
    await using second = await stream(there, before.at(-1)?.id);
    const after = await about(second, ids, 4);
    expect([...before, ...after].map(({ data }) => data.text)).toEqual(['0', '1', '2', '3', '4', '5']);
  });

  it('is resumed from its first frame when nothing was sent before the disconnect', async () => {
    const idle = await stream(here);
    const { id: place } = await idle.take('connected');
    await idle.close();
    const { id } = await here.task({ prompt: 'while nobody looked' });
    await using resumed = await stream(there, place);
    expect((await about(resumed, [id], 1)).map(frameText)).toEqual(['status pending while nobody looked']);
  });

  it('restarts with resync when the cursor is not in the log', async () => {
    const oldest = (await here.call('GET', '/v1/monitor/export.json?what=messages')).body.messages.at(-1);
    for (const place of ['nonsense', '1', '99999999999999.9000000000000000000', '1000.5']) {
      await using resumed = await stream(there, place);
      expect((await resumed.next())?.event).toBe('resync');
      expect((await resumed.next())?.event).toBe('connected');
      expect((await resumed.next())?.data.task_id).toBe(oldest.task_id);
    }
  });

  it('holds back events that an older transaction may still precede, and then sends all in order', async () => {
    await using live = await stream(here);
    await live.take('connected');
    const { id: early } = await here.task({ prompt: 'early' });
    await about(live, [early], 1);
    const slow = new pg.Client(here.db.superuser);
    await slow.connect();
    try {
      await slow.query('begin');
      await slow.query(`select queue_end('default', $1, 'cancelled', null, 'late')`, [early]);
      const { id: later } = await here.task({ prompt: 'later' });
      await until('it is known to be there', async () => {
        const { body } = await here.call('GET', '/v1/monitor/messages?q=later');
        return body.messages.length === 1;
      });
      expect(live.frames.some(({ data }) => data.task_id === later)).toBe(false);
      await slow.query('commit');
      const frames = await about(live, [early, later], 2);
      expect(frames.map(frameText)).toEqual(['status cancelled late', 'status pending later']);
    } finally {
      await slow.end();
    }
  });

  it('delivers more events than a subscriber’s buffer holds', async () => {
    await using live = await stream(here);
    await live.take('connected');
    const bodies = Array.from({ length: 700 }, (_, n) => ({ title: 't', prompt: `many ${n}`, codebase_id: 'global' }));
    const ids = await Promise.all(
      bodies.map(async (body) => (await here.call('POST', '/v1/agent/tasks', { as: 'editor', body })).body.task.id),
    );
    const frames = await about(live, ids, 700);
    expect(new Set(frames.map(({ data }) => data.task_id)).size).toBe(700);
    expect(new Set(frames.map(({ id }) => id)).size).toBe(700);
  });
});

describe('exports', () => {
  it('as JSON have messages, tasks or agents, and the next cursor [choices-3.83]', async () => {
    for (const what of ['messages', 'tasks', 'agents']) {
      const { status, headers, body } = await here.call('GET', `/v1/monitor/export.json?what=${what}&limit=2`, {
        as: 'viewer',
      });
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
      expect(headers.get('content-disposition')).toContain('attachment');
      exportJson.parse(body);
      expect(body[what]).toHaveLength(2);
      const next = `/v1/monitor/export.json?what=${what}&limit=2&cursor=${body.next_cursor}`;
      const { body: more } = await here.call('GET', next);
      expect(more[what]).not.toEqual([]);
      expect(body[what]).not.toContainEqual(more[what][0]);
    }
    const { body: all } = await here.call('GET', '/v1/monitor/export.json?what=tasks&limit=100000');
    expect(all.tasks.length).toBeGreaterThan(700);
    expect(all.next_cursor).toBeNull();
    expect(new Set(all.tasks.map(({ id }: { id: string }) => id)).size).toBe(all.tasks.length);
  });

  it('of tasks take the filters of the list of tasks [ui-6.1.9]', async () => {
    const conversation_id = 'exported';
    const kept = await here.task({ prompt: 'stays', conversation_id });
    const gone = await here.task({ prompt: 'is cancelled', conversation_id });
    await here.call('POST', `/v1/agent/tasks/${gone.id}/cancel`, { body: {} });
    const of = async (query: string): Promise<string[]> => {
      const path = `/v1/monitor/export.json?what=tasks&conversation_id=${conversation_id}&${query}`;
      return (await here.call('GET', path)).body.tasks.map(({ id }: { id: string }) => id);
    };
    expect(await of('status=cancelled,failed')).toEqual([gone.id]);
    expect(await of('created_after=2100-01-01T00:00:00Z')).toEqual([]);
    expect(await of('')).toEqual([gone.id, kept.id]);
    const path = `/v1/monitor/export.csv?what=tasks&conversation_id=${conversation_id}&status=pending`;
    expect(
      cells((await here.call('GET', path)).body)
        .slice(1)
        .map(([first]) => first),
    ).toEqual([kept.id]);
  });

  it('as CSV contain no formula, and continue after a row', async () => {
    const tricks = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\u200b=1', '＝1', 'a"b', 'a,b', 'a\r\n=1,2', "'=1"];
    for (const prompt of tricks) await here.task({ prompt, conversation_id: 'tricks' });
    const path = '/v1/monitor/export.csv?conversation_id=tricks';
    const { status, headers, body } = await here.call('GET', path, { as: 'viewer' });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    const [head, ...lines] = cells(body);
    expect(head).toEqual(['id', 'conversation_id', 'task_id', 'role', 'agent_name', 'at', 'text', 'cursor']);
    const texts = lines.map((line) => line[6]);
    expect(texts.toReversed()).toEqual([
      "'=1+1",
      "'+1",
      "'-1",
      "'@SUM(A1)",
      "'\t=1",
      "' =1",
      "'\u200b=1",
      "'＝1",
      'a"b',
      'a,b',
      'a\r\n=1,2',
      "''=1",
    ]);
    const { body: rest } = await here.call('GET', `${path}&cursor=${lines[1]?.[7]}`);
    expect(cells(rest).slice(1)).toEqual(lines.slice(2));
  });

  it('are rejected before they begin: a wrong cursor, a cursor of another kind, invalid values', async () => {
    for (const query of [
      'cursor=zzz',
      'what=secrets',
      'limit=0',
      'limit=100001',
      'what=agents&q=x',
      'what=messages&status=failed',
      'what=tasks&status=bogus',
      'what=tasks&cursor=eHg',
    ]) {
      for (const form of ['json', 'csv']) {
        const { status, body } = await here.call('GET', `/v1/monitor/export.${form}?${query}`);
        expect([query, status, body.code]).toEqual([query, 400, 'invalid_request']);
      }
    }
  });
});

/** Lines of cells as RFC 4180 has them. */
function cells(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') lines.push([]);
  }
  return lines.filter((line) => line.length > 1);
}
