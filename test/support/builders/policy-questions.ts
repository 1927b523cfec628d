// Questions to the policy, generated: mostly near the matrix, where a rule decides, some far from it.
import fc from 'fast-check';
import { allPermissions, roles } from '../../../src/domain/model/access/permission.ts';
import type { PolicyQuery } from '../../../src/domain/ports/policy.ts';

const permissions = allPermissions();
const resources = [...new Set(permissions.map((permission) => permission.slice(0, permission.indexOf(':'))))];
const anyScope = fc.oneof(fc.constantFrom('', ':', '*', '*:*', 'tasks', 'constructor', '__proto__'), fc.string());
const subjects = fc.oneof({ arbitrary: fc.constantFrom('token:a', 'token:b', '*'), weight: 9 }, anyScope);
const tenants = fc.oneof({ arbitrary: fc.constantFrom('default', 'other'), weight: 9 }, anyScope);
const scope = fc.oneof(
  { arbitrary: fc.constantFrom(...permissions), weight: 4 },
  { arbitrary: fc.constantFrom(...resources).map((resource) => `${resource}:*`), weight: 4 },
  anyScope,
);

/** Unknown roles and permissions are among them: a question from elsewhere may hold any text. */
export const anyQuestion: fc.Arbitrary<PolicyQuery> = fc.record({
  subject: subjects,
  roles: fc.array(fc.oneof({ arbitrary: fc.constantFrom(...roles), weight: 9 }, anyScope), { maxLength: 3 }),
  scopes: fc.oneof(fc.constant(null), fc.array(scope, { maxLength: 6 })),
  tenantId: tenants,
  permissions: fc.array(fc.oneof({ arbitrary: fc.constantFrom(...permissions), weight: 9 }, anyScope), {
    maxLength: 3,
  }),
  resourceTenantId: tenants,
  owner: fc.oneof(fc.constant(null), subjects),
}) as fc.Arbitrary<PolicyQuery>;

/** A question that an editor of tenant `default` may ask with success. */
export const plainQuestion: PolicyQuery = {
  subject: 'token:a',
  roles: ['editor'],
  scopes: null,
  tenantId: 'default',
  permissions: ['tasks:write'],
  resourceTenantId: 'default',
  owner: null,
};
