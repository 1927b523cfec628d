// Bodies of very many members: refused before they are parsed, or answered with a few words of what is wrong.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DomainError } from '../../../src/domain/model/errors.ts';
import { SchemaCompiler } from '../../../src/http/pipeline/schema.ts';
import { hasMoreMembers } from '../../../src/lib/json/json-violation.ts';
import { rpc } from '../../support/a2a/client.ts';
import { openService, type TestService } from '../../support/service.ts';
import { toolRpc } from '../../support/mcp/client.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const members = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
const mostMembers = 10_000;

describe('an object with too many members', () => {
  it('is 413 in REST and an invalid request in JSON-RPC, at any depth', async () => {
    const many = members(mostMembers + 1);
    for (const body of [many, { title: 'a', prompt: 'b', metadata: { deep: [many] } }]) {
      const reply = await service.call('POST', '/v1/agent/tasks', { as: 'editor', body });
      expect(reply).toMatchObject({ status: 413, body: { code: 'too_many_values' } });
    }
    const call = { name: 'list_tasks', arguments: many };
    for (const reply of [await toolRpc(service, 'tools/call', call), await rpc(service, 'message/send', many)]) {
      expect(reply).toMatchObject({ status: 200, body: { error: { code: -32_600 } } });
    }
    const { status } = await service.call('POST', '/mcp/tools/call', { body: call });
    expect(status).toBe(413);
  });
});

describe('an object with the maximum number of members, all unknown', () => {
  it('reports only the first of them, in REST and in a tool', async () => {
    const many = members(mostMembers);
    const { status, body } = await service.call('POST', '/v1/agent/tasks', { as: 'editor', body: many });
    expect(status).toBe(400);
    expect(body.errors).toHaveLength(1);
    const reply = await toolRpc(service, 'tools/call', { name: 'list_tasks', arguments: many });
    expect(reply.body.result).toMatchObject({ isError: true, _meta: { error: { code: 'invalid_request' } } });
    expect(reply.body.result._meta.error.errors).toHaveLength(1);
  });

  it('is validated only up to the first: no errors are collected for the others', () => {
    const parse = new SchemaCompiler().body(z.strictObject({ a: z.string().optional() }));
    const faultsOf = (value: unknown): number => {
      try {
        parse(value);
      } catch (error) {
        if (error instanceof DomainError) return error.errors?.length ?? 0;
        throw error;
      }
      return 0;
    };
    expect(faultsOf(members(0))).toBe(0);
    expect(faultsOf(members(3))).toBe(3);
    expect(faultsOf(members(1000))).toBe(20);
    expect(faultsOf(members(1001))).toBe(1);
  });
});

it('members and items of a value are counted at every depth, up to the limit', () => {
  let seen = 0;
  const lazy = new Proxy<Record<string, unknown>>(members(100), {
    get: (target, key) => {
      seen += 1;
      return Reflect.get(target, key);
    },
  });
  expect(hasMoreMembers(lazy, 10)).toBe(true);
  expect(seen).toBeLessThanOrEqual(11);
  expect(hasMoreMembers({ a: [1, { b: 2 }] }, 4)).toBe(false);
  expect(hasMoreMembers({ a: [1, { b: 2 }] }, 3)).toBe(true);
  expect(hasMoreMembers('text', 0)).toBe(false);
});
