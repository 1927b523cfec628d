// Every operation there is × who calls, over HTTP, against the published matrix: generated from the tables, so that a
// new operation is in it at once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allPermissions, roles, type Role } from '../../../../src/domain/model/access/permission.ts';
import type { Operation, RpcOperation } from '../../../../src/http/pipeline/operation.ts';
import type { KnownTool } from '../../../../src/http/mcp/tools/tool.ts';
import { joinForgedCluster } from '../../../support/cluster/forged-cluster.ts';
import { openService, type TestService } from '../../../support/service.ts';
import { fingerprint } from '../../../support/database/fingerprint.ts';
import { pathOf, buildSample } from '../../../support/builders/operation-samples.ts';
import { narrowedTo, publishedGrants } from '../../../support/builders/role-matrix.ts';

/** SCALE=full tries each way to narrow; else two of three. */
const full = process.env['SCALE'] === 'full';

/** A request that an operation takes, but for things that are not there. */
interface OperationRequest {
  readonly name: string;
  readonly demand: Operation['permission'];
  /** Further demands. */
  readonly also?: readonly Operation['permission'][];
  readonly personOnly?: boolean | undefined;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

interface Outcome {
  readonly status: number;
  readonly code: string;
}

const closing = new AsyncDisposableStack();
let service: TestService;
let askings: OperationRequest[];
beforeAll(async () => {
  service = closing.use(await openService({ config: { cluster: await joinForgedCluster(closing) } }));
  const { operations, rpcOperations, mcp } = service.instance;
  askings = [
    ...operations.map(restRequest),
    ...rpcOperations.map(rpcRequest),
    ...mcp.methods.map(({ method }) => mcpRequest(method, method, {})),
    ...mcp.tools.map(toolRequest),
  ];
});
afterAll(() => closing.disposeAsync());

const nowhere = '01890000-0000-7000-8000-000000000000';
const ids = ['id', 'task_id', 'worker_id', 'codebase_id', 'target_worker_id', 'lease_token'];

function restRequest(operation: Operation): OperationRequest {
  const known = Object.fromEntries(ids.map((name) => [name, nowhere]));
  // A template needs a permission that an objective without one does not.
  const noTemplate = operation.name === 'okr.create' || operation.name === 'okr.update';
  const sample = buildSample(operation, noTemplate ? { ...known, task_template: undefined } : known);
  const { name, permission: demand, alsoRequires, personOnly, method } = operation;
  const also = alsoRequires === undefined ? {} : { also: [alsoRequires] };
  return { name, demand, ...also, personOnly, method, path: pathOf(operation, sample), body: sample.body };
}

/** The permission is asked before the params are looked at. */
function rpcRequest({ method, permission: demand }: RpcOperation): OperationRequest {
  const body = { jsonrpc: '2.0', id: 1, method, params: {} };
  return { name: method, demand, method: 'POST', path: '/a2a/jsonrpc', body };
}

function mcpRequest(name: string, method: string, params: unknown): OperationRequest {
  const body = { jsonrpc: '2.0', id: 1, method, params };
  return { name, demand: 'mcp:write', method: 'POST', path: '/mcp/v1/rpc', body };
}

/** The permission of the tool itself beside that of its endpoint; checked before its arguments. */
function toolRequest({ tool: { name, permission, alsoRequires, personOnly } }: KnownTool): OperationRequest {
  const also = [permission, ...(alsoRequires === undefined ? [] : [alsoRequires])];
  return { ...mcpRequest(`tool ${name}`, 'tools/call', { name, arguments: {} }), also, personOnly };
}

async function sendRequest(
  request: OperationRequest,
  token: string | null,
  headers: Record<string, string> = {},
): Promise<Outcome> {
  const { method, path, body } = request;
  const left = new AbortController();
  const response = await fetch(`${service.url}${path}`, {
    method,
    signal: left.signal,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const streams = (response.headers.get('content-type') ?? '').includes('event-stream');
  const text = streams ? '' : await response.text();
  left.abort();
  return { status: response.status, code: /"code":"(\w+)"/.exec(text)?.[1] ?? '' };
}

/** The permissions of which one is enough; none: any credential will do. */
function wanted(demand: OperationRequest['demand']): readonly string[] {
  if (demand === 'any_credential') return [];
  return typeof demand === 'string' ? [demand] : demand.anyOf;
}

/** Whether these permissions are what an operation demands. */
function fulfils(held: ReadonlySet<string>, { demand, also = [] }: OperationRequest): boolean {
  return [demand, ...also].every(
    (one) => one === 'any_credential' || wanted(one).some((permission) => held.has(permission)),
  );
}

/** Each operation's name with what came of it, where that is not what the permissions held say. */
async function surprises(
  token: string,
  held: ReadonlySet<string>,
  requests: readonly OperationRequest[],
  headers: Record<string, string> = {},
  isPerson = true,
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const request of requests) {
    const { status, code } = await sendRequest(request, token, headers);
    const isForPeople = !isPerson && request.personOnly === true && fulfils(held, request);
    if (isForPeople) {
      if (status !== 403 || code !== 'needs_person') found.push([request.name, status, code]);
      continue;
    }
    const refused = status === 403 && code === 'permission_missing';
    const passed = status !== 401 && status !== 403 && status !== 429 && status < 500;
    if (fulfils(held, request) ? !passed : !refused) found.push([request.name, status, code]);
  }
  return found;
}

/** A key of the role's own token. */
async function keyFor(role: Role, scopes: readonly string[]): Promise<string> {
  const body = { name: 'narrowed', scopes, user_id: `token:${role}` };
  const reply = await service.call('POST', '/v1/auth/api-keys', { body });
  if (reply.status !== 201) throw new Error(`no key: ${JSON.stringify(reply.body)}`);
  return reply.body.key;
}

describe('every operation', () => {
  it('is 401 without a credential [core-5.5, core-1.5.2]', async () => {
    expect(askings.length).toBeGreaterThan(50);
    for (const request of askings)
      expect([request.name, (await sendRequest(request, null)).status]).toEqual([request.name, 401]);
  });

  it.each(roles)(
    'is open to the role %s as published, and to nobody else [core-5.5, core-5.6, choices-4.67]',
    async (role) => {
      const isPerson = role !== 'agent';
      expect(await surprises(service.token(role), publishedGrants(role), askings, {}, isPerson)).toEqual([]);
    },
  );

  it.each(roles)(
    'is open to a key of a %s as far as its scopes leave it, and no further than its owner may go [core-5.6.3, choices-4.33]',
    async (role) => {
      const isPerson = role !== 'agent';
      const granted = publishedGrants(role);
      for (const permission of allPermissions()) {
        const requests = askings.filter(({ demand, also = [] }) =>
          [demand, ...also].some((one) => wanted(one).includes(permission)),
        );
        if (requests.length === 0) continue;
        const [resource = ''] = permission.split(':');
        const others = allPermissions().filter((one) => one !== permission);
        for (const scopes of [[permission], others, ...(full ? [[`${resource}:*`]] : [])]) {
          const key = await keyFor(role, scopes);
          expect([scopes, await surprises(key, narrowedTo(granted, scopes), requests, {}, isPerson)]).toEqual([
            scopes,
            [],
          ]);
        }
      }
      const key = await keyFor(role, ['tasks:read', 'a2a:*']);
      const narrowed = narrowedTo(granted, ['tasks:read', 'a2a:*']);
      expect(await surprises(key, narrowed, askings, {}, isPerson)).toEqual([]);
    },
    full ? 600_000 : 120_000,
  );
});

describe('another tenant', () => {
  const into = (tenant: string): Record<string, string> => ({ 'x-tenant-id': tenant });

  it('is closed to all but admins, whatever the operation [core-5.6.2, choices-4.34]', async () => {
    const before = await fingerprint(service.db, 'other');
    for (const who of ['operator', 'editor', 'viewer', 'agent'] as const) {
      for (const request of askings) {
        const { status, code } = await sendRequest(request, service.token(who), into('other'));
        expect([who, request.name, status, code]).toEqual([who, request.name, 403, 'crossing_refused']);
      }
    }
    expect(await fingerprint(service.db, 'other')).toEqual(before);
  });

  it('is open to an admin as his own is, but for credentials of his own there [core-5.6.4, choices-4.34]', async () => {
    const found = await surprises(service.token('admin'), publishedGrants('admin'), askings, into('other'));
    expect(found).toEqual([
      ['api_keys.create', 403, 'not_at_home'],
      ['sign_in_sessions.create', 403, 'not_at_home'],
      ['sign_in_codes.create', 403, 'not_at_home'],
    ]);
  });

  it('is closed to an admin’s key whose scopes leave out tenants:read, open as far as they go with it [core-5.6.3, choices-4.33]', async () => {
    const without = await keyFor('admin', ['tasks:*', 'workers:read', 'tenants:write']);
    for (const request of askings) {
      const { status, code } = await sendRequest(request, without, into('other'));
      expect([request.name, status, code]).toEqual([request.name, 403, 'crossing_refused']);
    }
    const scopes = ['tasks:*', 'workers:read', 'tenants:read'];
    const granted = narrowedTo(publishedGrants('admin'), scopes);
    const found = await surprises(await keyFor('admin', scopes), granted, askings, into('other'));
    expect(found).toEqual([
      ['sign_in_sessions.create', 403, 'not_at_home'],
      ['sign_in_codes.create', 403, 'not_at_home'],
    ]);
  });
});
