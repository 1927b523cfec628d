// npm run bench:replicas: how soon an idle replica's worker starts a task that another replica accepted, with and without
// the broker, compared with BullMQ.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { z } from 'zod';
import { BenchProcess } from './child.ts';
import { openBenchDatabase } from './database.ts';
import { median, quantile } from './measure/statistics.ts';
import { openBenchRedis } from './redis.ts';

const opened = z.object({ url: z.string() });
const registered = z.object({ worker: z.object({ worker_id: z.string() }) });
/** Each measurement has a tenant of its own, so that its leftovers do not affect the next. */
const tokens = { broker: newToken(), plain: newToken() };
type Tenant = keyof typeof tokens;
let tenant: Tenant = 'plain';
const operations = 60;
/** Longer than the follow-up work of the previous measurement. */
const restMs = 50;

await using closing = new AsyncDisposableStack();
const database = closing.use(await openBenchDatabase());
const port = await freePort();
const redis = await openBenchRedis(port);
if (redis !== undefined) closing.use(redis);
const broker = redis === undefined ? undefined : `redis://127.0.0.1:${port}`;

if (broker !== undefined) printLatencies('another replica, over the broker', await measureRemotePush(broker));
printLatencies('another replica, over PostgreSQL alone', await measureRemotePush(undefined));
if (redis !== undefined) printLatencies('BullMQ, add to processor', await measureBullmq(redis.socket));

async function openReplica(brokerUrl: string | undefined): Promise<{ url: string; child: BenchProcess }> {
  const child = closing.use(new BenchProcess('serve'));
  const { url } = await child.request('open', { login: database.service, tokens, broker: brokerUrl }, opened);
  return { url, child };
}

/** Milliseconds from before the submit at one replica to the frame at a worker of another. */
async function measureRemotePush(brokerUrl: string | undefined): Promise<number[]> {
  tenant = brokerUrl === undefined ? 'plain' : 'broker';
  const [near, far] = [await openReplica(brokerUrl), await openReplica(brokerUrl)];
  const workerId = await register(far.url, 'far');
  let assigned: (frame: string) => void = () => undefined;
  const stop = await stream(far.url, workerId, (text) => {
    if (text.includes('event: task_assigned')) assigned(text);
  });
  const taken: number[] = [];
  for (let i = 0; i < operations; i++) {
    await pause(restMs);
    const frame = new Promise<string>((resolve) => {
      assigned = resolve;
    });
    const beganMs = performance.now();
    await post(`${near.url}/v1/agent/tasks`, { title: 'far', prompt: 'x', codebase_id: 'global' });
    const text = await frame;
    taken.push(performance.now() - beganMs);
    const { task, lease_token } = z
      .object({ task: z.object({ id: z.string() }), lease_token: z.string() })
      .parse(JSON.parse(/data: (.*)/.exec(text)?.[1] ?? ''));
    await post(`${far.url}/v1/worker/tasks/${task.id}/release`, { lease_token, status: 'completed' });
  }
  stop();
  return taken;
}

async function measureBullmq(socket: string): Promise<number[]> {
  const queue = new Queue('idle', { connection: { path: socket } });
  let started: () => void = () => undefined;
  const connection = { path: socket, maxRetriesPerRequest: null };
  const worker = new Worker('idle', () => Promise.resolve(started()), { connection });
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
  const taken: number[] = [];
  for (let i = 0; i < operations; i++) {
    await pause(restMs);
    const begun = new Promise<void>((resolve) => {
      started = resolve;
    });
    const beganMs = performance.now();
    await queue.add('task', { title: 'far' });
    await begun;
    taken.push(performance.now() - beganMs);
  }
  await worker.close();
  await queue.close();
  return taken;
}

async function register(url: string, name: string): Promise<string> {
  const codebases = [{ codebase_id: 'global', name: 'global', path: '/bench' }];
  const { worker } = registered.parse(await post(`${url}/v1/agent/workers/register`, { name, slots: 1, codebases }));
  return worker.worker_id;
}

async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', headers: headers(), body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} ${response.status} ${text}`);
  return JSON.parse(text);
}

/** Resolves when the channel is open. @returns a function that closes it */
async function stream(url: string, workerId: string, onText: (text: string) => void): Promise<() => void> {
  const path = `${url}/v1/worker/tasks/stream?worker_id=${workerId}&slots=1`;
  const channelRequest = request(path, { headers: headers(), agent: new Agent({ keepAlive: false }) });
  channelRequest.on('error', () => undefined);
  channelRequest.end();
  const [response] = (await once(channelRequest, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`the push channel answered ${response.statusCode}`);
  response.on('error', () => undefined);
  response.setEncoding('utf8').on('data', onText);
  return () => void channelRequest.destroy();
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}

function headers(): Record<string, string> {
  return { authorization: `Bearer ${tokens[tenant]}`, 'content-type': 'application/json' };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function printLatencies(what: string, taken: readonly number[]): void {
  const format = (ms: number): string => `${ms.toFixed(1)} ms`;
  process.stdout.write(`${what}: median ${format(median(taken))}, p95 ${format(quantile(taken, 0.95))}\n`);
}
