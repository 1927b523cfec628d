// The local evaluator, rule by rule; test/adapters/policy-sidecar/evaluator-equivalence.test.ts holds the Rego to it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../src/domain/access/evaluate.ts';
import { permissionsOf, roles, type Role } from '../../../src/domain/model/access/permission.ts';
import { anyQuestion, plainQuestion } from '../../support/builders/policy-questions.ts';

const tenantOverride = { ...plainQuestion, roles: ['admin'] as Role[], resourceTenantId: 'other' };

describe('the local evaluator', () => {
  it('decides every query, and grants nothing that no role holds [core-1.5.4]', () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        const allowed = evaluate(question);
        const held = permissionsOf(question.roles.filter((role) => roles.includes(role)));
        const some =
          question.permissions.length === 0 || question.permissions.some((permission) => held.has(permission));
        expect(allowed && !some).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('never gives a narrowed credential more than the same credential without scopes [core-5.6.3, choices-4.33]', () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        expect(evaluate(question) && !evaluate({ ...question, scopes: null })).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('lets a narrowed admin override the tenant only with tenants:read in the scopes [choices-4.34]', () => {
    expect(evaluate(tenantOverride)).toBe(true);
    expect(evaluate({ ...tenantOverride, scopes: ['tasks:*'] })).toBe(false);
    expect(evaluate({ ...tenantOverride, scopes: ['tasks:*', 'tenants:write'] })).toBe(false);
    expect(evaluate({ ...tenantOverride, scopes: ['tasks:*', 'tenants:read'] })).toBe(true);
    expect(evaluate({ ...tenantOverride, scopes: ['tasks:*', 'tenants:*'] })).toBe(true);
    for (const role of ['operator', 'editor', 'viewer', 'agent'] as const) {
      expect(evaluate({ ...tenantOverride, roles: [role] })).toBe(false);
    }
  });

  it('lets only operators and admins change what another subject owns [core-5.6.5, choices-4.32]', () => {
    const owned = { ...plainQuestion, permissions: [], owner: 'token:b' };
    expect(roles.filter((role) => evaluate({ ...owned, roles: [role] }))).toEqual(['admin', 'operator']);
    expect(evaluate({ ...owned, owner: 'token:a' })).toBe(true);
  });
});
