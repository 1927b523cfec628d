// The activity of a task's agent, in lists as alone: question, last event and words, lease, pause, changes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { task, type TaskWire } from '../../../../src/contracts/task.ts';
import type { AssignmentWire } from '../../../../src/contracts/worker.ts';
import { openService, type ManualWorker, type TestService } from '../../../support/service.ts';

let service: TestService;
let worker: ManualWorker;
beforeAll(async () => {
  service = await openService();
  worker = await service.worker();
});
afterAll(() => service[Symbol.asyncDispose]());

async function read(id: string): Promise<TaskWire> {
  const { body } = await service.call('GET', `/v1/agent/tasks/${id}`);
  // The list says the same. [ui-6.2.8]
  const list = await service.call('GET', '/v1/agent/tasks?limit=200');
  expect(
    z
      .array(task)
      .parse(list.body.tasks)
      .find((one) => one.id === id),
  ).toEqual(body.task);
  return task.parse(body.task);
}

async function start(fields: Record<string, unknown> = {}): Promise<{ id: string; held: AssignmentWire }> {
  const { id } = await service.task({ codebase_id: 'global', ...fields });
  const [held] = await worker.claim(1, id);
  if (held === undefined) throw new Error('the task was not claimed');
  return { id, held };
}

const output = (n: number, text: string): Record<string, unknown> => ({ type: 'output', n, stream: 'stdout', text });

async function lastEventAt(id: string): Promise<string> {
  const { body } = await service.call('GET', `/v1/agent/tasks/${id}/events?limit=200`);
  return body.events.at(-1).at;
}

describe('a task', () => {
  it('has the time of the last event of its log, whatever the event is [ui-6.2.2]', async () => {
    const { id, held } = await start();
    const check = async (): Promise<void> => expect((await read(id)).last_event_at).toBe(await lastEventAt(id));
    await check();
    await worker.report(held, [{ type: 'progress', n: 1, percent: 10 }]);
    await check();
    await worker.release(held, { status: 'needs_input', message: { text: 'which?' } });
    await check();
    await service.call('POST', `/v1/agent/tasks/${id}/input`, { as: 'editor', body: { message: 'this' } });
    await check();
    const [again] = await worker.claim(1, id);
    if (again !== undefined) await worker.release(again, { status: 'completed' });
    await check();
    const { id: waiting } = await service.task();
    await service.call('POST', `/v1/agent/tasks/${waiting}/cancel`, { as: 'editor', body: {} });
    expect((await read(waiting)).last_event_at).toBe(await lastEventAt(waiting));
  });

  it('has the end of its lease while it runs, which moves with a heartbeat [ui-6.2.4]', async () => {
    const { id, held } = await start();
    const { lease_expires_at: first } = await read(id);
    expect(first).toBe(held.lease_expires_at);
    await worker.heartbeat([held]);
    const { lease_expires_at: renewed } = await read(id);
    expect(Date.parse(renewed ?? '')).toBeGreaterThan(Date.parse(first ?? ''));
    await worker.release(held, { status: 'completed' });
    expect((await read(id)).lease_expires_at).toBeNull();
  });

  it('has no write of its row more for output, a heartbeat or progress [ui-6.2.9]', async () => {
    const { id, held } = await start();
    await service.db.query('create table row_writes (id uuid)');
    await service.db.query(`create function note_write() returns trigger language plpgsql security definer as
      $$ begin insert into row_writes values (new.id); return null; end $$`);
    await service.db.query(
      'create trigger note_writes after update on tasks for each row execute function note_write()',
    );
    await worker.report(held, [output(1, 'one\n'), output(2, 'two\n')]);
    await worker.report(held, [{ type: 'progress', n: 3, percent: 10 }]);
    await worker.heartbeat([held]);
    expect(await service.db.query('select count(*)::int as n from row_writes where id = $1', [id])).toEqual([{ n: 3 }]);
    await service.db.query('drop trigger note_writes on tasks');
  });

  it('has the time since when its agent has confirmed a pause [ui-6.2.5]', async () => {
    const { id, held } = await start();
    const confirm = async (n: number, action: 'pause' | 'resume', status = 'delivered'): Promise<void> => {
      const { body } = await service.call('POST', '/v1/monitor/intervene', {
        as: 'operator',
        body: { task_id: id, action },
      });
      // Sent, and not confirmed yet: nothing has changed.
      const before = (await read(id)).paused_at;
      await worker.heartbeat([held]);
      expect((await read(id)).paused_at).toBe(before);
      await worker.report(held, [{ type: 'intervention', n, id: body.intervention.id, action, status }]);
    };
    expect((await read(id)).paused_at).toBeNull();
    await confirm(1, 'pause', 'failed');
    expect((await read(id)).paused_at).toBeNull();
    await confirm(2, 'pause');
    expect((await read(id)).paused_at).toBe(await lastEventAt(id));
    await confirm(3, 'resume');
    expect((await read(id)).paused_at).toBeNull();
    await confirm(4, 'pause');
    expect((await read(id)).paused_at).not.toBeNull();
    await worker.release(held, { status: 'pending' });
    expect((await read(id)).paused_at).toBeNull();
  });

  it('follows no other unless it was made so [ui-6.2.7]', async () => {
    const { id } = await service.task();
    expect((await read(id)).follows).toBeNull();
    const { id: earlier } = await service.task();
    await service.db.query('update tasks set follows = $2 where id = $1', [id, earlier]);
    expect((await read(id)).follows).toBe(earlier);
  });
});

