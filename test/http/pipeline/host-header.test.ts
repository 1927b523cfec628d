// The Host header: one line of it, on both ports and every path, before anything else is looked at. RFC 9112 §3.2.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem } from '../../../src/contracts/common.ts';
import { openService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

async function answerTo(port: 'main' | 'tools', head: string): Promise<{ status: string; head: string; body: string }> {
  const url = new URL(port === 'main' ? service.url : service.toolUrl);
  const socket = connect(Number(url.port), url.hostname);
  socket.write(`${head}\r\n`);
  const answer = await text(socket);
  const [top = '', body = ''] = answer.split('\r\n\r\n');
  return { status: top.slice(9, 12), head: top, body };
}

describe('a request with two Host lines', () => {
  it.each([
    ['main', 'GET /health', 'Host: a\r\nHost: b\r\n'],
    ['main', 'GET /health', 'Host: a\r\nhost: a\r\n'],
    ['main', 'GET /v1/agent/tasks', 'Host: a\r\nAuthorization: Bearer {token}\r\nHOST: b\r\n'],
    ['main', 'GET /v1/nothing', 'Host: a\r\nHost: b\r\n'],
    ['main', 'GET /a2a/rest/v1/card', 'Host: a\r\nHost: b\r\nAuthorization: Bearer {token}\r\n'],
    ['main', 'POST /a2a/jsonrpc', 'Host: a\r\nHost: b\r\nContent-Type: application/json\r\nContent-Length: 2\r\n'],
    ['main', 'GET /docs', 'Host: a\r\nHost: b\r\nAccept: text/html\r\n'],
    ['tools', 'POST /mcp', 'Host: a\r\nHost: b\r\nContent-Type: application/json\r\nContent-Length: 2\r\n'],
  ] as const)('is 400 on port %s: %s, %j', async (port, line, headers) => {
    const token = service.token('admin');
    const answer = await answerTo(port, `${line} HTTP/1.1\r\n${headers.replace('{token}', token)}`);
    expect(answer.status).toBe('400');
    expect(answer.head).toMatch(/^content-type: application\/problem\+json/im);
    expect(answer.head).toMatch(/^connection: close$/im);
    expect(problem.parse(JSON.parse(answer.body))).toMatchObject({ status: 400, code: 'invalid_host' });
  });

  it('differs from one with a single line, and from one with longer header names', async () => {
    const answer = await answerTo(
      'main',
      'GET /health HTTP/1.1\r\nHost: a\r\nX-Forwarded-Host: b\r\nConnection: close\r\n',
    );
    expect(answer.status).toBe('200');
  });

  it('is 400, as a request of HTTP/1.1 without a Host line is', async () => {
    for (const port of ['main', 'tools'] as const) {
      expect((await answerTo(port, 'GET /health HTTP/1.1\r\nConnection: close\r\n')).status).toBe('400');
    }
  });
});
