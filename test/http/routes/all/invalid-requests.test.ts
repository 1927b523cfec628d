// Wrong requests about things that are really there: each field at fault is named, and no row changes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem } from '../../../../src/contracts/common.ts';
import type { Operation } from '../../../../src/http/pipeline/operation.ts';
import { jsonSchema } from '../../../../src/http/pipeline/schema.ts';
import { openService, type TestService, type ApiReply } from '../../../support/service.ts';
import { fingerprint } from '../../../support/database/fingerprint.ts';
import { assertInvariants } from '../../../support/database/invariants.ts';
import {
  asRecord,
  pathOf,
  findSlots,
  buildSample,
  withAt,
  type Sample,
} from '../../../support/builders/operation-samples.ts';
import { createTenantData, parameterIdsOf, type TenantData } from '../../../support/builders/tenant-data.ts';

let service: TestService;
let data: TenantData;
beforeAll(async () => {
  service = await openService({ config: { automationCallsPerMinute: 1_000_000 } });
  data = await createTenantData(service, 'operator', 'ours');
});
afterAll(async () => {
  await assertInvariants(service.db);
  await service[Symbol.asyncDispose]();
});

/** A request about things that are there, right in all but what a test makes wrong. */
function sample(operation: Operation): Sample {
  const manifest = operation.name === 'tools.register' ? { version: '1.0.0', sha256_hash: '0'.repeat(64) } : {};
  return buildSample(operation, { ...parameterIdsOf(data, operation.names), text: 'text', ...manifest });
}

function send(operation: Operation, request: Sample, raw?: string): Promise<ApiReply> {
  const content = raw === undefined ? { body: request.body } : { raw };
  return service.call(operation.method, pathOf(operation, request), request.body === undefined ? {} : content);
}

type Field = { readonly at: readonly (string | number)[]; readonly schema: Record<string, unknown> };

/** The fields of a schema, as far as objects and lists go. */
function fieldsOf(schema: Record<string, unknown>, at: readonly (string | number)[] = []): Field[] {
  const here = Object.entries(asRecord(schema['properties'])).flatMap(([key, value]) => [
    { at: [...at, key], schema: asRecord(value) },
    ...fieldsOf(asRecord(value), [...at, key]),
  ]);
  return schema['type'] === 'array' ? [...here, ...fieldsOf(asRecord(schema['items']), [...at, 0])] : here;
}

const wrongFor: Record<string, readonly unknown[]> = {
  string: [null, {}, [], 1, true],
  integer: [null, {}, [], 'x', '1', true, 1.5, -1e300],
  number: [null, {}, [], 'x', true, -1e300],
  boolean: [null, {}, [], 'true', 1],
  array: [null, {}, 'x', 1, [[null]]],
  object: [null, [], 'x', 1],
};
/** For what is one of several: none of them. */
const wrongForAll: readonly unknown[] = [null, [], 1.5, 'no such thing'];

/** Whether one of the forms that a field may have is text of any kind. */
function takesAnyText(schema: Record<string, unknown>): boolean {
  const forms = Array.isArray(schema['anyOf']) ? schema['anyOf'].map(asRecord) : [];
  return forms.some(({ type, pattern, format, ...rest }) => {
    return (
      type === 'string' && pattern === undefined && format === undefined && !('const' in rest) && !('enum' in rest)
    );
  });
}

/** Whether the field may be null. */
function takesNull(schema: Record<string, unknown>): boolean {
  return Array.isArray(schema['anyOf']) && schema['anyOf'].map(asRecord).some(({ type }) => type === 'null');
}

function wrongsFor(field: Field): readonly unknown[] {
  return takesNull(field.schema) ? wrongValues(field).filter((wrong) => wrong !== null) : wrongValues(field);
}

function wrongValues({ at, schema }: Field): readonly unknown[] {
  // Free JSON takes anything.
  if (Object.keys(schema).length === 0) return [];
  if (at.at(-1) === 'metadata' || 'enum' in schema || typeof schema['type'] !== 'string') {
    return takesAnyText(schema) ? wrongForAll.filter((wrong) => typeof wrong !== 'string') : wrongForAll;
  }
  const wrongs = wrongFor[schema['type']] ?? wrongForAll;
  // A list of free JSON judges each item by itself.
  const isFreeList = 'items' in schema && Object.keys(asRecord(schema['items'])).length === 0;
  return isFreeList ? wrongs.filter((wrong) => !Array.isArray(wrong)) : wrongs;
}

/** Operations that answer errors with the problem body; those with words of their own have tests of their own. */
const plainRows = (): Operation[] =>
  service.instance.operations.filter(({ renderError: refuse }) => refuse === undefined);

