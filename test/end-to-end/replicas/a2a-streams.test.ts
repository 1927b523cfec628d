// Streams over replicas of the service on one database: followed anywhere, cut anywhere, whole in the end.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SseFrame } from '../../../src/http/pipeline/operation.ts';
import { createApp } from '../../../src/http/app.ts';
import { sendStream } from '../../../src/http/bindings/stream.ts';
import { openService, type ManualWorker, type TestService } from '../../support/service.ts';
import { databaseEnvironment } from '../../support/database/database-url.ts';
import { openTestPipeline } from '../../support/request-pipeline.ts';
import { assertInvariants } from '../../support/database/invariants.ts';
import { Program, temporaryFolder } from '../../support/process/program.ts';
import { openStream as openEvents } from '../../support/client/sse.ts';
import { claimed, message, openRpcStream, rpc, sent, type RpcFrame } from '../../support/a2a/client.ts';

let here: TestService;
let there: TestService;
let worker: ManualWorker;
beforeAll(async () => {
  here = await openService();
  there = await openService({ db: here.db });
  worker = await here.worker({ slots: 10 });
});
afterAll(async () => {
  await assertInvariants(here.db);
  await there[Symbol.asyncDispose]();
  await here[Symbol.asyncDispose]();
});

const output = (n: number) => ({ type: 'output', n, stream: 'agent', text: `line ${n}` });
const seqs = (frames: readonly RpcFrame[]): number[] => frames.map(({ id }) => Number(id));

async function seqsOf(taskId: string): Promise<number[]> {
  const { body } = await here.call('GET', `/v1/agent/tasks/${taskId}/events?limit=1000`);
  return body.events.map(({ seq }: { seq: number }) => seq);
}

describe('a task that runs through one replica', () => {
  it('is followed at another by several, in both versions, each seeing every event once and in order [core-4.2.8]', async () => {
    const task = await sent(here);
    const held = await claimed(worker, task.id);
    const followers = await Promise.all([
      openRpcStream(here, 'tasks/resubscribe', { id: task.id }),
      openRpcStream(there, 'tasks/resubscribe', { id: task.id }),
      openRpcStream(there, 'tasks/subscribe', { id: task.id }),
      openRpcStream(there, 'SubscribeToTask', { id: task.id }),
    ]);
    const first = await Promise.all(followers.map((follower) => follower.next()));
    expect(first.map((frame) => frame?.id)).toEqual(['2', '2', '2', '2']);
    for (let n = 1; n <= 5; n++) await worker.report(held, [output(n)]);
    const chunk = { type: 'artifact', artifact_id: 'a', name: 'a' };
    await worker.report(held, [{ ...chunk, n: 6, text: 'one ' }]);
    await worker.report(held, [{ ...chunk, n: 7, text: 'two', append: true, last_chunk: true }]);
    await worker.release(held, { status: 'completed', result: 'done' });
    const all = await seqsOf(task.id);
    for (const follower of followers) {
      const frames = await follower.rest();
      expect(seqs(frames)).toEqual(all.filter((seq) => seq > 2));
      const result = frames.at(-1)?.data.result;
      expect((result.statusUpdate ?? result).status.state).toMatch(/completed/i);
      const chunks = frames.flatMap(
        ({ data }) => data.result.artifactUpdate ?? (data.result.artifact && data.result) ?? [],
      );
      expect(chunks.map(({ append = false, lastChunk = false }) => [append, lastChunk])).toEqual([
        [false, false],
        [true, true],
      ]);
    }
  });

  it('is cancelled at another: its worker is notified, its followers see the end', async () => {
    await using channel = await openEvents(here, `/v1/worker/tasks/stream?worker_id=${worker.id}&slots=0`, {
      as: 'agent',
    });
    await channel.take('connected');
    const task = await sent(here);
    await claimed(worker, task.id);
    await using follower = await openRpcStream(here, 'tasks/resubscribe', { id: task.id });
    await follower.next();
    await rpc(there, 'CancelTask', { id: task.id });
    expect((await channel.take('cancel')).data).toEqual({ task_id: task.id });
    const frames = await follower.rest();
    expect(frames.map(({ data }) => [data.result.status.state, data.result.final])).toEqual([['canceled', true]]);
  });
});

