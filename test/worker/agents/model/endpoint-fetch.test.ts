// An endpoint of the agent `model` that is away, busy, broken or hostile: the run ends clearly, and its key stays its own.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEndpointFetch, EndpointError } from '../../../../src/worker/agents/model/endpoint-fetch.ts';
import { modelAgent } from '../../../../src/worker/agents/model/model-agent.ts';
import type { TaskOutcome } from '../../../../src/worker/report/task-outcome.ts';
import { chatCompletionsFormat } from '../../../support/agents/model-wire.ts';
import { openRunFixture, type RunFixture } from '../../../support/worker/run-fixture.ts';

const key = 'sk-planted-key-1234567890';

interface Endpoint extends AsyncDisposable {
  url: string;
  /** Paths that were asked for. */
  requests: string[];
}

/** Answers the n-th request (from 0) as `answer` says. */
async function endpoint(
  answer: (n: number, response: ServerResponse, request: IncomingMessage) => void | Promise<void>,
): Promise<Endpoint> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    request.resume();
    response.on('error', () => undefined);
    void answer(requests.length - 1, response, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function chatReply(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(chatCompletionsFormat.frames({ text }, 'id').join(''));
}

async function work(
  fixture: RunFixture,
  url: string,
  modelPatienceMs = 2_000,
  fetchImpl = fetch,
): Promise<TaskOutcome> {
  const limits = { maxSteps: 10, maxTokens: 1_000_000, shell: 'off', shellNetwork: false } as const;
  const settings = { endpoint: `${url}/v1`, apiKey: key, model: 'm1', ...limits };
  const agent = modelAgent(settings, { fetch: fetchImpl, sandbox: undefined, hidden: [] });
  return fixture.execute({ prompt: 'Do it.' }, { agent, modelPatienceMs });
}

function expectNoKey(fixture: RunFixture, outcome: TaskOutcome): void {
  expect(JSON.stringify([outcome, fixture.events])).not.toContain(key);
}

describe.concurrent('an endpoint that is away or busy', () => {
  test('is waited for, and the run fails as model_unreachable when patience ends', async () => {
    await using fixture = await openRunFixture();
    const gone = await endpoint(() => undefined);
    await gone[Symbol.asyncDispose]();
    expect(await work(fixture, gone.url, 1_000)).toMatchObject({
      status: 'failed',
      error: { code: 'model_unreachable' },
    });
    await using broken = await endpoint((_, response) => void response.writeHead(503).end('{"error":"later"}'));
    expect(await work(fixture, broken.url, 1_000)).toMatchObject({ error: { code: 'model_unreachable' } });
    expect(fixture.output('stderr')).toMatch(/cannot be reached.*tried 1 times/);
  });

  test('is asked again after 429, and after an answer that broke off', async () => {
    await using fixture = await openRunFixture();
    await using busy = await endpoint((n, response) => {
      if (n < 2) return void response.writeHead(429, { 'retry-after': '0' }).end('{}');
      if (n > 2) return chatReply(response, 'At last.');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chatCompletionsFormat.frames({ text: 'half of' }, 'id')[0] ?? '');
      setTimeout(() => response.destroy(), 50);
    });
    const outcome = await work(fixture, busy.url, 30_000);
    expect(outcome).toMatchObject({ status: 'completed', result: 'At last.' });
    expect(busy.requests).toHaveLength(4);
  });

  test('with a limit of more than a minute ends the run, with the time at which to try again [runs-19.2]', async () => {
    await using fixture = await openRunFixture();
    await using limited = await endpoint((_, response) => {
      response.writeHead(429, { 'retry-after': '3600' }).end('{"error":"limit"}');
    });
    const before = Date.now();
    const { error } = await work(fixture, limited.url, 30_000);
    expect(error?.code).toBe('rate_limited');
    expect(Date.parse(error?.retry_at ?? '') - before).toBeGreaterThanOrEqual(3_600_000);
    expect(limited.requests).toHaveLength(1);
  });

  test('does not hold the run by silence or by dripping', async () => {
    await using silent = await endpoint(() => undefined);
    await using dripping = await endpoint(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      while (!response.destroyed) {
        response.write(':\n\n');
        await delay(20);
      }
    });
    // Each has one limit that it can reach: on a busy machine the other one might be first.
    const limits = { fetch, idleMs: 600_000, answerMs: 600_000, maxAnswerBytes: 1_000_000 };
    const fetchText = (url: string, limit: Partial<typeof limits>): Promise<string> =>
      createEndpointFetch({ ...limits, ...limit, endpoint: url })(`${url}/chat/completions`).then((answer) =>
        answer.text(),
      );
    await expect(fetchText(silent.url, { idleMs: 300 })).rejects.toThrow(/no answer within 0\.3 s/);
    await expect(fetchText(dripping.url, { answerMs: 900 })).rejects.toThrow(/longer than 0\.9 s/);
  });
});