describe('a body', () => {
  it('with a field of the wrong type is refused with the field’s name, on every operation and field, and changes nothing [choices-3.3]', async () => {
    const before = await fingerprint(service.db);
    let tried = 0;
    for (const operation of plainRows()) {
      if (operation.body === undefined) continue;
      const request = sample(operation);
      for (const field of fieldsOf(jsonSchema(operation.body))) {
        for (const wrong of wrongsFor(field)) {
          const what = `${operation.name} ${field.at.join('.')} ${JSON.stringify(wrong)}`;
          const reply = await send(operation, { ...request, body: withAt(request.body, field.at, wrong) });
          expect([what, reply.status]).toEqual([what, 400]);
          const { errors } = problem.parse(reply.body);
          const named = errors?.some(({ path }) => path.startsWith(`/${field.at[0]}`));
          expect([what, named]).toEqual([what, true]);
          tried += 1;
        }
      }
      const { body, status } = await send(operation, { ...request, body: { ...asRecord(request.body), priorty: 1 } });
      expect([operation.name, status, body.errors]).toEqual([
        operation.name,
        400,
        [{ path: '/priorty', message: 'is not a known field' }],
      ]);
    }
    expect(tried).toBeGreaterThan(400);
    expect(await fingerprint(service.db)).toEqual(before);
  }, 240_000);

  it('with a text that no database keeps is refused where it stands, in names and values alike', async () => {
    const before = await fingerprint(service.db);
    const bad = ['\\u0000', '\\ud800', '\\udc00x', 'a\\u0000b'];
    for (const operation of plainRows()) {
      if (operation.body === undefined) continue;
      const request = sample(operation);
      const full = JSON.stringify(request.body ?? {});
      for (const text of bad) {
        const inName = full === '{}' ? `{"${text}":1}` : `{"${text}":1,${full.slice(1)}`;
        for (const raw of [inName, ...inTexts(request.body, text)]) {
          const reply = await send(operation, { ...request, body: {} }, raw);
          expect([operation.name, raw, reply.status]).toEqual([operation.name, raw, 400]);
        }
      }
    }
    expect(await fingerprint(service.db)).toEqual(before);
  });
});

/** Bodies in which one text each has bad characters in it. */
function inTexts(body: unknown, text: string): string[] {
  const strings = ['title', 'prompt', 'message', 'text', 'name', 'path', 'reason'];
  return findSlots(body, new Set(strings)).map((place) =>
    JSON.stringify(withAt(body, place, 'PUT IT HERE')).replace('PUT IT HERE', text),
  );
}

describe('a query', () => {
  const sendWith = (operation: Operation, name: string, value: string): Promise<ApiReply> => {
    const request = sample(operation);
    return send(operation, { ...request, query: { ...request.query, [name]: value } });
  };

  it('with a parameter that nobody asked for is refused with its name, on every operation, and changes nothing', async () => {
    const before = await fingerprint(service.db);
    for (const operation of plainRows()) {
      const { status, body } = await sendWith(operation, 'priorty', '1');
      const answer = { name: operation.name, status, errors: body.errors };
      const errors = [{ path: '/query/priorty', message: 'is not a known field' }];
      expect(answer).toEqual({ name: operation.name, status: 400, errors });
    }
    expect(await fingerprint(service.db)).toEqual(before);
  });

  it('with a text that no database keeps is refused where it stands', async () => {
    for (const path of ['/v1/automation/tasks', '/v1/agent/tasks', '/v1/monitor/messages']) {
      const { status, body } = await service.call('GET', `${path}?q=a%00`);
      expect([path, status, body.errors?.[0].path]).toEqual([path, 400, '/query/q']);
    }
    const tool = await service.call('GET', '/v1/tools/manifests/a%00');
    expect([tool.status, tool.body.code]).toEqual([404, 'tool_not_found']);
  });
});

describe('a limit', () => {
  it('that is no finite number is refused by every list, with its name [choices-3.14]', async () => {
    const lists = plainRows().filter(
      ({ query }) => query !== undefined && 'limit' in asRecord(jsonSchema(query)['properties']),
    );
    expect(lists.length).toBeGreaterThan(10);
    for (const operation of lists) {
      for (const limit of ['Infinity', '-Infinity', '1e999', 'NaN', '1000001', '0', '']) {
        const request = sample(operation);
        const { status, body } = await send(operation, { ...request, query: { ...request.query, limit } });
        const answer = { name: operation.name, limit, status, path: body.errors?.[0]?.path };
        expect(answer).toEqual({ name: operation.name, limit, status: 400, path: '/query/limit' });
      }
    }
  });
});

describe('a body that nobody asked for', () => {
  it('is refused with the name of what it says, and changes nothing', async () => {
    const before = await fingerprint(service.db);
    const deaf = plainRows().filter(({ method, body, rawBody }) => method !== 'GET' && body === undefined && !rawBody);
    expect(deaf.length).toBeGreaterThan(5);
    for (const operation of deaf) {
      const { status, body } = await send(operation, { ...sample(operation), body: { reason: 'none' } });
      const answer = { name: operation.name, status, errors: body.errors };
      const errors = [{ path: '/reason', message: 'is not a known field' }];
      expect(answer).toEqual({ name: operation.name, status: 400, errors });
    }
    expect(await fingerprint(service.db)).toEqual(before);
  });
});

