// Requests that are answered without the protocol's official library: what it would have answered, whatever they hold.
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError } from '../../../../src/domain/model/errors.ts';
import { parseDirectRequest } from '../../../../src/http/mcp/transport/direct-request.ts';
import { renderMcpError } from '../../../../src/http/mcp/transport/mcp-errors.ts';
import { createSdkHandler } from '../../../../src/http/mcp/transport/sdk-server.ts';
import type { McpOutcome } from '../../../../src/http/mcp/tools/tool-call-context.ts';
import { RpcError } from '../../../../src/http/wire/rpc-envelope.ts';
import { openService } from '../../../support/service.ts';

interface Sent {
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, string>;
}

interface ReceivedReply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

const info = { name: 'a-server', title: 'A server', version: '1.0.0' };
const methods = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
];

const errors = ['refuse', 'away', 'malformed', 'break'];

/** Echoes what it gets, so that a difference in a method's input is one in the answer. */
function outcomeOf(method: string, params: unknown): McpOutcome {
  const paramsText = JSON.stringify(params);
  if (paramsText.includes('refuse')) throw new DomainError('not_found', 'task_not_found', 'There is no such task.');
  if (paramsText.includes('away')) throw new DomainError('unavailable', 'storage_unavailable', 'Try again.');
  if (paramsText.includes('malformed')) throw new RpcError(-32_602, 'Invalid params: x', { why: 'x' });
  if (paramsText.includes('break')) throw new Error('broken');
  if (method === 'tools/list') {
    const result = { tools: [{ name: 'a', inputSchema: { type: 'object' } }] };
    return { result, text: JSON.stringify(result) };
  }
  if (method !== 'tools/call') return { result: { echo: params, _meta: { untrusted: true } } };
  const link = { type: 'resource_link', uri: 'coord://a', name: 'a', mimeType: 'application/json' };
  return { result: { content: [{ type: 'text', text: 'x' }, link], structuredContent: { echo: params } } };
}

const library = createSdkHandler({
  info,
  instructions: 'x',
  methods,
  runMethod: (_request, method, params) => Promise.resolve(params).then(() => outcomeOf(method, params).result),
  logFailure: () => 'the-id',
});

async function byLibrary({ body, headers }: Sent): Promise<ReceivedReply> {
  const accept = 'application/json, text/event-stream';
  const request = new Request('http://a/mcp', { method: 'POST', headers: { accept, ...headers } });
  const response = await library.fetch(request, { parsedBody: body });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: messageIn(await response.text()),
  };
}

function directly({ body, headers }: Sent): ReceivedReply | undefined {
  const direct = parseDirectRequest(body, (name) => headers[name], info);
  if (direct === undefined) return undefined;
  const text = ((): string => {
    try {
      return direct.result(outcomeOf(String(body['method']), direct.params));
    } catch (error) {
      return direct.error(renderMcpError(error, () => 'the-id'));
    }
  })();
  // The application sets this header on every answer, the library's too.
  const { 'x-content-type-options': _, ...headersOfBoth } = direct.headers;
  return { status: 200, headers: headersOfBoth, body: messageIn(text) };
}

function messageIn(text: string): unknown {
  const framed = /^event: message\ndata: (.*)\n\n$/.exec(text)?.[1];
  return JSON.parse(framed ?? text);
}

const key = (name: string): string => `io.modelcontextprotocol/${name}`;
const stateless = '2026-07-28';
/** Mostly the first. */
const mostly = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
const absent = Symbol('absent');

/** An object with each member as one of its values, or without it. */
function members(values: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> {
  const present = (all: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(all).filter(([, value]) => value !== absent));
  return fc.record(values).map(present);
}

const tokens = mostly<unknown>(absent, 5, 'a', 1.5, null, {});
const itsName = 'get_task';
const encoded = `=?base64?${Buffer.from(itsName).toString('base64')}?=`;
const metas = {
  handshake: mostly<unknown>(absent, {}, [], 'x', { [key('clientInfo')]: 4 }, { [key('related-task')]: {} }),
  stateless: members({
    [key('protocolVersion')]: mostly<unknown>(stateless, absent, '2025-11-25', '2027-01-01', 7),
    [key('clientCapabilities')]: mostly<unknown>({}, { elicitation: {} }, absent, 4),
    [key('clientInfo')]: mostly<unknown>({ name: 'a', version: '1' }, absent, { name: 4 }),
    [key('logLevel')]: mostly<unknown>(absent, 'info', 'loud'),
    [key('other')]: mostly<unknown>(absent, 1),
    'a/word': mostly<unknown>(absent, 'x', { deep: [1] }),
    progressToken: tokens,
  }),
};

const requests: fc.Arbitrary<Sent> = fc.constantFrom('handshake' as const, 'stateless' as const).chain((era) =>
  fc
    .record({
      body: members({
        jsonrpc: mostly<unknown>('2.0', '1.0', absent),
        id: mostly<unknown>(1, 'a', '', 0, -3, 1.5, 2 ** 53, null, absent),
        method: fc.constantFrom(...methods),
        params: fc.oneof(
          {
            weight: 12,
            arbitrary: members({
              name: fc.oneof(mostly<unknown>(itsName, absent, 4, encoded), fc.constantFrom(...errors, encoded)),
              arguments: mostly<unknown>({ a: [1, { b: null }] }, absent, {}, [], 'x', null),
              uri: mostly<unknown>(absent, 'coord://a', 4),
              cursor: mostly<unknown>(absent, 'x', 4),
              task: mostly<unknown>(absent, {}, { ttl: 5 }),
              requestState: mostly<unknown>(absent, 'x', 4),
              inputResponses: mostly<unknown>(absent, {}),
              other: mostly<unknown>(absent, 1),
              _meta: era === 'stateless' ? metas.stateless : metas.handshake,
            }),
          },
          { weight: 1, arbitrary: fc.constantFrom<unknown>(absent, null, [], 'x') },
        ),
        result: mostly<unknown>(absent, {}),
      }),
      headers: members({
        'content-type': mostly<unknown>(
          'application/json',
          'application/json; charset=utf-8',
          'application/a2a+json',
          'text/plain',
          absent,
        ),
        'mcp-protocol-version':
          era === 'stateless'
            ? mostly<unknown>(stateless, '2025-11-25', absent, '2027-01-01')
            : mostly<unknown>('2025-11-25', absent, ...SUPPORTED_PROTOCOL_VERSIONS, '1999-01-01', stateless),
        'mcp-method': mostly<unknown>('right', 'tools/fly', absent),
        'mcp-name': mostly<unknown>('right', absent, 'other', encoded, '=?base64?!?='),
      }),
    })
    .map(({ body, headers }) => ({ body, headers: mirrored(body, headers) })),
);

/** Headers that repeat the body do so where they are right. */
function mirrored(body: Record<string, unknown>, headers: Record<string, unknown>): Record<string, string> {
  const { params } = body;
  const named = typeof params === 'object' && params !== null && 'name' in params ? params.name : undefined;
  const right: Record<string, unknown> = { 'mcp-method': body['method'], 'mcp-name': named };
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name, value === 'right' ? right[name] : value] as const)
      .flatMap(([name, value]): [string, string][] => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

/** Rarely made by chance: a name that looks like an encoded one, sent as it is. */
const seemsEncoded: Sent = {
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'prompts/get',
    params: { name: encoded, _meta: { [key('protocolVersion')]: stateless, [key('clientCapabilities')]: {} } },
  },
  headers: {
    'content-type': 'application/json',
    'mcp-protocol-version': stateless,
    'mcp-method': 'prompts/get',
    'mcp-name': encoded,
  },
};

