// A bound on calls that are answered at once: a caller that floods is asked to retry later, all others are served.
import { connect } from 'node:net';
import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService({ config: { maxCallsInFlight: 4 } });
});
afterAll(() => service[Symbol.asyncDispose]());

/** Holds every read of workers up until it is disposed of. */
async function slowWorkers(): Promise<AsyncDisposable> {
  const client = new pg.Client(service.db.superuser);
  await client.connect();
  await client.query('begin');
  await client.query('lock table workers in access exclusive mode');
  return {
    async [Symbol.asyncDispose]() {
      await client.query('rollback');
      await client.end();
    },
  };
}

describe('calls of one credential', () => {
  it('above the limit are 503 with Retry-After, while others are served and the first are answered', async () => {
    const slow = await slowWorkers();
    const calls = Array.from({ length: 10 }, () => service.call('GET', '/v1/agent/workers', { as: 'viewer' }));
    const refused = await Promise.race(calls);
    expect(refused).toMatchObject({ status: 503, body: { code: 'overloaded' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await service.call('GET', '/v1/agent/codebases', { as: 'editor' })).status).toBe(200);
    await slow[Symbol.asyncDispose]();
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(4);
    expect(statuses.filter((status) => status === 503)).toHaveLength(6);
    expect((await service.call('GET', '/v1/agent/workers', { as: 'viewer' })).status).toBe(200);
  });

  it('are not counted once their stream has begun', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => service.task()));
    const gone = new AbortController();
    const streams = await Promise.all(
      [...ids, ...ids].map(({ id }) =>
        fetch(`${service.url}/v1/agent/tasks/${id}/events`, {
          headers: { authorization: `Bearer ${service.token('editor2')}`, accept: 'text/event-stream' },
          signal: gone.signal,
        }),
      ),
    );
    expect((await service.call('GET', '/v1/agent/codebases', { as: 'editor2' })).status).toBe(200);
    expect(streams.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(4);
    gone.abort();
  });

  it('release their slot when they are aborted, rejected or invalid', async () => {
    const { port, hostname } = new URL(service.url);
    const head = `POST /v1/agent/tasks HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.token('editor')}\r\n`;
    for (let i = 0; i < 6; i++) {
      const socket = connect(Number(port), hostname);
      socket.write(`${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"title"`);
      await once(socket, 'connect');
      socket.destroy();
      await service.call('POST', '/v1/agent/tasks', { as: 'editor', raw: '{' });
      await service.call('DELETE', '/v1/agent/codebases/global', { as: 'editor' });
    }
    const four = await until('its places are free', async () => {
      const replies = await Promise.all(
        Array.from({ length: 4 }, () => service.call('GET', '/v1/agent/codebases', { as: 'editor' })),
      );
      return replies.every(({ status }) => status === 200) && replies;
    });
    expect(four).toHaveLength(4);
  });
});
