// The output of a task by pieces, by lines, by words and as text, over several attempts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type ManualWorker, type TestService } from '../../../support/service.ts';
import type { AssignmentWire } from '../../../../src/contracts/worker.ts';

let service: TestService;
let worker: ManualWorker;
beforeAll(async () => {
  service = await openService();
  worker = await service.worker();
});
afterAll(() => service[Symbol.asyncDispose]());

async function claimOne(id: string): Promise<AssignmentWire> {
  const [held] = await worker.claim(1, id);
  if (held === undefined) throw new Error('nothing claimed');
  return held;
}

async function print(held: AssignmentWire, texts: readonly string[], from = 1): Promise<void> {
  const events = texts.map((text, i) => ({ type: 'output', n: from + i, stream: 'stdout', text }));
  expect((await worker.report(held, events)).status).toBe(200);
}

/** Two attempts: the first asks. Lines: 1 one, 2 two (in two pieces), 3 three, 4 empty, 5 four, 6 five. */
async function twoAttempts(): Promise<{ id: string; runs: string[] }> {
  const { id } = await service.task();
  const first = await claimOne(id);
  await print(first, ['one\ntw']);
  await print(first, ['o\n', 'three\n\n'], 2);
  await worker.release(first, { status: 'needs_input', message: { text: 'which?' } });
  await service.call('POST', `/v1/agent/tasks/${id}/input`, { body: { message: 'this' } });
  const second = await claimOne(id);
  await print(second, ['four\nfi', 've']);
  await worker.release(second, { status: 'completed' });
  return { id, runs: [first.task.run_id, second.task.run_id] };
}

async function output(id: string, query: string): Promise<{ texts: string[]; first_line: number; next: number }> {
  const { status, body } = await service.call('GET', `/v1/agent/tasks/${id}/output?${query}`);
  expect(status).toBe(200);
  return { texts: body.output.map(({ text }: { text: string }) => text), first_line: body.first_line, next: body.next };
}

describe('the output of a task', () => {
  let id: string;
  let runs: string[];
  beforeAll(async () => {
    ({ id, runs } = await twoAttempts());
  });

  it('is read from its end and before a number, in ascending order [ui-6.4.1]', async () => {
    expect(await output(id, 'tail=2')).toMatchObject({ texts: ['four\nfi', 've'], first_line: 5 });
    const { body } = await service.call('GET', `/v1/agent/tasks/${id}/output?tail=2`);
    expect(await output(id, `before=${body.output[0].seq}&limit=2`)).toMatchObject({
      texts: ['o\n', 'three\n\n'],
      first_line: 2,
    });
    expect(await output(id, 'before=1')).toMatchObject({ texts: [], first_line: 1 });
  });

  it('names the line in which its first piece begins, over attempts and without a piece [ui-6.4.2]', async () => {
    expect(await output(id, '')).toMatchObject({ first_line: 1 });
    const { next } = await output(id, '');
    expect(await output(id, `after=${next}`)).toEqual({ texts: [], first_line: 6, next });
    const empty = await service.task();
    expect(await output(empty.id, 'tail=5')).toMatchObject({ texts: [], first_line: 1, next: 0 });
  });

  it('is read around a line [ui-6.4.4]', async () => {
    for (const [line, text] of [
      [1, 'one\ntw'],
      [2, 'one\ntw'],
      [3, 'three\n\n'],
      [4, 'three\n\n'],
      [5, 'four\nfi'],
      [6, 'four\nfi'],
      [99, 've'],
    ] as const) {
      expect([line, (await output(id, `line=${line}&limit=1`)).texts]).toEqual([line, [text]]);
    }
    expect(await output(id, 'line=3&limit=3')).toMatchObject({
      texts: ['o\n', 'three\n\n', 'four\nfi'],
      first_line: 2,
    });
    expect((await output(id, 'line=6&limit=4')).texts).toHaveLength(4);
  });

  it('is that of one attempt where run_id names it [ui-6.4.5]', async () => {
    expect(await output(id, `run_id=${runs[1]}`)).toMatchObject({ texts: ['four\nfi', 've'], first_line: 5 });
    expect((await output(id, `run_id=${runs[0]}&tail=1`)).texts).toEqual(['three\n\n']);
    const gone = await service.call('GET', `/v1/agent/tasks/${id}/output?run_id=01890000-0000-7000-8000-000000000000`);
    expect(gone).toMatchObject({ status: 404, body: { code: 'attempt_not_found' } });
  });

  it('is searched by lines, also those that lie in several pieces [ui-6.4.6]', async () => {
    const search = async (query: string): Promise<unknown> =>
      (await service.call('GET', `/v1/agent/tasks/${id}/output?${query}`)).body;
    expect(await search('q=TWO')).toMatchObject({ hits: [{ line: 2, text: 'two' }], next: null });
    expect(await search('q=five')).toMatchObject({ hits: [{ line: 6, text: 'five' }] });
    expect(await search('q=e&limit=2')).toMatchObject({ hits: [{ line: 1 }, { line: 3 }], first_line: 1 });
    expect(await search(`q=e&run_id=${runs[1]}`)).toMatchObject({ hits: [{ line: 6 }], first_line: 5 });
    expect(await search('q=.')).toMatchObject({ hits: [] });
  });

  it('is streamed as text that no browser takes for anything else [ui-6.4.7]', async () => {
    const headers = { accept: 'text/plain', authorization: `Bearer ${service.token('viewer')}` };
    const whole = await fetch(`${service.url}/v1/agent/tasks/${id}/output`, { headers });
    expect(whole.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await whole.text()).toBe('one\ntwo\nthree\n\nfour\nfive');
    const end = await fetch(`${service.url}/v1/agent/tasks/${id}/output?tail=2`, { headers });
    expect(await end.text()).toBe('four\nfive');
    const nothing = await fetch(`${service.url}/v1/agent/tasks/${(await service.task()).id}/output`, { headers });
    expect([nothing.status, await nothing.text()]).toEqual([200, '']);
  });

  it('refuses places that exclude each other', async () => {
    for (const query of ['after=1&before=2', 'tail=1&line=2', 'q=x&before=2', 'q=x&tail=2', 'tail=0', 'line=0', 'q=']) {
      const { status, body } = await service.call('GET', `/v1/agent/tasks/${id}/output?${query}`);
      expect([query, status, body.errors?.length]).toEqual([query, 400, 1]);
    }
  });
});

it('a long output is divided into many pieces, and any line is found among them [ui-6.4.3] [ui-6.4.4]', async () => {
  const { id } = await service.task();
  const held = await claimOne(id);
  for (let batch = 0; batch < 4; batch += 1) {
    const texts = Array.from({ length: 250 }, (_, i) => `line ${batch * 250 + i + 1}\n`);
    await print(held, texts, batch * 250 + 1);
  }
  for (const line of [1, 2, 500, 777, 999, 1000]) {
    expect(await output(id, `line=${line}&limit=1`)).toMatchObject({ texts: [`line ${line}\n`], first_line: line });
  }
  const around = await output(id, 'line=500&limit=10');
  expect(around.texts).toHaveLength(10);
  expect(around.texts).toContain('line 500\n');
  expect(await output(id, 'tail=300')).toMatchObject({ first_line: 701, texts: { length: 300 } });
  // A repeated report counts no line twice.
  await print(held, ['line 1000\n'], 1000);
  await print(held, ['the end'], 1001);
  expect(await output(id, 'tail=1')).toMatchObject({ texts: ['the end'], first_line: 1001 });
});