describe('an endpoint that refuses', () => {
  test.each([
    [401, 'model_refused'],
    [403, 'model_refused'],
    [404, 'model_refused'],
    [400, 'model_refused'],
  ])('with %i fails the run at once and without its key in a word of it', async (status, code) => {
    await using fixture = await openRunFixture();
    await using refusing = await endpoint((_, response, request) => {
      const message = `wrong: ${request.headers.authorization}`;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
    });
    const outcome = await work(fixture, refusing.url);
    expect(outcome).toMatchObject({ status: 'failed', error: { code, message: expect.stringContaining('***') } });
    expect(refusing.requests).toHaveLength(1);
    expectNoKey(fixture, outcome);
  });

  test('is not followed to another address', async () => {
    await using fixture = await openRunFixture();
    await using other = await endpoint((_, response) => chatReply(response, 'stolen'));
    await using sending = await endpoint((_, response) => {
      response.writeHead(307, { location: `${other.url}/v1/chat/completions` }).end();
    });
    const outcome = await work(fixture, sending.url);
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'model_refused' } });
    expect(outcome.error?.message).toMatch(/redirects/);
    expect(other.requests).toEqual([]);
  });

  test('is the only address that is asked', async () => {
    const never: typeof fetch = () => Promise.reject(new Error('asked'));
    const limits = { fetch: never, idleMs: 1_000, answerMs: 1_000, maxAnswerBytes: 1_000 };
    const fetchText = createEndpointFetch({ ...limits, endpoint: 'http://127.0.0.1:9/v1' });
    const elsewhere = [
      'http://127.0.0.1:10/v1/x',
      'http://localhost:9/v1/x',
      'http://127.0.0.1:9/v2',
      'http://127.0.0.1:9/v1x',
    ];
    for (const url of elsewhere) await expect(fetchText(url)).rejects.toThrow(EndpointError);
    await expect(fetchText('http://127.0.0.1:9/v1/chat/completions')).rejects.toThrow('asked');
  });
});

describe.concurrent('an endpoint that talks nonsense', () => {
  test.each([
    ['no stream', 'text/plain', 'hello'],
    ['an empty stream', 'text/event-stream', ''],
    ['a web page', 'text/html', '<html>'],
    ['broken JSON', 'text/event-stream', 'data: {"choices":[\n\ndata: [DONE]\n\n'],
    ['the wrong shape', 'text/event-stream', 'data: {"choices":"none"}\n\ndata: [DONE]\n\n'],
    ['an error in the stream', 'text/event-stream', 'data: {"error":{"message":"oh"}}\n\n'],
  ])('by %s fails the run as model_malformed after three tries', async (_, type, body) => {
    await using fixture = await openRunFixture();
    await using broken = await endpoint(
      (_n, response) => void response.writeHead(200, { 'content-type': type }).end(body),
    );
    const outcome = await work(fixture, broken.url, 30_000);
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'model_malformed' } });
    expect(broken.requests).toHaveLength(3);
  });

  test('by tools that do not exist and input that is none is told so, and the run goes on', async () => {
    await using fixture = await openRunFixture();
    const call = (name: string, args: string): object => ({
      choices: [
        {
          index: 0,
          delta: { tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name, arguments: args } }] },
        },
      ],
    });
    const bad: [string, string][] = [
      ['rm', '{}'],
      ['read', '{"path":'],
      ['read', '"text"'],
      ['read', '{"path":7}'],
      ['write', '{"path":"../out.txt","content":"x"}'],
      ['list', '{"path":"/etc"}'],
    ];
    const bodies: string[] = [];
    await using odd = await endpoint(async (n, response, request) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      bodies.push(body);
      const wanted = bad[n];
      if (wanted === undefined) return chatReply(response, 'Enough.');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const frames = [call(...wanted), { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }];
      response.end(`${frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')}data: [DONE]\n\n`);
    });
    const outcome = await work(fixture, odd.url);
    expect(outcome).toMatchObject({ status: 'completed', result: 'Enough.', artifacts: [] });
    expect(bodies.at(-1)).toMatch(/Unknown tool rm[^]*read was not run[^]*outside the workspace[^]*\/etc is outside/);
  });

  test('of any kind ends the run without an error of the worker', async () => {
    await using fixture = await openRunFixture();
    const frame = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.json({ maxDepth: 3 }).map((text) => `data: ${text}\n\n`),
      fc
        .record({
          choices: fc.array(
            fc.record({ delta: fc.dictionary(fc.constantFrom('content', 'role', 'tool_calls'), fc.jsonValue()) }),
          ),
        })
        .map((value) => `data: ${JSON.stringify(value)}\n\n`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { maxLength: 5 }), async (frames) => {
        await using random = await endpoint((_, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end(frames.join(''));
        });
        const outcome = await work(fixture, random.url, 300);
        expect(['completed', 'failed']).toContain(outcome.status);
        if (outcome.status === 'failed') expect(outcome.error?.code).toMatch(/^(model_|token_|step_)/);
      }),
      { numRuns: 12 },
    );
  });
});
