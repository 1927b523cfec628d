// The OpenAPI document says what the service does: a validator takes it, every row is in it, its examples run.
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildExample } from '../../../src/http/openapi/example.ts';
import { jsonSchema, SchemaCompiler } from '../../../src/http/pipeline/schema.ts';
import { openService, type CallOptions, type TestService, type ApiReply } from '../../support/service.ts';

let service: TestService;
let document: ApiReply;
beforeAll(async () => {
  service = await openService();
  document = await service.call('GET', '/openapi.json', { as: 'viewer' });
});
afterAll(() => service[Symbol.asyncDispose]());

describe('/openapi.json', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    expect(document.status).toBe(200);
    expect(document.body).toMatchObject({ openapi: '3.1.0', info: { title: 'Switchyard', version: '1.2.0' } });
    const { valid, errors } = await new Validator().validate(structuredClone(document.body));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it('needs a bearer token', async () => {
    expect((await service.call('GET', '/openapi.json', { token: null })).status).toBe(401);
    expect((await service.call('GET', '/openapi.json', { as: 'agent' })).status).toBe(200);
  });

  it('has every operation with its input and answers', () => {
    const ids: string[] = [];
    for (const row of service.instance.operations) {
      const path = row.path.replaceAll(/\/:(\w+)/g, '/{$1}');
      const found = document.body.paths[path]?.[row.method.toLowerCase()];
      expect(found, row.name).toMatchObject({ summary: row.summary });
      expect(found.operationId, row.name).toMatch(new RegExp(`^${row.name}(_\\d+)?$`));
      ids.push(found.operationId);
      const statuses = Object.keys(found.responses);
      expect(statuses, row.name).toEqual(expect.arrayContaining([...Object.keys(row.answers), '401', '403', '503']));
      expect(row.body === undefined && row.rawBody !== true, row.name).toBe(found.requestBody === undefined);
    }
    expect(new Set(ids).size).toBe(ids.length);
    const { parameters, responses } = document.body.paths['/v1/automation/tasks'].post;
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'Idempotency-Key', in: 'header' }));
    expect(responses['201'].headers).toHaveProperty('X-RateLimit-Remaining');
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '409', '413', '415', '422', '429', '500']));
  });

  it('describes errors as problems, and in the A2A binding as that protocol’s errors', async () => {
    const documentedAs = (path: string, method: string, status: number): unknown => {
      const { $ref, content } = document.body.paths[path][method].responses[status];
      return Object.keys(content ?? document.body.components.responses[$ref.split('/').at(-1)].content);
    };
    const ended = await service.task();
    await service.call('POST', `/v1/agent/tasks/${ended.id}/cancel`);
    const v10 = { headers: { 'A2A-Version': '1.0' } };
    const nobody = { as: 'admin', headers: { 'X-Tenant-Id': 'none' } } as const;
    const malformed = { as: 'admin', headers: { 'X-Tenant-Id': '!' } } as const;
    const requests: [method: 'get' | 'post', path: string, status: number, id: string, more: CallOptions][] = [
      ['post', '/a2a/rest/message:send', 400, '', {}],
      ['post', '/a2a/rest/message:send', 400, '', v10],
      ['post', '/a2a/rest/v1/message:send', 400, '', {}],
      ['get', '/a2a/rest/tasks/{id}', 404, 'none', {}],
      ['get', '/a2a/rest/tasks/{id}', 404, 'none', v10],
      ['get', '/a2a/rest/tasks/{id}', 404, '%00', {}],
      ['get', '/a2a/rest/tasks/{id}', 404, 'x'.repeat(600), v10],
      ['post', '/a2a/rest/tasks/{id}:cancel', 404, '%zz', {}],
      ['post', '/a2a/rest/tasks/{id}:cancel', 409, ended.id, {}],
      ['get', '/a2a/rest/tasks', 401, '', { token: null }],
      ['get', '/.well-known/agent-card.json', 400, '', malformed],
      ['get', '/v1/automation/me', 400, '', malformed],
      ['get', '/v1/automation/me', 404, '', nobody],
    ];
    for (const [method, path, status, id, more] of requests) {
      const body = method === 'post' ? { body: {} } : {};
      const reply = await service.call(method.toUpperCase(), path.replace('{id}', id), { ...body, ...more });
      const type = reply.headers.get('content-type')?.split(';')[0];
      expect([path, reply.status, [type]]).toEqual([path, status, documentedAs(path, method, status)]);
    }
  });

  it('has examples that are valid under their schemas', () => {
    const schemas = new SchemaCompiler();
    const wrong = service.instance.operations.flatMap((row) => {
      const shapes = [...(row.body === undefined ? [] : [row.body]), ...Object.values(row.answers)];
      return shapes.flatMap((shape) => {
        const example = buildExample(jsonSchema(shape));
        try {
          schemas.body(shape)(structuredClone(example));
          return [];
        } catch (error) {
          return [`${row.name}: ${String(error)} ${JSON.stringify(example).slice(0, 300)}`];
        }
      });
    });
    expect(wrong).toEqual([]);
  });

  it('has an example of an automation task that can be run', async () => {
    const { example } = document.body.paths['/v1/automation/tasks'].post.requestBody.content['application/json'];
    const made = await service.call('POST', '/v1/automation/tasks', { as: 'editor', body: example });
    expect(made.status).toBe(201);
  });
});

describe('/docs', () => {
  it('is a self-contained page with every operation', async () => {
    const page = await service.call('GET', '/docs', { as: 'viewer', headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    for (const row of service.instance.operations) expect(page.body).toContain(`id="${row.name}"`);
    expect(page.body).not.toMatch(/<(script|link|img|iframe)\b/);
    expect(page.headers.get('content-security-policy')).toContain(`default-src 'none'`);
  });

  it('shows an anonymous browser the sign-in page, and answers other clients with a 401 problem', async () => {
    const browser = await service.call('GET', '/docs', { token: null, headers: { accept: 'text/html' } });
    expect(browser.status).toBe(401);
    expect(browser.headers.get('content-type')).toMatch(/^text\/html/);
    expect(browser.body).toContain('Sign in');
    const script = await service.call('GET', '/docs', { token: null });
    expect(script).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });
});
