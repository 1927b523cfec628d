// The A2A REST routes answer by the schemas that they publish, in every version.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonSchema, SchemaCompiler } from '../../../../src/http/pipeline/schema.ts';
import { openService, type TestService, type ApiReply } from '../../../support/service.ts';
import { message } from '../../../support/a2a/client.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService({ config: { egressAllow: ['127.0.0.1'] } });
});
afterAll(() => service[Symbol.asyncDispose]());

const rows = () => service.instance.operations.filter(({ path }) => path.startsWith('/a2a/rest/'));
const isStream = (name: string) => name === 'a2a.stream' || name === 'a2a.subscribe';
const v10 = { 'a2a-version': '1.0' };

/** Each with its base, its headers, and a message as it writes one. */
const versions = [
  ['v0.3 JSON', '/a2a/rest', {}, message()],
  ['v0.3 proto JSON', '/a2a/rest/v1', {}, { messageId: 'm', role: 'ROLE_USER', content: [{ text: 'do it' }] }],
  ['v1.0', '/a2a/rest', v10, { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'do it' }] }],
] as const;

describe('the published answers of the REST binding', () => {
  it('have a shape, and streams are events', async () => {
    const { paths } = (await service.call('GET', '/openapi.json')).body;
    for (const { name, method, path } of rows()) {
      const found = paths[path.replaceAll(/\/:(\w+)/g, '/{$1}')][method.toLowerCase()].responses;
      const types = Object.keys((found[200] ?? found[204]).content);
      expect([path, types]).toEqual([path, [isStream(name) ? 'text/event-stream' : 'application/json']]);
      if (isStream(name)) continue;
      const { schema } = (found[200] ?? found[204]).content['application/json'];
      expect([path, 'type' in schema || 'anyOf' in schema]).toEqual([path, true]);
    }
  });

  // The service checks every reply here against its row's schema; a wrong one would be a 500.
  it.each(versions)('are what %s answers', async (_version, base, headers, expectedStatus) => {
    const call = (method: string, path: string, body?: unknown, as: 'editor' | 'otheradmin' = 'editor') =>
      service.call(method, `${base}${path}`, { as, headers, ...(body === undefined ? {} : { body }) });
    const sent = await call('POST', '/message:send', {
      message: expectedStatus,
      configuration: { returnImmediately: true, blocking: false },
    });
    const id: string = sent.body.task?.id ?? sent.body.id;
    const config = { id: 'c', url: 'https://hooks.example.com/done', token: 't' };
    const push =
      base === '/a2a/rest/v1'
        ? { configId: 'c', config: { pushNotificationConfig: config } }
        : headers === v10
          ? config
          : { pushNotificationConfig: config };
    const replies: ApiReply[] = [
      sent,
      await call('GET', `/tasks/${id}`),
      await call('GET', '/tasks?includeArtifacts=true&historyLength=5'),
      await call('GET', '/tasks', undefined, 'otheradmin'),
      await call('GET', `/tasks/${id}/pushNotificationConfigs`),
      await call('POST', `/tasks/${id}/pushNotificationConfigs`, push),
      await call('GET', `/tasks/${id}/pushNotificationConfigs/c`),
      await call('GET', `/tasks/${id}/pushNotificationConfigs`),
      await call('DELETE', `/tasks/${id}/pushNotificationConfigs/c`),
      await call('POST', `/tasks/${id}:cancel`, {}),
      await call('GET', '/card'),
    ];
    const gone = headers === v10 ? 200 : 204;
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200, 200, gone, 200, 200]);
  });

  it('reject a task in the form of another version', () => {
    const schemas = new SchemaCompiler();
    const [ofDocument, ofProto] = ['/a2a/rest/tasks/:id', '/a2a/rest/v1/tasks/:id'].map((path) => {
      const shape = rows().find((row) => row.path === path)?.answers[200];
      if (shape === undefined) throw new Error(`no answer of ${path}`);
      expect(jsonSchema(shape)).not.toEqual({});
      return schemas.body(shape);
    });
    const task = (state: string, kind = {}) => ({ ...kind, id: 't', contextId: 'c', status: { state } });
    for (const spoken of [task('canceled', { kind: 'task' }), task('TASK_STATE_CANCELED')]) {
      expect(ofDocument?.(spoken)).toEqual(spoken);
      expect(() => ofProto?.(spoken)).toThrow('not valid');
    }
    expect(ofProto?.(task('TASK_STATE_CANCELLED'))).toBeDefined();
    expect(() => ofDocument?.(task('TASK_STATE_CANCELLED'))).toThrow('not valid');
    expect(() => ofDocument?.({})).toThrow('not valid');
  });
});
