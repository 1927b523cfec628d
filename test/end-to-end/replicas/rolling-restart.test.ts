// Two real replicas behind a proxy, stopped and started one after the other while callers call, one reads a stream
// and a worker works: who tries again sees no failed request, the stream has no gap, the worker keeps its task.
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createParser } from 'eventsource-parser';
import { expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts';
import { databaseEnvironment } from '../../support/database/database-url.ts';
import { FrontProxy } from '../../support/peers/front-proxy.ts';
import { checkInvariants } from '../../support/database/invariants.ts';
import { freePort, Program, temporaryFolder } from '../../support/process/program.ts';
import { until } from '../../support/until.ts';
import { script, waitFor } from '../../support/worker/local-worker.ts';

const token = 'token-of-the-rolling-restart';
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const patienceMs = 120_000;

async function startReplica(db: TestDatabase, port: number, folder: string): Promise<Program> {
  const env = {
    ...databaseEnvironment(db),
    PORT: String(port),
    MCP_PORT: String(await freePort()),
    DATA_DIR: join(folder, `data-${port}`),
    SERVICE_AUTH_TOKEN: token,
    DRAIN_SECONDS: '0.5',
    LOG_LEVEL: 'warn',
  };
  await mkdir(env.DATA_DIR, { recursive: true });
  const replica = new Program({ args: ['serve'], cwd: folder, env });
  await replica.printed(/is running/);
  return replica;
}

/** Repeats a call until it is answered; a broken connection and 503 are no answers. @returns the answer */
async function persistently(url: string, path: string, init: RequestInit, odd: string[]): Promise<unknown> {
  return until(
    `an answer of ${path}`,
    async () => {
      const response = await fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(10_000) }).catch(() => null);
      const text = (await response?.text().catch(() => null)) ?? null;
      if (response === null || text === null || response.status === 503) return undefined;
      if (!response.ok) odd.push(`${path} ${response.status} ${text}`);
      return { body: JSON.parse(text) };
    },
    patienceMs,
  );
}

/** The numbers of a task's events as a reader sees them that comes back whenever its stream ends. */
async function follow(url: string, taskId: string): Promise<{ seqs: number[]; streams: number }> {
  const seqs: number[] = [];
  let [streams, over] = [0, false];
  await until(
    'the end of the stream',
    async () => {
      streams += 1;
      const last = seqs.at(-1);
      const resume = last === undefined ? {} : { 'last-event-id': String(last) };
      const parser = createParser({
        onEvent: ({ id, event, data }) => {
          seqs.push(Number(id));
          over ||= event === 'status' && data.includes('"final":true');
        },
      });
      try {
        const path = `/v1/agent/tasks/${taskId}/events`;
        const response = await fetch(`${url}${path}`, {
          headers: { ...headers, ...resume, accept: 'text/event-stream' },
        });
        const decoder = new TextDecoder();
        if (response.ok)
          for await (const bytes of response.body ?? []) parser.feed(decoder.decode(bytes, { stream: true }));
        else await response.body?.cancel();
      } catch {
        // Cut: it is resumed.
      }
      return over;
    },
    patienceMs,
  );
  return { seqs, streams };
}

it('a rolling restart fails no request of who tries again, and a worker keeps its task meanwhile', async () => {
  await using db = await cloneDatabase();
  await using folder = await temporaryFolder('switchyard-rolling-');
  const ports = [await freePort(), await freePort()];
  await using stack = new AsyncDisposableStack();
  const replicas: Program[] = [];
  stack.defer(async () => {
    await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
  });
  for (const port of ports) replicas.push(await startReplica(db, port, folder.path));
  const proxy = stack.use(await FrontProxy.start(ports));
  const { url } = proxy;

  const work = join(folder.path, 'work');
  await mkdir(work);
  const worker = stack.use(
    new Program({
      args: ['worker', '--log-level', 'info'],
      cwd: work,
      env: {
        A2A_SERVER_URL: url,
        SWITCHYARD_TOKEN: token,
        A2A_AGENT_BIN: 'command',
        A2A_WORKER_ALLOW_COMMAND: 'true',
        A2A_WORKER_SLOTS: '3',
        DATA_DIR: join(folder.path, 'worker'),
      },
    }),
  );
  await worker.printed(/registered/);

  const odd: string[] = [];
  const submit = (prompt: string): Promise<string> =>
    persistently(
      url,
      '/v1/agent/tasks',
      {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': randomUUID() },
        body: JSON.stringify({ title: 'rolled over', prompt, codebase_id: 'global' }),
      },
      odd,
    ).then((answer) => Object(answer).body.task.id);
  const gate = join(folder.path, 'gate');
  const longOne = await submit(script('echo begun', waitFor(gate), 'echo ended'));
  const reading = follow(url, longOne);
  const rolling = new AbortController();
  const submitted: string[] = [];
  const callers = Array.from({ length: 4 }, async () => {
    for (let i = 0; !rolling.signal.aborted; i++) {
      // Calls that read go on all the time; tasks are few, for each is a process.
      if (i % 40 === 0) submitted.push(await submit(script('true')));
      else await persistently(url, '/v1/agent/tasks?limit=1', { headers }, odd);
    }
  });
  for (const [i, port] of ports.entries()) {
    const replica = replicas[i];
    replica?.signal('SIGTERM');
    await until('it turns callers away first', () => readiness(port));
    expect(await replica?.ended).toMatchObject({ code: 0 });
    replicas[i] = await startReplica(db, port, folder.path);
  }
  rolling.abort();
  await Promise.all(callers);
  await writeFile(gate, '');
  const { seqs, streams } = await reading;

  expect(odd).toEqual([]);
  expect(streams).toBeGreaterThan(1);
  expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, i) => i + 1));
  await until(
    'all are completed',
    async () => (await db.query(`select from tasks where status <> 'completed'`)).length === 0,
    patienceMs,
  );
  const rows = await db.query<{ id: string; attempt: number }>('select id, attempt from tasks');
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set([longOne, ...submitted]));
  expect(rows.find(({ id }) => id === longOne)).toMatchObject({ attempt: 1 });
  expect(await checkInvariants(db)).toEqual([]);
}, 300_000);

/** True once the replica says that it is not ready, or does not answer any more. */
async function readiness(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/health?ready`).catch(() => undefined);
  await response?.body?.cancel();
  return response === undefined || response.status === 503;
}