const numRuns = process.env['SCALE'] === 'full' ? 20_000 : 3_000;

describe('a request that is answered directly', () => {
  it('has the answer that the official SDK would give: status, headers and message', async () => {
    const seen = { handshake: 0, stateless: 0, left: 0 };
    await fc.assert(
      fc.asyncProperty(requests, async (sent) => {
        const paramsText = directly(sent);
        if (paramsText === undefined) {
          seen.left += 1;
          return;
        }
        seen[paramsText.headers['content-type'] === 'application/json' ? 'stateless' : 'handshake'] += 1;
        expect(paramsText).toEqual(await byLibrary(sent));
      }),
      { numRuns, examples: [[seemsEncoded]] },
    );
    // None of the three is a case that never came.
    for (const times of Object.values(seen)) expect(times).toBeGreaterThan(numRuns / 40);
  });
});

describe('over the wire', () => {
  it('a plain request and one that is left to the SDK have the same answer, in both eras', async () => {
    await using service = await openService();
    const task = await service.task({ title: 'direct' });
    const send = async ({ body, headers }: Sent): Promise<unknown> => {
      const response = await fetch(`${service.toolUrl}/mcp`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.token('admin')}`, ...headers },
        body: JSON.stringify(body),
      });
      const { date: _, 'x-request-id': __, 'content-length': ___, ...kept } = Object.fromEntries(response.headers);
      // A cursor of the log moves on with whatever else the database does.
      const text = (await response.text()).replaceAll(/(next\\*":\\*")[\d.]+/g, '$1');
      return { status: response.status, headers: kept, body: messageIn(text) };
    };
    const readOnlyTools = service.instance.mcp.tools.filter(({ tool }) => tool.hints.readOnlyHint);
    const toolRequests: [string, Record<string, unknown>][] = [
      ...readOnlyTools.map(({ tool }): [string, Record<string, unknown>] => [
        'tools/call',
        { name: tool.name, arguments: tool.example },
      ]),
      ['tools/call', { name: 'get_task', arguments: { task_id: task.id } }],
      ['tools/call', { name: 'get_task', arguments: {} }],
      ['tools/call', { name: 'fly' }],
      ['tools/list', {}],
      ['tools/list', { cursor: 'x' }],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['resources/read', { uri: `coord://tasks/${task.id}` }],
      ['resources/read', { uri: 'coord://nothing' }],
      ['prompts/list', {}],
      ['prompts/get', { name: 'plan_prd', arguments: { idea: 'x' } }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'status', value: 'c' } }],
    ];
    const envelope = { [key('protocolVersion')]: stateless, [key('clientCapabilities')]: {} };
    const kind = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    for (const [method, params] of toolRequests) {
      const named = params['name'] ?? params['uri'];
      const mcpName: Record<string, string> = typeof named === 'string' ? { 'mcp-name': named } : {};
      for (const [headers, meta] of [
        [{ ...kind, 'mcp-protocol-version': '2025-06-18' }, {}],
        [{ ...kind, 'mcp-protocol-version': stateless, 'mcp-method': method, ...mcpName }, envelope],
      ] as const) {
        const sent = (more: object): Sent => ({
          headers,
          body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...meta, ...more } } },
        });
        const [plain, odd] = [sent({}), sent({ [key('other')]: 1 })];
        const isDirect = ({ body }: Sent): boolean =>
          parseDirectRequest(body, (name) => (headers as Record<string, string>)[name], info) !== undefined;
        expect([method, isDirect(plain), isDirect(odd)]).toEqual([method, true, false]);
        expect(await send(plain)).toEqual(await send(odd));
      }
    }
  });
});
