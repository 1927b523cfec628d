// Instances with a broker but no database in common: what they know of workers, codebases and sessions is shared, and
// nobody without the secret adds to it. Tasks stay where they were taken.
import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startMessage } from '../../src/server/start/start-message.ts';
import { openService, type TestService } from '../support/service.ts';
import { findRedis, TestRedis } from '../support/peers/redis.ts';
import { until } from '../support/until.ts';

const program = findRedis();
const brokerSecret = 'the-secret-of-both-instances';
const storeKey = createHmac('sha256', brokerSecret).update('switchyard records 1').digest();
const storeName = createHmac('sha256', storeKey).update('shared-records').digest('base64url').slice(0, 12);
const index = `switchyard:records:${storeName}`;
const documents = `switchyard:record:${storeName}:`;

describe.runIf(program !== undefined)('instances without a common database', () => {
  let redis: TestRedis;
  let one: TestService;
  beforeAll(async () => {
    redis = await TestRedis.start(program ?? '');
  });
  afterAll(() => redis[Symbol.asyncDispose]());
  beforeEach(async () => {
    await redis.with((client) => client.flushAll());
    one = await open();
  });
  afterEach(() => one[Symbol.asyncDispose]());

  const open = (secret: string | undefined = brokerSecret): Promise<TestService> =>
    openService({ config: { brokerUrl: redis.url, brokerSecret: secret } });

  const workersOf = async (service: TestService, as: 'viewer' | 'other' = 'viewer'): Promise<string[]> =>
    (await service.call('GET', '/v1/agent/workers', { as })).body.workers.map(({ name }: { name: string }) => name);

  async function register(service: TestService): Promise<{ workerId: string; codebaseId: string }> {
    const worker = await service.worker({ name: 'far', codebases: [{ name: 'app', path: '/srv/app' }] });
    const codebaseId = worker.registered.codebases[0]?.codebase_id ?? '';
    const path = `/v1/agent/codebases/${codebaseId}/sessions`;
    const session = { session_id: 's:1/x', title: 'a talk', message_count: 1, tool_usage: { shell: 2 } };
    const message = { message_id: 'm1', role: 'assistant', summary: 'it is done' };
    const [where, as] = [{ worker_id: worker.id }, 'agent' as const];
    await service.call('POST', `${path}/sync`, { as, body: { ...where, sessions: [session] } });
    const body = { ...where, messages: [message] };
    await service.call('POST', `${path}/${encodeURIComponent('s:1/x')}/messages/sync`, { as, body });
    return { workerId: worker.id, codebaseId };
  }

  it('list each other’s workers, codebases and sessions, and keep their tasks to themselves [choices-5.40, choices-5.42, core-2.7.17]', async () => {
    const { workerId, codebaseId } = await register(one);
    const task = await one.task({ codebase_id: codebaseId });
    await using two = await open();
    await until('the worker is listed', async () => (await workersOf(two)).includes('far'));
    const worker = await two.call('GET', `/v1/agent/workers/${workerId}`);
    expect(worker.body.worker).toMatchObject({ name: 'far', status: 'active', codebases: [codebaseId] });
    // A record of its own, which may arrive after the worker's.
    const codebase = await until('the codebase is there', async () => {
      const { status, body } = await two.call('GET', `/v1/agent/codebases/${codebaseId}`);
      return status === 200 && body.codebase;
    });
    expect(codebase).toMatchObject({
      name: 'app',
      bindings: [{ worker_id: workerId, path: '/srv/app' }],
    });
    await until('the session is listed', async () => {
      const { body } = await two.call('GET', `/v1/agent/codebases/${codebaseId}/sessions`);
      return body.sessions.length === 1;
    });
    const path = `/v1/agent/codebases/${codebaseId}/sessions/${encodeURIComponent('s:1/x')}/messages`;
    await until('its message is there', async () => {
      const { body } = await two.call('GET', path);
      return body.messages?.[0]?.summary === 'it is done';
    });
    expect((await two.call('GET', `/v1/agent/tasks/${task.id}`)).status).toBe(404);
    expect(await workersOf(two, 'other')).toEqual([]);
  });

  it('regain everything when one starts with nothing, and receive changes and deletions', async () => {
    const { workerId, codebaseId } = await register(one);
    const written = async (): Promise<number> => redis.with((client) => client.hLen(index));
    await until('everything is written', async () => (await written()) >= 3);
    await one[Symbol.asyncDispose]();
    one = await open();
    // Records that existed before are in the first answers already.
    expect(await workersOf(one)).toEqual(['far']);
    await using two = await open();
    await two.call('DELETE', `/v1/agent/codebases/${codebaseId}`);
    await two.call('POST', `/v1/agent/workers/${workerId}/unregister`, { body: {} });
    await until('it is gone here too', async () => {
      const { status } = await one.call('GET', `/v1/agent/codebases/${codebaseId}`);
      return status === 404;
    });
    await until('the worker left here too', async () => {
      const { body } = await one.call('GET', `/v1/agent/workers/${workerId}`);
      return body.worker.status === 'unregistered';
    });
  });

  it('take nothing that was tampered with, written without the secret, moved to another tenant, or put back', async () => {
    await register(one);
    const name = await until('it is written', async () =>
      redis.with(async (client) => (await client.hKeys(index)).find((key) => key.startsWith('default:worker:'))),
    );
    const place = `${documents}${name}`;
    const genuine = await redis.with((client) => client.get(place));
    const { mac, payload } = JSON.parse(genuine ?? '');
    const record = JSON.parse(payload);
    const forge = (change: object, secret = randomBytes(32)): string => {
      const forged = JSON.stringify({ ...record, version: record.version + 1000, ...change });
      return JSON.stringify({ mac: createHmac('sha256', secret).update(forged).digest('base64url'), payload: forged });
    };
    const id = record.id.replace(/.$/, record.id.endsWith('0') ? '1' : '0');
    const lies: Record<string, string> = {
      [`default:worker:${id}`]: forge({ id }),
      // Genuine words in another place: another tenant, another id.
      [`other:worker:${record.id}`]: genuine ?? '',
      [`default:worker:${id.replace(/^./, id.startsWith('0') ? '1' : '0')}`]: genuine ?? '',
      'default:codebase:odd': 'no json at all',
      'default:codebase:huge': 'x'.repeat(3_000_000),
      'nowhere:worker:x': forge({ tenant_id: 'nowhere' }),
      [name]: JSON.stringify({ mac, payload: payload.replace('far', 'fat') }),
    };
    await redis.with(async (client) => {
      for (const [lie, document] of Object.entries(lies)) {
        await client.set(`${documents}${lie}`, document);
        await client.hSet(index, lie, Date.now() + 500_000);
      }
    });
    await until('the genuine one is written again', async () =>
      redis.with(async (client) => ((await client.get(place)) ?? '').includes('far')),
    );
    await using two = await open();
    await until('the genuine one is taken', async () => (await workersOf(two)).includes('far'));
    for (const service of [one, two]) {
      expect(await workersOf(service)).toEqual(['far']);
      expect(await workersOf(service, 'other')).toEqual([]);
    }
    await one.call('POST', `/v1/agent/workers/${record.id}/unregister`, { body: {} });
    const gone = async (service: TestService): Promise<boolean> =>
      (await service.call('GET', `/v1/agent/workers/${record.id}`)).body.worker.status === 'unregistered';
    await until('it left', () => gone(two));
    // An old genuine word, put back: those who know better say so again.
    await redis.with(async (client) => {
      await client.set(place, genuine ?? '');
      await client.hSet(index, name, Date.now() + 500_000);
    });
    await until('the newer one is back', async () =>
      redis.with(
        async (client) => JSON.parse(JSON.parse((await client.get(place)) ?? '').payload).version > record.version,
      ),
    );
    expect([await gone(one), await gone(two)]).toEqual([true, true]);
  });

  it('share nothing with who has no secret or another one, and work by themselves [choices-5.41, core-2.7.18]', async () => {
    await register(one);
    await until('it is written', async () => redis.with(async (client) => (await client.hLen(index)) > 0));
    await using none = await openService({ config: { brokerUrl: redis.url } });
    await using another = await open('another-secret-of-16');
    expect([await workersOf(none), await workersOf(another)]).toEqual([[], []]);
    const facts = { version: '1', url: 'http://here', toolUrl: 'http://there', database: 'd', warnings: [] };
    const payload = startMessage({ ...facts, config: none.config, generatedToken: undefined }).join('\n');
    expect(payload).toMatch(/^ {2}off +.*shared records/m);
    const quiet = startMessage({ ...facts, config: one.config, generatedToken: undefined }).join('\n');
    expect(quiet).not.toContain('shared records');
  });
});
