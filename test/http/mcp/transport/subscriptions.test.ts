// Subscriptions to changes, of which this service announces none.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const key = (name: string): string => `io.modelcontextprotocol/${name}`;
const envelope = { [key('protocolVersion')]: '2026-07-28', [key('clientCapabilities')]: {} };

async function post(method: string, params: Record<string, unknown>, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${service.toolUrl}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.token('editor')}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(60_000),
  });
  return response.text();
}

/** The messages of an answer, as one or as a stream. */
function messages(text: string): unknown[] {
  const data = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
  return (data.length === 0 ? [text] : data).map((json) => JSON.parse(json) as unknown);
}

it('of the revision without a handshake: the subscription is acknowledged as empty, and ends', async () => {
  const wanted = { toolsListChanged: true, resourceSubscriptions: ['coord://codebases'] };
  const text = await post(
    'subscriptions/listen',
    { notifications: wanted, _meta: envelope },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
  );
  expect(messages(text)).toMatchObject([
    { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
    { id: 1, result: { resultType: 'complete' } },
  ]);
});

it('of an older revision: the method is unknown, as the capabilities declare', async () => {
  const headers = { 'mcp-protocol-version': '2025-11-25' };
  const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
  const [hello] = messages(await post('initialize', client, headers));
  expect(hello).toMatchObject({ result: { capabilities: { resources: {} } } });
  expect(JSON.stringify(hello)).not.toMatch(/"subscribe"|"listChanged"/);
  const [refused] = messages(await post('resources/subscribe', { uri: 'coord://codebases' }, headers));
  expect(refused).toMatchObject({ error: { code: -32_601 } });
});
