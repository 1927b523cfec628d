// An authenticated request is settled exactly once: begun, rejected or dismissed; no endpoint answers before that.
import { describe, expect, it } from 'vitest';
import type { FastifyInstance } from 'fastify';
import type { AuditEntry } from '../../../src/domain/model/audit-entry.ts';
import { createApp } from '../../../src/http/app.ts';
import { SchemaCompiler } from '../../../src/http/pipeline/schema.ts';
import { mountRest } from '../../../src/http/bindings/rest.ts';
import { operation } from '../../../src/http/pipeline/operation.ts';
import { DomainError } from '../../../src/domain/model/errors.ts';
import { admissionOf, inboundRequestOf } from '../../../src/http/pipeline/request.ts';
import type { RequestPipeline } from '../../../src/http/pipeline/request-pipeline.ts';
import { noTrail, openTestPipeline, requestWithToken } from '../../support/request-pipeline.ts';

const token = { name: 'a', token: 't', role: 'viewer', tenantId: 'default', credential: 'service_token' } as const;
const listing = { name: 'tasks.list', permission: 'tasks:read', resource: '/', changes: false } as const;
const unknown = { name: 'rpc.unknown', resource: '/' };

function open(): { pipeline: RequestPipeline; entries: AuditEntry[]; logged: unknown[]; app: FastifyInstance } {
  const entries: AuditEntry[] = [];
  const logged: unknown[] = [];
  const pipeline = openTestPipeline([token], {
    trail: { ...noTrail, note: (entry: AuditEntry) => void entries.push(entry) },
  });
  const app = createApp({
    pipeline,
    trustedProxies: [],
    maxBodyBytes: 1000,
    stopping: new AbortController().signal,
    log: (_line, { error }) => void logged.push(error),
  });
  return { pipeline, entries, logged, app };
}

describe('an admission', () => {
  it('is carried by its request, unsettled until it begins, is rejected or dismissed', async () => {
    const { pipeline } = open();
    const carrier = { admission: undefined };
    const begun = await pipeline.authenticate(requestWithToken('t'), carrier);
    expect(carrier.admission).toBe(begun);
    expect(begun.settled).toBe(false);
    await begun.begin(listing);
    const rejected = await pipeline.authenticate(requestWithToken('t'), carrier);
    rejected.reject(unknown, new Error('no such method'));
    const dismissed = await pipeline.authenticate(requestWithToken('t'), carrier);
    dismissed.dismiss();
    expect([begun, rejected, dismissed].map(({ settled }) => settled)).toEqual([true, true, true]);
  });

  it('is settled once: a second time throws and audits nothing', async () => {
    const { pipeline, entries } = open();
    const admission = await pipeline.authenticate(requestWithToken('t'), { admission: undefined });
    admission.reject(unknown, new Error('no such method'));
    expect(() => admission.reject(unknown, new Error('again'))).toThrow('settled already');
    expect(() => admission.dismiss()).toThrow('settled already');
    await expect(admission.begin(listing)).rejects.toThrow('settled already');
    expect(entries).toMatchObject([{ action: 'rpc.unknown', outcome: 'failure' }]);
  });

  it('is settled when begin rejects it: the audit entry names its operation', async () => {
    const { pipeline, entries } = open();
    const admission = await pipeline.authenticate(requestWithToken('t'), { admission: undefined });
    await expect(admission.begin({ ...listing, permission: 'tasks:write' })).rejects.toMatchObject({
      kind: 'forbidden',
    });
    expect(admission.settled).toBe(true);
    expect(entries).toMatchObject([{ action: 'tasks.list', outcome: 'denied' }]);
  });
});

describe('an endpoint that answers before its admission is settled', () => {
  it('answers 500 instead, with an audit entry and a line in the log', async () => {
    const { pipeline, entries, logged, app } = open();
    app.route({
      method: 'GET',
      url: '/forgets',
      handler: async (request) => {
        await pipeline.authenticate(inboundRequestOf(request), request);
        return { secret: 'of everybody' };
      },
    });
    const reply = await app.inject({ method: 'GET', url: '/forgets', headers: { authorization: 'Bearer t' } });
    expect(reply.statusCode).toBe(500);
    expect(reply.json()).toMatchObject({ code: 'internal_error' });
    expect(reply.body).not.toContain('secret');
    expect(entries).toMatchObject([{ action: 'rpc.unknown', outcome: 'failure', resource: '/forgets' }]);
    expect(String(logged[0])).toContain('GET /forgets was answered before its admission');
    await app.close();
  });

  it('answers 500 even if its error handler renders errors itself', async () => {
    const { pipeline, entries, app } = open();
    void app.register((scope, _options, done) => {
      scope.setErrorHandler((_error, _request, reply) => reply.code(400).send({ mine: true }));
      scope.route({
        method: 'GET',
        url: '/renders',
        handler: async (request) => {
          await pipeline.authenticate(inboundRequestOf(request), request);
          throw new Error('not mine to say');
        },
      });
      done();
    });
    const reply = await app.inject({ method: 'GET', url: '/renders', headers: { authorization: 'Bearer t' } });
    expect(reply.statusCode).toBe(500);
    expect(entries).toHaveLength(1);
    await app.close();
  });

  it('answers normally once it has dismissed the admission', async () => {
    const { pipeline, entries, app } = open();
    app.route({
      method: 'GET',
      url: '/dismisses',
      handler: async (request) => {
        await pipeline.authenticate(inboundRequestOf(request), request);
        admissionOf(request).dismiss();
        return { ok: true };
      },
    });
    const reply = await app.inject({ method: 'GET', url: '/dismisses', headers: { authorization: 'Bearer t' } });
    expect(reply.json()).toEqual({ ok: true });
    expect(entries).toEqual([]);
    await app.close();
  });
});

it('a body whose call cannot be resolved is audited once, although its row renders errors itself', async () => {
  const { pipeline, entries, app } = open();
  const row = operation({
    name: 'test.call',
    method: 'POST',
    path: '/call',
    summary: 'Call a thing.',
    permission: 'tasks:read',
    answers: {},
    renderError: () => ({ status: 404, body: { mine: true } }),
    resolveCall: () => {
      throw new DomainError('not_found', 'no_such_thing', 'There is no such thing.');
    },
    run: () => Promise.reject(new Error('never run')),
  });
  const limits = { maxBodyBytes: 1000, largeBodyBytes: 1000 };
  mountRest(app, [row], { pipeline, schemas: new SchemaCompiler(), ...limits, log: () => {} });
  const headers = { authorization: 'Bearer t', 'content-type': 'application/json' };
  const reply = await app.inject({ method: 'POST', url: '/call', headers, payload: '{}' });
  expect(reply.statusCode).toBe(404);
  expect(reply.json()).toEqual({ mine: true });
  expect(entries).toMatchObject([{ action: 'rpc.unknown', outcome: 'failure', metadata: { code: 'no_such_thing' } }]);
  await app.close();
});
