// Large answers whose readers take nothing: how many bytes of them may wait, for a credential and in all.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { UnreadAnswers } from '../../../src/domain/limits/unread-answers.ts';
import { createApp } from '../../../src/http/app.ts';
import { operation, type Operation } from '../../../src/http/pipeline/operation.ts';
import { mountRest } from '../../../src/http/bindings/rest.ts';
import { SchemaCompiler } from '../../../src/http/pipeline/schema.ts';
import { openTestPipeline } from '../../support/request-pipeline.ts';
import { until } from '../../support/until.ts';

const mib = 1024 * 1024;
const answerBytes = 8 * mib;
const bounds = { ofCredential: 3 * answerBytes + mib, ofAll: 5 * answerBytes };
const unread = new UnreadAnswers(bounds);
const tokens = ['one', 'two', 'three'].map((name) => ({
  name,
  token: `token-of-number-${name}`,
  role: 'operator' as const,
  tenantId: 'default',
  credential: 'shared_token' as const,
}));
let changes = 0;
const large = { status: 200, body: { text: 'x'.repeat(answerBytes) } };
const rows: Operation[] = [
  operation({
    name: 'large.get',
    method: 'GET',
    path: '/large',
    summary: 'A large answer.',
    permission: 'tasks:read',
    answers: { 200: z.object({ text: z.string() }) },
    run: () => Promise.resolve(large),
  }),
  operation({
    name: 'large.make',
    method: 'POST',
    path: '/large',
    summary: 'A large answer to a change.',
    permission: 'tasks:write',
    answers: { 200: z.object({ text: z.string() }) },
    run: () => {
      changes += 1;
      return Promise.resolve(large);
    },
  }),
  operation({
    name: 'large.stream',
    method: 'GET',
    path: '/stream',
    summary: 'A stream of large frames.',
    permission: 'tasks:read',
    answers: {},
    run: () => Promise.resolve({ stream: largeFrames() }),
  }),
];

async function* largeFrames(): AsyncGenerator<{ data: unknown }, void, undefined> {
  for (;;) yield await Promise.resolve({ data: large.body.text });
}

const app = createApp({
  pipeline: openTestPipeline(tokens, { unread }),
  trustedProxies: [],
  maxBodyBytes: mib,
  stopping: new AbortController().signal,
  log: () => {},
});
mountRest(app, rows, {
  pipeline: openTestPipeline(tokens, { unread }),
  schemas: new SchemaCompiler(),
  maxBodyBytes: mib,
  largeBodyBytes: mib,
  log: () => {},
});
let port: number;
beforeAll(async () => {
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => app.close());

/** The status line of an answer of which nothing is read after it. */
async function openUnread(
  method: 'GET' | 'POST',
  path: string,
  name: string,
): Promise<{ status: number; socket: Socket }> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer token-of-number-${name}\r\n\r\n`);
  await once(socket, 'readable');
  const status = Number(String(socket.read(12)).slice(9));
  return { status, socket };
}

async function letGo(sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await until('nothing waits', () => unread.bytes === 0);
}

describe('answers that clients do not read', () => {
  it('are rejected above the limit of a credential and above the total limit, and are uncounted once their connections close', async () => {
    const statuses: number[] = [];
    const sockets: Socket[] = [];
    for (const name of ['one', 'one', 'one', 'one', 'two', 'two', 'two', 'three']) {
      const { status, socket } = await openUnread('GET', '/large', name);
      statuses.push(status);
      sockets.push(socket);
    }
    // Five times eight MiB and a frame of JSON around each are more than all may have.
    expect(statuses).toEqual([200, 200, 200, 429, 200, 503, 503, 503]);
    expect(unread.bytes).toBeGreaterThanOrEqual(4 * answerBytes);
    expect(unread.bytes).toBeLessThanOrEqual(bounds.ofAll);
    await letGo(sockets);
    const { status, socket } = await openUnread('GET', '/large', 'one');
    expect(status).toBe(200);
    await letGo([socket]);
  });

  it('prevent a change before it is made, never its answer', async () => {
    changes = 0;
    const statusLines = [];
    for (let i = 0; i < 5; i += 1) statusLines.push(await openUnread('POST', '/large', 'one'));
    expect(statusLines.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
    expect(changes).toBe(4);
    await letGo(statusLines.map(({ socket }) => socket));
  });

  it('count together with frames of streams: a stream above the limit is disconnected, and its client resumes', async () => {
    const statusLines = [];
    for (let i = 0; i < 3; i += 1) statusLines.push(await openUnread('GET', '/stream', 'one'));
    await until('three frames wait', () => unread.bytes >= 2 * answerBytes);
    const beyond = await openUnread('GET', '/stream', 'one');
    beyond.socket.resume();
    await once(beyond.socket, 'close');
    expect(unread.bytes).toBeLessThanOrEqual(bounds.ofCredential);
    await letGo(statusLines.map(({ socket }) => socket));
  });

  it('are uncounted once they have been read', async () => {
    for (let i = 0; i < 6; i += 1) {
      const response = await fetch(`http://127.0.0.1:${port}/large`, {
        headers: { authorization: 'Bearer token-of-number-two' },
      });
      expect(response.status).toBe(200);
      await response.arrayBuffer();
      await until('nothing waits', () => unread.bytes === 0);
    }
  });
});
