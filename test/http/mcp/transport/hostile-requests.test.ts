// Requests that nobody should send: never a 5xx, never a hang, always an answer in the protocol's words.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openService, type TestService, type ApiReply } from '../../../support/service.ts';

const faults: unknown[] = [];
let service: TestService;
beforeAll(async () => {
  service = await openService({
    log: (line, details) => void (line === 'a request failed' && faults.push(details)),
    config: { leaseSeconds: 3_600 },
  });
  // Somebody to ask for a path; it takes no task, and stays online without heartbeats.
  await service.worker({ codebases: [] });
});
afterAll(() => service[Symbol.asyncDispose]());

const standard = { accept: 'application/json, text/event-stream' };
const forms = [{}, standard, { ...standard, 'mcp-protocol-version': '2025-11-25' }];

function post(raw: string, headers: Record<string, string> = {}): Promise<ApiReply> {
  return service.call('POST', '/mcp', { raw, headers });
}

const numRuns = process.env['SCALE'] === 'full' ? 5_000 : 300;
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom<unknown>(null, '', '\0', '\ud800', -1, 1e308, 2 ** 53, [], {}, [[]], '__proto__', 'constructor'),
  fc.string({ unit: 'binary' }),
);

it('arguments of any shape, to any tool, are answered with a result, a tool error, or a code', async () => {
  const tools = service.instance.mcp.tools.map(({ tool }) => tool);
  const argumentsOf = (example: unknown): fc.Arbitrary<unknown> =>
    fc.oneof(
      odd,
      fc.record(
        Object.fromEntries(
          Object.entries(example as Record<string, unknown>).map(([key, value]) => [
            key,
            fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: odd }),
          ]),
        ),
        { requiredKeys: [] },
      ),
    );
  const call = fc
    .constantFrom(...tools)
    .chain(({ name, example }) => fc.record({ name: fc.constant(name), arguments: argumentsOf(example) }));
  // A message without a wait of its own returns at once: nobody takes it here.
  await fc.assert(
    fc.asyncProperty(call, fc.constantFrom(...forms), async (params, headers) => {
      const toolArguments = params.arguments;
      const waits =
        typeof toolArguments === 'object' && toolArguments !== null && Object.hasOwn(toolArguments, 'wait_seconds');
      if (waits) Object.assign(toolArguments, { wait_seconds: 0 });
      const reply = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }), headers);
      expect([200, 400]).toContain(reply.status);
      expect(JSON.stringify(reply.body)).not.toMatch(/\\n\s+at |node_modules|syntax error|invalid input syntax/);
    }),
    { numRuns },
  );
  expect(faults).toEqual([]);
}, 240_000);

it('messages of any shape are answered', async () => {
  const message = fc.oneof(
    odd,
    fc.record(
      {
        jsonrpc: fc.oneof(fc.constant('2.0'), odd),
        id: odd,
        method: fc.oneof(fc.constant('tools/list'), odd),
        params: odd,
      },
      { requiredKeys: [] },
    ),
    fc.array(odd, { maxLength: 3 }),
  );
  await fc.assert(
    fc.asyncProperty(message, fc.constantFrom(...forms), async (body, headers) => {
      const { status } = await post(JSON.stringify(body), headers);
      expect([200, 202, 400, 404]).toContain(status);
    }),
    { numRuns },
  );
  expect(faults).toEqual([]);
}, 240_000);

it('what is nested too deeply, too large, too many, a batch, or of an unknown version is rejected', async () => {
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  const call = (args: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_task","arguments":${args}}}`;
  for (const headers of forms) {
    const bottomless = await post(call(`{"title":${deep}}`), headers);
    expect([200, 400]).toContain(bottomless.status);
    expect(JSON.stringify(bottomless.body)).toContain('-32602');
    expect((await post(call(`{"title":"${'x'.repeat(2_000_000)}"}`), headers)).status).toBe(413);
    expect(JSON.stringify((await post(`[${'1,'.repeat(300_000)}1]`, headers)).body)).toContain('-32600');
    expect(JSON.stringify((await post('[{"jsonrpc":"2.0","id":1,"method":"ping"}]', headers)).body)).toContain(
      '-32600',
    );
  }
  const large = { name: 'create_task', arguments: { title: 'x'.repeat(2_000_000) } };
  expect((await service.call('POST', '/mcp/tools/call', { body: large })).status).toBe(413);
  const listing = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';
  for (const version of ['1999-01-01', 'x'.repeat(500), '2026-07-28']) {
    expect([version, (await post(listing, { 'mcp-protocol-version': version })).status]).toEqual([version, 400]);
  }
  expect(faults).toEqual([]);
});