/** The things that an answer claims to have found: rows, counts above 0, workers that can take a task. */
function foundIn(body: Record<string, unknown>): unknown {
  const { tasks, runs, sessions, results, workers, counts } = body;
  if (counts !== undefined) return Object.values(asRecord(counts)).filter((count) => count !== 0);
  if (Array.isArray(workers)) return workers.filter((worker) => asRecord(worker)['can'] === true);
  return tasks ?? runs ?? sessions ?? results;
}

describe('an id in upper case', () => {
  it('is the id of nothing, for every operation: ids are written one way', async () => {
    const before = await fingerprint(service.db);
    // A user's id is a name like any other: one that is put is made.
    for (const operation of plainRows().filter(({ name }) => name !== 'users.put')) {
      const request = sample(operation);
      for (const place of findSlots(request, new Set(['id', 'task_id', 'worker_id', 'lease_token', 'codebase_id']))) {
        const id = String(place.reduce<unknown>((value, key) => asRecord(value)[key], request));
        const what = `${operation.name} ${place.join('.')}`;
        // A heartbeat whose lease is lost is a sign of life all the same; life-of-a-task.test.ts checks the answer.
        if (what === 'workers.heartbeat body.running.0.lease_token') continue;
        const reply = await send(operation, withAt(request, place, id.toUpperCase()) as Sample);
        // A filter may name anything: nothing is found under it. A lease that is none is lost.
        const found = reply.status === 200 ? foundIn(reply.body) : [];
        expect([what, [200, 400, 404, 409].includes(reply.status), found]).toEqual([what, true, []]);
      }
    }
    expect(await fingerprint(service.db)).toEqual(before);
  });
});

describe('a time', () => {
  const create = (deadline: string): Promise<ApiReply> =>
    service.call('POST', '/v1/agent/tasks', { body: { title: 't', prompt: 'p', deadline_at: deadline } });

  it.each([
    'soon',
    '2100-01-01',
    '2100-01-01T00:00:00',
    '2100-13-01T00:00:00Z',
    '2100-02-30T00:00:00Z',
    '2100-01-01T24:00:00Z',
    '2100-01-01T23:59:60Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '-000001-01-01T00:00:00Z',
    '+275760-09-13T00:00:00Z',
  ])('as a deadline: %s is refused', async (deadline) => {
    const { status, body } = await create(deadline);
    expect([status, body.errors?.[0].path]).toEqual([400, '/deadline_at']);
  });

  it.each(['2100-01-01t00:00:00z', '2100-01-01 00:00:00Z', '2016-12-31T23:59:60Z'])(
    'that another rule than ours would accept is answered with our rule: %s',
    async (deadline) => {
      const { body } = await create(deadline);
      expect(body.errors).toEqual([
        { path: '/deadline_at', message: expect.stringContaining('as 2026-01-02T03:04:05Z') },
      ]);
    },
  );

  it.each([
    ['2100-01-01T02:00:00+02:00', '2100-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999Z'],
  ])('as a deadline: %s is %s when it is read back [choices-3.18]', async (deadline, read) => {
    const { status, body } = await create(deadline);
    expect([status, body.task?.deadline_at]).toEqual([201, read]);
    expect((await service.call('GET', `/v1/agent/tasks/${body.task.id}`)).body.task.deadline_at).toBe(read);
  });
});

describe('a number', () => {
  it('that no number can hold is refused, even where anything may stand', async () => {
    const raw = (metadata: string): string => `{"title":"t","prompt":"p","metadata":${metadata}}`;
    for (const metadata of ['{"a":1e400}', '{"a":[-1e999]}']) {
      const reply = await service.call('POST', '/v1/agent/tasks', { raw: raw(metadata) });
      expect([metadata, reply.status]).toEqual([metadata, 400]);
    }
    const reply = await service.call('POST', '/v1/agent/tasks', {
      raw: raw('{"a":1e308,"b":-0,"c":9007199254740993}'),
    });
    expect(reply.status).toBe(201);
  });
});

describe('a prompt of more than a title’s length', () => {
  it('gives a trigger its title without cutting a character in half [core-4.4.2]', async () => {
    const prompt = `a${'😀'.repeat(300)}`;
    const path = `/v1/agent/codebases/${data.codebaseId}/trigger`;
    const { status, body } = await service.call('POST', path, { body: { prompt } });
    expect(status).toBe(202);
    const { task } = (await service.call('GET', `/v1/agent/tasks/${body.task_id}`)).body;
    expect([task.title, task.prompt]).toEqual([`a${'😀'.repeat(199)}`, prompt]);
  });
});