describe('the last output of a task', () => {
  it('is null before it, then the last line that shows something [ui-6.2.3]', async () => {
    const { id, held } = await start();
    expect((await read(id)).last_output).toBeNull();
    await worker.report(held, [output(1, 'npm te'), output(2, 'st -- retry\n'), output(3, '\n  \n')]);
    const { last_output: words } = await read(id);
    expect(words).toEqual({ at: await lastEventAt(id), text: 'npm test -- retry' });
    // Other events are no output.
    await worker.report(held, [{ type: 'progress', n: 4, percent: 50 }]);
    expect((await read(id)).last_output).toEqual(words);
    await worker.release(held, { status: 'completed', result: 'done' });
    expect((await read(id)).last_output).toEqual(words);
  });

  it.each([
    ['a colour', '\u001b[31mred\u001b[0m text\n', 'red text'],
    ['a title and a link', '\u001b]0;title\u0007\u001b]8;;http://x\u001b\\here\u001b]8;;\u001b\\\n', 'here'],
    ['what a carriage return overwrote', 'first line\n10 %\r50 %\r100 %\r', '100 %'],
    ['tabs and wide gaps', 'a\t\tb      c\n', 'a b c'],
    ['directions and tags', 'safe\u202egnp.exe\u2066\u{e0041}\n', 'safegnp.exe'],
    ['a bell, an 8-bit sequence', 'x\u0007y\u009b31mz\n', 'xyz'],
    ['a line of many characters', `${'€'.repeat(500)}\n`, '€'.repeat(200)],
  ])('shows %s as plain text [ui-6.2.3]', async (_, printed, shown) => {
    const { id, held } = await start();
    await worker.report(held, [output(1, printed)]);
    expect((await read(id)).last_output?.text).toBe(shown);
    await worker.release(held, { status: 'completed' });
  });
});

describe('the changes of a task', () => {
  const diff = [
    'diff --git a/one.ts b/one.ts',
    '--- a/one.ts',
    '+++ b/one.ts',
    '@@ -1,3 +1,3 @@',
    ' kept',
    '--- removed, and no header',
    '+++ added, and no header',
    ' kept',
    'diff --git a/image.png b/image.png',
    'Binary files a/image.png and b/image.png differ',
    '',
  ].join('\n');
  const size = { files: 2, added: 1, removed: 1 };

  it('are those of its newest diff, by an event or by its release [ui-6.2.6]', async () => {
    const { id, held } = await start();
    expect((await read(id)).changes).toBeNull();
    const artifact = { name: 'diff', mime_type: 'text/x-diff' };
    await worker.report(held, [{ type: 'artifact', n: 1, ...artifact, text: diff }]);
    expect((await read(id)).changes).toEqual(size);
    await worker.report(held, [{ type: 'artifact', n: 2, name: 'notes', text: '+ no diff\n' }]);
    await worker.release(held, {
      status: 'needs_input',
      message: { text: 'on?' },
      artifacts: [{ ...artifact, bytes: Buffer.from(`${diff}diff --git a/x b/x\n`).toString('base64') }],
    });
    expect((await read(id)).changes).toEqual({ ...size, files: 3 });
    await service.call('POST', `/v1/agent/tasks/${id}/input`, { as: 'editor', body: { message: 'on' } });
    const [again] = await worker.claim(1, id);
    if (again === undefined) throw new Error('the task was not claimed');
    await worker.release(again, { status: 'completed', artifacts: [{ ...artifact, text: diff }] });
    expect((await read(id)).changes).toEqual(size);
  });

  it('are unknown for a diff in pieces [ui-6.2.6]', async () => {
    const { id, held } = await start();
    const piece = { type: 'artifact', name: 'diff', mime_type: 'text/x-diff' };
    await worker.report(held, [{ ...piece, n: 1, text: diff }]);
    await worker.report(held, [{ ...piece, n: 2, text: diff, append: true, last_chunk: true }]);
    expect((await read(id)).changes).toBeNull();
    await worker.release(held, { status: 'completed' });
    expect((await read(id)).changes).toBeNull();
  });
});
