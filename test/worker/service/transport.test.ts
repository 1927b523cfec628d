// One call of the service, against a real HTTP server: what becomes an answer, and what becomes which error.
import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isTransientError, ServiceRefusal, ServiceUnreachable } from '../../../src/worker/base/service-error.ts';
import { createWorkerTransport, type WorkerTransport } from '../../../src/worker/service/transport.ts';
import { until } from '../../support/until.ts';

interface Stub extends AsyncDisposable {
  readonly transport: WorkerTransport;
}

async function stub(answer: RequestListener, path = ''): Promise<Stub> {
  const server: Server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const serverUrl = `http://127.0.0.1:${port}${path}`;
  return {
    transport: createWorkerTransport({ serverUrl, token: 'secret-word', fetch, userAgent: 'test' }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function call({ transport }: Stub, timeoutMs = 5000, text = 'small'): Promise<{ ok: true }> {
  return transport.post(
    'v1/thing',
    { text },
    { answer: z.object({ ok: z.literal(true) }), timeoutMs, signal: undefined },
  );
}

async function failure(service: Stub, timeoutMs?: number): Promise<unknown> {
  const error: unknown = await call(service, timeoutMs).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(String(error)).not.toContain('secret-word');
  return error;
}

describe('a call', () => {
  it('sends the token as a bearer header, also to a service with a path prefix', async () => {
    const seen: unknown[] = [];
    await using service = await stub((request, response) => {
      seen.push(request.url, request.headers.authorization);
      response.end('{"ok": true}');
    }, '/under/here');
    expect(await call(service)).toEqual({ ok: true });
    expect(seen).toEqual(['/under/here/v1/thing', 'Bearer secret-word']);
  });

  it('turns a problem body into a refusal with its code, and honours Retry-After', async () => {
    await using service = await stub((_, response) => {
      const problem = {
        type: 'about:blank',
        title: 'Busy',
        status: 503,
        detail: 'wait',
        code: 'busy',
        request_id: 'r',
      };
      response.writeHead(503, { 'retry-after': '7' }).end(JSON.stringify(problem));
    });
    const error = await failure(service);
    expect(error).toBeInstanceOf(ServiceRefusal);
    expect(error).toMatchObject({ status: 503, code: 'busy', retryAfterMs: 7000 });
    expect(isTransientError(error)).toBe(true);
  });

  it('treats an error page as a refusal', async () => {
    await using service = await stub((_, response) => response.writeHead(404).end('<html>'));
    const error = await failure(service);
    expect(error).toMatchObject({ status: 404, code: 'unknown' });
    expect(isTransientError(error)).toBe(false);
  });

  it('does not follow a redirect, and reports its target', async () => {
    await using service = await stub((_, response) => response.writeHead(301, { location: 'https://other/' }).end());
    expect(await failure(service)).toMatchObject({ status: 301, message: expect.stringContaining('https://other/') });
  });

  it.each(['not json', '{"ok": false}', ''])('treats the answer %j as unreachable', async (text) => {
    await using service = await stub((_, response) => response.end(text));
    const error = await failure(service);
    expect(error).toBeInstanceOf(ServiceUnreachable);
    expect(isTransientError(error)).toBe(true);
  });

  it('ends at its deadline when the service is silent, and when it stops in the middle', async () => {
    await using silent = await stub(() => undefined);
    expect(String(await failure(silent, 50))).toContain('no answer in time');
    await using half = await stub((_, response) => response.write('{"ok":'));
    expect(String(await failure(half, 50))).toContain('no answer in time');
  });

  it('allows more time for a large body', async () => {
    const waiting: (() => void)[] = [];
    await using slow = await stub((_, response) => waiting.push(() => response.end('{"ok":true}')));
    await using silent = await stub(() => undefined);
    const large = call(slow, 50, 'x'.repeat(10_000_000));
    expect(String(await failure(silent, 50))).toContain('no answer in time');
    await until('the large one is there', () => waiting.length === 1);
    for (const answer of waiting) answer();
    expect(await large).toEqual({ ok: true });
  });

  it('reports an unreachable service', async () => {
    const service = await stub(() => undefined);
    await service[Symbol.asyncDispose]();
    expect(String(await failure(service))).toContain('cannot be reached');
  });
});
