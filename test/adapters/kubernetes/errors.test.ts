// The table of errors, by the bodies that API servers answer with.
import { describe, expect, it } from 'vitest';
import { toClusterError } from '../../../src/adapters/kubernetes/errors.ts';
import { DomainError } from '../../../src/domain/model/errors.ts';

const call = { verb: 'patch', resource: 'deployments/scale', name: 'switchyard', namespace: 'ns' };

function answer(code: number, body: unknown, headers: Record<string, string> = {}): Error {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return Object.assign(new Error(`HTTP-Code: ${code}`), { code, body: text, headers });
}

const errorOf = (error: unknown): DomainError => toClusterError(error, call, 5_000);
const shapeOf = (error: unknown): unknown[] => {
  const { kind, code, retryAfterSeconds } = errorOf(error);
  return [kind, code, retryAfterSeconds];
};

describe('an error of the API server', () => {
  it('[platform-1.5.2] that denies a verb names account, verb, resource, name and namespace', () => {
    const message =
      'deployments.apps "switchyard" is forbidden: User "system:serviceaccount:ns:switchyard" cannot patch resource "deployments/scale" in API group "apps" in the namespace "ns"';
    const error = answer(403, { kind: 'Status', message, reason: 'Forbidden' });
    expect(shapeOf(error)).toEqual(['unavailable', 'cluster_forbidden', 10]);
    expect(errorOf(error).message).toBe(
      'The service account ns:switchyard may not `patch deployments/scale` named switchyard in namespace ns: add it to its Role (docs/DEPLOY.md).',
    );
    expect(errorOf(answer(403, '')).message).toContain('of this pod may not `patch deployments/scale`');
  });

  it('[platform-1.5.5] that comes of a quota or an admission plugin is passed on in its words', () => {
    const quota = { message: 'deployments.apps "x" is forbidden: exceeded quota: small, requested: count=1' };
    expect(shapeOf(answer(403, quota))).toEqual(['conflict', 'cluster_refused', undefined]);
    expect(errorOf(answer(403, quota)).message).toContain('exceeded quota: small');
    expect(errorOf(answer(422, { message: 'spec.replicas: Invalid value: -1' })).message).toContain(
      'Invalid value: -1',
    );
    for (const status of [400, 500]) {
      const unknown = { message: 'failed to create typed patch object: .spec.replica: field not declared in schema' };
      expect(errorOf(answer(status, unknown)).code).toBe('cluster_refused');
    }
    expect(errorOf(answer(422, 'no JSON')).message).toContain('it gives no reason');
  });

  it('[platform-1.2.3] that is a conflict names fields and managers', () => {
    const causes = [
      { reason: 'FieldManagerConflict', message: 'conflict with "kubectl" using apps/v1', field: '.spec.replicas' },
    ];
    const error = errorOf(answer(409, { message: 'Apply failed with 1 conflict', details: { causes } }));
    expect([error.kind, error.code]).toEqual(['conflict', 'cluster_conflict']);
    expect(error.message).toContain('.spec.replicas (managed by "kubectl" using apps/v1)');
    expect(errorOf(answer(409, { message: 'the object has been modified' })).message).toContain('has been modified');
  });

  it('[platform-1.5.3] that will pass has the Retry-After of the server, or ten seconds', () => {
    expect(shapeOf(answer(503, {}, { 'retry-after': '7' }))).toEqual(['unavailable', 'cluster_unreachable', 7]);
    expect(shapeOf(answer(429, { details: { retryAfterSeconds: 3 } }))).toEqual([
      'unavailable',
      'cluster_unreachable',
      3,
    ]);
    expect(shapeOf(answer(500, { message: 'etcdserver: request timed out' }))).toEqual([
      'unavailable',
      'cluster_unreachable',
      10,
    ]);
    expect(shapeOf(answer(429, {}, { 'retry-after': 'tomorrow' }))[2]).toBe(10);
  });

  it('[platform-1.5.4] that rejects the token', () => {
    expect(shapeOf(answer(401, { message: 'Unauthorized' }))).toEqual(['unavailable', 'cluster_unauthorized', 10]);
  });

  it('[platform-1.5.3] that is none of its own says what broke', () => {
    const refused = new TypeError('fetch failed', {
      cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    });
    const reasons: [unknown, string][] = [
      [refused, 'ECONNREFUSED'],
      [new TypeError('fetch failed'), 'the connection broke'],
      [new DOMException('The operation was aborted due to timeout', 'TimeoutError'), 'no answer within 5 s'],
      [new SyntaxError('Unexpected token'), 'does not answer as a Kubernetes API server'],
      ['a text', 'the call failed'],
    ];
    for (const [error, reason] of reasons) {
      expect(shapeOf(error)).toEqual(['unavailable', 'cluster_unreachable', 10]);
      expect(errorOf(error).message).toContain(reason);
    }
  });

  it('that is one of the domain already stays as it is', () => {
    const error = new DomainError('conflict', 'no_deployment', 'none');
    expect(errorOf(error)).toBe(error);
  });
});
