// The members that the rows of every binding share: which calls change something, and as what a call is audited.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Demand } from '../../../src/domain/access/permit.ts';
import { readOnly, additive, tool } from '../../../src/http/mcp/tools/tool.ts';
import { mcpMethod } from '../../../src/http/mcp/methods/methods.ts';
import { operationRefOf } from '../../../src/http/pipeline/inbound-request.ts';
import { operation, rpcOperation, type Method, type Operation } from '../../../src/http/pipeline/operation.ts';

const run = (): Promise<never> => Promise.reject(new Error('never called'));
const route = (method: Method, permission: Demand, changes?: boolean): Operation =>
  operation({
    name: 'test.row',
    method,
    path: '/',
    summary: 'Test.',
    permission,
    answers: {},
    run,
    ...(changes === undefined ? {} : { changes }),
  });

describe('a row knows whether its calls change something', () => {
  it.each<[Method, Demand, boolean]>([
    ['GET', 'any_credential', false],
    ['GET', 'tasks:write', false],
    ['POST', 'tasks:read', false],
    ['POST', { anyOf: ['mcp:read', 'mcp:write'] }, true],
    ['POST', 'tasks:write', true],
    ['DELETE', 'any_credential', true],
  ])('of a REST route: %s with %j: %s', (method, permission, changes) => {
    expect(route(method, permission).changes).toBe(changes);
  });

  it('a row that states it keeps what it states', () => {
    expect(route('POST', 'tasks:write', false).changes).toBe(false);
  });

  it.each<[Demand, boolean]>([
    ['a2a:read', false],
    ['a2a:write', true],
  ])('of an RPC method with %s: %s', (permission, changes) => {
    const row = rpcOperation({
      name: 'test.row',
      method: 'test',
      summary: 'Test.',
      permission,
      params: z.object({}),
      run,
    });
    expect(row.changes).toBe(changes);
  });

  it.each([
    [readOnly, false],
    [additive, true],
  ])('of a tool, by its hints %o: %s', (hints, changes) => {
    const shared = { title: '', description: '', toolset: 'tasks', keywords: '', example: {} } as const;
    const schemas = { input: z.strictObject({}), output: z.looseObject({}) };
    const row = tool({ name: 'test', permission: 'tasks:write', hints, ...shared, ...schemas, run });
    expect(row.changes).toBe(changes);
  });

  it('of a method of MCP: none by itself', () => {
    const row = mcpMethod({ method: 'test', name: 'test.row', summary: 'Test.', run });
    expect([row.permission, row.changes]).toEqual(['mcp:write', false]);
  });
});

describe('a call is audited', () => {
  const row = route('POST', 'mcp:write');

  it('under the name of its row, with the permission of its row', () => {
    expect(operationRefOf(row, '/path')).toMatchObject({
      name: 'test.row',
      permission: 'mcp:write',
      additionalPermissions: undefined,
      changes: true,
      resource: '/path',
    });
  });

  it('under the name of what it calls, whose permission is required too', () => {
    const named = { name: 'get_task', permission: 'tasks:read', changes: false } as const;
    expect(operationRefOf(row, '/path', named)).toMatchObject({
      name: 'get_task',
      permission: 'mcp:write',
      additionalPermissions: ['tasks:read'],
      changes: false,
    });
  });
});
