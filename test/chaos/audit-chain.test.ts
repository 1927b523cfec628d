// kill -9 of the service between commits: every acknowledged change has its line, and so has every committed one.
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { AuditLine } from '../../src/domain/model/audit-line.ts';
import { testConfig } from '../support/service.ts';
import { startChild } from './processes/child.ts';
import { cloneDatabase } from '../support/database/database.ts';
import { freePort } from '../support/process/program.ts';
import { until } from '../support/until.ts';

const kills = process.env['SCALE'] === 'full' ? 20 : 3;
const callers = 8;

it(`${kills} × kill -9 under load: no acknowledged change without its line, no committed one either, one whole chain [choices-3.91, choices-3.92]`, async () => {
  await using db = await cloneDatabase();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const config = testConfig({ port });
  await using closing = new AsyncDisposableStack();
  closing.defer(() => rm(config.dataDir, { recursive: true, force: true }));
  const acknowledged: string[] = [];
  const env = { CHAOS_SERVICE: JSON.stringify({ config, address: db.service }) };
  for (let life = 0; life < kills; life += 1) {
    await using service = await startChild('service', env);
    const enough = acknowledged.length + 60;
    const over = new AbortController();
    const calls = Promise.all(
      Array.from({ length: callers }, async (_, caller) => {
        while (!over.signal.aborted) {
          const id = await submit(url, `${life}.${caller}`);
          if (id !== undefined) acknowledged.push(id);
        }
      }),
    );
    await until('some changes', () => acknowledged.length >= enough);
    await service.kill();
    over.abort();
    await calls;
  }
  await using _last = await startChild('service', env);
  const lines = await allLines(path.dirname(config.audit.logPath));
  const named = new Map(lines.map((line) => [String(line.metadata['task_id']), line]));
  expect(acknowledged.filter((id) => !named.has(id))).toEqual([]);
  const committed = await db.query<{ id: string }>('select id from tasks');
  expect(committed.map(({ id }) => id).filter((id) => !named.has(id))).toEqual([]);
  // A recovered call was never acknowledged: its caller got no answer.
  const recovered = [...named].filter(([, line]) => line.metadata['recovered'] === true).map(([id]) => id);
  expect(recovered.filter((id) => acknowledged.includes(id))).toEqual([]);
  const seqs = lines.map((line) => line.seq);
  expect(seqs).toEqual(seqs.map((_, i) => i + 1));
  const ids = lines.map((line) => line.id);
  expect(new Set(ids).size).toBe(ids.length);
  const verdict = await fetch(`${url}/v1/audit/verify`, { headers: { authorization: 'Bearer token-of-the-operator' } });
  expect(await verdict.json()).toMatchObject({ ok: true });
  await until('no intent to be left', async () => {
    const [row] = await db.query<{ n: string }>('select count(*) as n from audit_intents');
    return row?.n === '0';
  });
}, 240_000);

it(`${kills} × kill -9 under heartbeats that share commits: none acknowledged is lost or without its line [choices-3.91]`, async () => {
  await using db = await cloneDatabase();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const config = testConfig({ port });
  await using closing = new AsyncDisposableStack();
  closing.defer(() => rm(config.dataDir, { recursive: true, force: true }));
  const env = { CHAOS_SERVICE: JSON.stringify({ config, address: db.service }) };
  /** By worker: how often its heartbeat was acknowledged, and the database's time before the last of these was sent. */
  const heartbeats = new Map<string, { count: number; sentAt: string }>();
  const agent = (rest: string, body: unknown): Promise<Response> =>
    fetch(`${url}/v1/agent/workers/${rest}`, {
      method: 'POST',
      headers: { authorization: 'Bearer token-of-the-agent', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const heartbeat = async (workerId: string): Promise<void> => {
    const [row] = await db.query<{ at: string }>('select clock_timestamp()::text as at');
    const reply = await agent(`${workerId}/heartbeat`, { running: [] }).catch(() => undefined);
    if (reply?.status !== 200) return;
    heartbeats.set(workerId, { count: (heartbeats.get(workerId)?.count ?? 0) + 1, sentAt: row?.at ?? '' });
  };
  for (let life = 0; life < kills; life += 1) {
    await using service = await startChild('service', env);
    const made = await Promise.all(
      Array.from({ length: callers }, async (_, n): Promise<string> => {
        const reply = await agent('register', { name: `worker ${n}`, slots: 1 });
        const answer: { worker: { worker_id: string } } = JSON.parse(await reply.text());
        return answer.worker.worker_id;
      }),
    );
    const acknowledged = (): number => [...heartbeats.values()].reduce((sum, { count }) => sum + count, 0);
    const enough = acknowledged() + 120;
    const over = new AbortController();
    const calls = Promise.all(
      made.map(async (workerId) => {
        while (!over.signal.aborted) await heartbeat(workerId);
      }),
    );
    await until('some heartbeats', () => acknowledged() >= enough);
    await service.kill();
    over.abort();
    await calls;
  }
  for (const [workerId, { sentAt }] of heartbeats) {
    const [row] = await db.query<{ seen: boolean }>(
      'select last_heartbeat_at >= $2::timestamptz as seen from workers where worker_id = $1',
      [workerId, sentAt],
    );
    expect(row).toEqual({ seen: true });
  }
  await using _last = await startChild('service', env);
  const lines = await allLines(path.dirname(config.audit.logPath));
  for (const [workerId, { count }] of heartbeats) {
    const ours = lines.filter((line) => line.resource === `/v1/agent/workers/${workerId}/heartbeat`);
    const answered = ours.filter((line) => line.metadata['recovered'] !== true && line.outcome === 'success');
    expect(answered.length).toBeGreaterThanOrEqual(count);
  }
  expect(new Set(lines.map((line) => line.id)).size).toBe(lines.length);
  await until('no intent to be left', async () => {
    const [row] = await db.query<{ n: string }>('select count(*) as n from audit_intents');
    return row?.n === '0';
  });
}, 240_000);

async function allLines(folder: string): Promise<AuditLine[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  const lines = texts.flatMap((text) => text.split('\n').filter((line) => line !== ''));
  return lines.map((line): AuditLine => JSON.parse(line)).toSorted((a, b) => a.seq - b.seq);
}

/** The id of the task, if the service answered that there is one. */
async function submit(url: string, title: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/v1/agent/tasks`, {
      method: 'POST',
      headers: { authorization: 'Bearer token-of-the-editor', 'content-type': 'application/json' },
      body: JSON.stringify({ title, prompt: 'x', codebase_id: 'global' }),
    });
    if (response.status !== 201) return undefined;
    const answer: { task: { id: string } } = JSON.parse(await response.text());
    return answer.task.id;
  } catch {
    // Killed meanwhile: no answer is no acknowledgement.
    return undefined;
  }
}
