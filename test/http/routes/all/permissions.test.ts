// The demands of every operation on a caller before anything else, and on owned things. test/policy has the matrix.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem } from '../../../../src/contracts/common.ts';
import type { Operation } from '../../../../src/http/pipeline/operation.ts';
import { openService, type CallOptions, type TestService, type ApiReply } from '../../../support/service.ts';
import { fingerprint } from '../../../support/database/fingerprint.ts';
import { pathOf, buildSample } from '../../../support/builders/operation-samples.ts';
import { createTenantData, parameterIdsOf, type TenantData } from '../../../support/builders/tenant-data.ts';

let service: TestService;
let data: TenantData;
beforeAll(async () => {
  service = await openService();
  data = await createTenantData(service, 'operator', 'ours');
});
afterAll(() => service[Symbol.asyncDispose]());

/** A request that the operation would take, but for things that are not there. */
function call(operation: Operation, options: CallOptions): Promise<ApiReply> {
  const nowhere = Object.keys(parameterIdsOf(data, undefined)).map((name) => [
    name,
    '01890000-0000-7000-8000-000000000000',
  ]);
  const sample = buildSample(operation, Object.fromEntries(nowhere));
  const body = sample.body === undefined ? {} : { body: sample.body };
  return service.call(operation.method, pathOf(operation, sample), { ...body, ...options });
}

describe('every operation', () => {
  it('is 401 without a credential and with a wrong one, in the problem form, whatever else is asked [choices-3.6]', async () => {
    const before = await fingerprint(service.db);
    const refusals = [
      { token: null },
      { token: null, headers: { authorization: 'Basic dG9rZW46b2Y=' } },
      { token: null, headers: { authorization: 'Bearer' } },
    ];
    for (const operation of service.instance.operations) {
      const broken = operation.method === 'GET' ? [] : [{ token: null, raw: '{broken' }];
      for (const options of [...refusals, ...broken]) {
        const answer = await call(operation, options);
        expect([operation.name, answer.status]).toEqual([operation.name, 401]);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
        expect(answer.headers.get('content-type')).toContain('application/problem+json');
        expect(problem.parse(answer.body)).toMatchObject({ status: 401, code: 'unauthenticated' });
      }
    }
    expect(await fingerprint(service.db)).toEqual(before);
  });

  it('takes one Authorization header, in the header alone: never two, never a token in the address', async () => {
    for (const operation of service.instance.operations) {
      const twice = await raw(
        operation,
        `authorization: Bearer token-of-the-admin\r\nauthorization: Bearer token-of-the-admin\r\n`,
      );
      expect([operation.name, twice]).toEqual([operation.name, 401]);
    }
    for (const name of ['token', 'access_token', 'authorization']) {
      const path = `/v1/agent/tasks?${name}=token-of-the-admin`;
      expect((await service.call('GET', path, { token: null })).status).toBe(401);
      expect((await service.call('GET', path)).status).toBe(400);
    }
  });
});

/** The status of a request written by hand: fetch would fold two headers into one. */
async function raw(operation: Operation, headers: string): Promise<number> {
  const { connect } = await import('node:net');
  const { port, hostname } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const path = operation.path.replaceAll(/(?<=\/):\w+/g, '01890000-0000-7000-8000-000000000000');
  socket.end(`${operation.method} ${path} HTTP/1.1\r\nhost: x\r\n${headers}connection: close\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
}

describe('what belongs to somebody', () => {
  it('is changed by its owner and by operators, not by other editors [choices-3.54]', async () => {
    const task = await service.task({}, 'editor');
    for (const [path, body] of [
      ['cancel', {}] as const,
      ['input', { message: 'x' }] as const,
      ['retry', {}] as const,
    ]) {
      const answer = await service.call('POST', `/v1/agent/tasks/${task.id}/${path}`, { as: 'editor2', body });
      expect(answer).toMatchObject({ status: 403, body: { code: 'not_owner' } });
    }
    expect((await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`, { as: 'operator' })).status).toBe(200);
  });

  it('an agent cancels only what its own worker holds, or what it asked for [choices-3.54]', async () => {
    const worker = await service.worker({ name: 'the agent’s' });
    const [held, other] = [await service.task({ priority: 100 }), await service.task()];
    await worker.claim(1, held.id);
    const cancel = (id: string): Promise<ApiReply> =>
      service.call('POST', `/v1/agent/tasks/${id}/cancel`, { as: 'agent' });
    expect((await cancel(other.id)).status).toBe(403);
    expect((await cancel(held.id)).status).toBe(200);
    expect((await cancel((await service.task({}, 'agent')).id)).status).toBe(200);
  });

  it('an agent speaks for no worker but its own [choices-3.54]', async () => {
    const worker = await service.worker({ name: 'the editor’s', codebases: [{ name: 'c', path: '/c' }] }, 'operator');
    const codebase = worker.registered.codebases[0]?.codebase_id ?? '';
    const as = 'agent' as const;
    const claim = await service.call('POST', '/v1/worker/tasks/claim', { as, body: { worker_id: worker.id } });
    expect(claim).toMatchObject({ status: 404, body: { code: 'worker_not_found' } });
    const heartbeat = await service.call('POST', `/v1/agent/workers/${worker.id}/heartbeat`, { as, body: {} });
    expect(heartbeat.status).toBe(404);
    const leave = await service.call('POST', `/v1/agent/workers/${worker.id}/unregister`, { as, body: {} });
    expect(leave).toMatchObject({ status: 403, body: { code: 'not_owner' } });
    const sync = { worker_id: worker.id, sessions: [{ session_id: 's' }] };
    const path = `/v1/agent/codebases/${codebase}/sessions/sync`;
    expect((await service.call('POST', path, { as, body: sync })).status).toBe(403);
    const own = await service.worker({ name: 'the agent’s own', codebases: [] });
    expect((await service.call('POST', path, { as, body: { ...sync, worker_id: own.id } })).status).toBe(403);
  });
});