describe('a replica that is killed in mid-stream', () => {
  it.each(['message/stream', 'SendStreamingMessage'])(
    'loses nothing of %s: the client goes on at another without a gap',
    async (method) => {
      await using folder = await temporaryFolder();
      await using killed = new Program({
        args: ['serve', '--port', '0', '--json'],
        cwd: folder.path,
        env: {
          ...databaseEnvironment(here.db),
          A2A_AUTH_TOKENS: `editor:${here.token('editor')}@editor,agent:${here.token('agent')}@agent`,
          SERVICE_AUTH_TOKEN: 'token-of-the-killed-service',
        },
      });
      const [, line = ''] = await killed.printed(/^(\{"event":"started".*\})$/m);
      const doomed: TestService = { ...here, url: JSON.parse(line).url };
      const inputRequired =
        method === 'message/stream' ? message() : { messageId: 'k', role: 'ROLE_USER', parts: [{ text: 'x' }] };
      const stream = await openRpcStream(doomed, method, { message: inputRequired });
      const seen: RpcFrame[] = [];
      const take = async (): Promise<RpcFrame> => {
        const frame = await stream.next();
        if (frame === undefined) throw new Error('the stream ended');
        seen.push(frame);
        return frame;
      };
      const { result } = (await take()).data;
      const taskId = (result.task ?? result).id;
      const held = await claimed(worker, taskId);
      await worker.report(held, [output(1), output(2)]);
      for (let i = 0; i < 3; i++) await take();
      killed.signal('SIGKILL');
      await worker.report(held, [output(3)]);
      await killed.ended;
      await expect(stream.rest()).rejects.toThrow(/terminated|closed|reset/);
      await worker.report(held, [output(4)]);
      await worker.release(held, { status: 'completed', result: 'done' });
      const subscribe = method === 'message/stream' ? 'tasks/resubscribe' : 'SubscribeToTask';
      const headers = { 'last-event-id': seen.at(-1)?.id ?? '' };
      await using again = await openRpcStream(there, subscribe, { id: taskId }, { headers });
      const all = [...seqs(seen), ...seqs(await again.rest())];
      expect(all).toEqual(await seqsOf(taskId));
    },
  );
});

describe('a reader that does not read', () => {
  it('is cut off, and its source is let go', async () => {
    const gone = Promise.withResolvers<number>();
    async function* endless(): AsyncGenerator<SseFrame, void, undefined> {
      let seq = 0;
      try {
        for (;;) yield { id: String((seq += 1)), data: 'x'.repeat(100_000) };
      } finally {
        gone.resolve(seq);
      }
    }
    const server = createServer((_request, response) => {
      void sendStream(response, endless(), {}, { readerTimeoutMs: 50, onError: () => undefined });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const socket = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    socket.pause();
    // Only the connection's own buffers were made for it.
    expect(await gone.promise).toBeLessThan(1000);
    const closed = once(socket, 'close');
    socket.on('error', () => undefined).resume();
    await closed;
    server.close();
  });

  it('is cut off in an ordinary answer too, which would stay in memory as long as it likes', async () => {
    const options = { pipeline: openTestPipeline([]), trustedProxies: [], maxBodyBytes: 1000, log: () => undefined };
    const gone = Promise.withResolvers<boolean>();
    const serving = async (patience: { readerTimeoutMs?: number }) => {
      const app = createApp({ ...options, ...patience, stopping: new AbortController().signal });
      app.get('/large', (_request, reply) => {
        reply.raw.on('close', () => gone.resolve(reply.raw.writableFinished));
        return reply.send('x'.repeat(50_000_000));
      });
      return { app, url: new URL('/large', await app.listen({ port: 0, host: '127.0.0.1' })) };
    };
    const hasty = await serving({ readerTimeoutMs: 50 });
    await using _hasty = hasty.app;
    const socket = connect(Number(hasty.url.port), '127.0.0.1').on('error', () => undefined);
    socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
    socket.pause();
    expect(await gone.promise).toBe(false);
    socket.destroy();
    // A reader has it whole; with the usual patience, for a busy machine may hold up any reader for 50 ms.
    const usual = await serving({});
    await using _usual = usual.app;
    expect((await (await fetch(usual.url)).text()).length).toBe(50_000_000);
  });

  it('holds nothing up, and finds what it missed when it comes back, in order', async () => {
    const task = await sent(here);
    const held = await claimed(worker, task.id);
    const { hostname, port } = new URL(here.url);
    const socket = connect(Number(port), hostname);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/resubscribe', params: { id: task.id } });
    socket.write(
      `POST /a2a/jsonrpc HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${here.token('editor')}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    socket.pause();
    const text = 'x'.repeat(500_000);
    for (let n = 1; n <= 12; n++) {
      const chunk = { type: 'artifact', n, artifact_id: 'big', name: 'big', text, append: n > 1 };
      expect((await worker.report(held, [chunk])).status).toBe(200);
    }
    await worker.release(held, { status: 'completed' });
    socket.destroy();
    const headers = { 'last-event-id': '2' };
    await using again = await openRpcStream(there, 'tasks/resubscribe', { id: task.id }, { headers });
    expect(seqs(await again.rest())).toEqual((await seqsOf(task.id)).filter((seq) => seq > 2));
  });
});
