// An operation without a permission prevents the start, at every endpoint.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createApp } from '../../../src/http/app.ts';
import { operation, rpcOperation } from '../../../src/http/pipeline/operation.ts';
import { mountRest } from '../../../src/http/bindings/rest.ts';
import { mountRpc } from '../../../src/http/bindings/rpc.ts';
import { SchemaCompiler } from '../../../src/http/pipeline/schema.ts';
import { openTestPipeline } from '../../support/request-pipeline.ts';

const pipeline = openTestPipeline([]);
const schemas = new SchemaCompiler();
const log = (): void => {};

function app(): ReturnType<typeof createApp> {
  const stopping = new AbortController().signal;
  return createApp({ pipeline, trustedProxies: [], maxBodyBytes: 1000, stopping, log });
}

/** The row as a table could have it that nobody has typechecked. */
function without<T extends object>(row: T, field: keyof T): T {
  return { ...row, [field]: undefined };
}

describe('an operation without a permission', () => {
  it('prevents the start in REST [choices-4.31, core-5.5]', () => {
    const row = operation({
      name: 'test.get',
      method: 'GET',
      path: '/v1/test',
      summary: 'A test.',
      permission: 'tasks:read',
      answers: {},
      run: () => Promise.reject(new Error('never called')),
    });
    const mount = (rows: (typeof row)[]): void =>
      mountRest(app(), rows, { pipeline, schemas, maxBodyBytes: 1000, largeBodyBytes: 1000, log: () => {} });
    expect(() => mount([without(row, 'permission')])).toThrow('The operation test.get has no permission.');
    expect(() => mount([row])).not.toThrow();
  });

  it('prevents the start in JSON-RPC [choices-4.31, core-5.5]', () => {
    const row = rpcOperation({
      name: 'test.get',
      method: 'test/get',
      summary: 'A test.',
      permission: 'tasks:read',
      params: z.object({}),
      run: () => Promise.reject(new Error('never called')),
    });
    const negotiate = (): { writeError: <T>(body: T) => T; methodExists: boolean } => ({
      writeError: (body) => body,
      methodExists: true,
    });
    const mount = (rows: (typeof row)[]): void =>
      mountRpc(app(), { paths: ['/rpc'], operations: rows, negotiate, pipeline, schemas, bodyLimit: 1000, log });
    expect(() => mount([without(row, 'permission')])).toThrow('The method test/get has no permission.');
    expect(() => mount([row])).not.toThrow();
  });
});
