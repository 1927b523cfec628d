// Process: a share of the connected workers, as cheap as possible: they register, hold their push channels on raw
// sockets, note when frames arrive, and send heartbeats. They run nothing.
import { connect as connectSocket, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { registered } from '../../src/contracts/worker.ts';
import { expectStatus, HttpConnection } from '../http-connection.ts';
import { serveCommands } from '../serve-commands.ts';

const registerInput = z.object({ url: z.string(), token: z.string(), first: z.number(), count: z.number() });
const connectInput = z.object({ url: z.string(), slots: z.number() });
const watchInput = z.object({ event: z.string() });
const heartbeatInput = z.object({ overMs: z.number() });

/** Registrations, and connections being opened, at once. */
const concurrency = 12;
const answerTimeoutMs = 30_000;
const retries = 10;
const retryMs = 1_000;

let url = new URL('http://127.0.0.1');
let token = '';
const workerIds: string[] = [];
let sockets: Socket[] = [];
let watchedFrame = Buffer.from('event: nothing');
let arrivals: number[] = [];
/** Channels that ended unexpectedly. */
let cut = 0;

/** Milliseconds since 1970, finer than `Date.now()`: processes of one machine agree on it. */
function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

async function runConcurrently(
  count: number,
  work: (i: number, connection: HttpConnection) => Promise<void>,
): Promise<void> {
  let next = 0;
  const runWorker = async (): Promise<void> => {
    using connection = new HttpConnection(url.href);
    while (next < count) await work(next++, connection);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, runWorker));
}

async function register(first: number, count: number): Promise<void> {
  await runConcurrently(count, async (i, connection) => {
    const codebases = [{ codebase_id: 'global', name: 'global', path: '/bench' }];
    const body = JSON.stringify({ name: `worker ${first + i}`, slots: 1, codebases });
    const text = await post(connection, '/v1/agent/workers/register', body);
    workerIds.push(registered.parse(JSON.parse(text)).worker.worker_id);
  });
}

/** Retries when the service is busy, as a worker does. */
async function post(connection: HttpConnection, path: string, body: string): Promise<string> {
  for (let attemptsLeft = retries; ; attemptsLeft -= 1) {
    const answer = await connection.send({ method: 'POST', path, token, body });
    if (answer.status !== 503 || attemptsLeft === 0) return expectStatus(answer, 200);
    await pause(retryMs);
  }
}

/** Opens one push channel. Resolves when the service has confirmed it. */
function openChannel(workerId: string, slots: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connectSocket({ host: url.hostname, port: Number(url.port), noDelay: true });
  const timer = setTimeout(() => reject(new Error('the push channel did not open in time')), answerTimeoutMs);
  let head = '';
  const onHead = (chunk: Buffer): void => {
    head += chunk.toString('latin1');
    if (!head.includes('event: connected')) return;
    clearTimeout(timer);
    socket.off('data', onHead).on('data', onFrame);
    if (head.startsWith('HTTP/1.1 200')) resolve(socket);
    else reject(new Error(head));
  };
  socket.on('data', onHead);
  socket.on('error', reject);
  socket.on('close', () => {
    if (sockets.includes(socket)) cut += 1;
    reject(new Error(`the push channel was closed: ${head.slice(0, 500)}`));
  });
  socket.write(
    `GET /v1/worker/tasks/stream?worker_id=${workerId}&slots=${slots} HTTP/1.1\r\nhost: ${url.host}\r\n` +
      `authorization: Bearer ${token}\r\naccept: text/event-stream\r\n\r\n`,
  );
  return promise;
}

/** Small frames come in one piece. */
function onFrame(chunk: Buffer): void {
  if (chunk.includes(watchedFrame)) arrivals.push(nowMs());
}

async function closeSockets(): Promise<void> {
  const closing = sockets;
  sockets = [];
  for (const socket of closing) socket.destroy();
  await Promise.resolve();
}

async function postHeartbeats(overMs: number): Promise<number[]> {
  const latencies: number[] = [];
  const startedAt = nowMs();
  await runConcurrently(workerIds.length, async (i, connection) => {
    const waitMs = startedAt + (i * overMs) / workerIds.length - nowMs();
    if (waitMs > 0) await pause(waitMs);
    const sentAt = nowMs();
    const path = `/v1/agent/workers/${workerIds[i]}/heartbeat`;
    const body = JSON.stringify({ running: [], slots_free: 1 });
    await post(connection, path, body);
    latencies.push(nowMs() - sentAt);
  });
  return latencies;
}

serveCommands(
  {
    async register(input) {
      const { url: address, token: credential, first, count } = registerInput.parse(input);
      url = new URL(address);
      token = credential;
      await register(first, count);
      return {};
    },
    async connect(input) {
      const { url: address, slots } = connectInput.parse(input);
      url = new URL(address);
      await closeSockets();
      const opened: Socket[] = [];
      await runConcurrently(
        workerIds.length,
        async (i) => void opened.push(await openChannel(workerIds[i] ?? '', slots)),
      );
      sockets = opened;
      return {};
    },
    /** From now on notes when frames of this event arrive. */
    watch(input) {
      watchedFrame = Buffer.from(`event: ${watchInput.parse(input).event}\n`);
      arrivals = [];
      return Promise.resolve({});
    },
    seen: () => Promise.resolve({ arrivals, cut }),
    async heartbeat(input) {
      return { taken: await postHeartbeats(heartbeatInput.parse(input).overMs) };
    },
  },
  closeSockets,
);
