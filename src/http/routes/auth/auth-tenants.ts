// Operations on tenants, for admins. choices-4.
import * as wire from '../../../contracts/auth.ts';
import { createTenant, listTenants } from '../../../domain/access/tenants/tenants.ts';
import type { Tenant } from '../../../domain/model/access/tenant.ts';
import type { TenantRegistry } from '../../../domain/ports/store/credentials.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';

export function tenantOperations(register: TenantRegistry): Operation[] {
  return [
    operation({
      name: 'tenants.list',
      method: 'GET',
      path: '/v1/auth/tenants',
      summary: 'List the tenants of this service, by id.',
      permission: 'tenants:read',
      query: wire.authPageQuery,
      answers: { 200: wire.tenantPage },
      run: async (_caller, { query }) => {
        const { items, next } = await listTenants(register, parsePage(query, 'text'));
        return { status: 200, body: { tenants: items.map(tenantToWire), next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'tenants.create',
      method: 'POST',
      path: '/v1/auth/tenants',
      summary: 'Create a tenant.',
      permission: 'tenants:write',
      body: wire.newTenant,
      answers: { 201: wire.tenantAnswer },
      run: async (caller, { body }) => {
        const tenant = await createTenant(register, caller, { tenantId: body.tenant_id, name: body.name });
        return { status: 201, body: { tenant: tenantToWire(tenant) } };
      },
    }),
  ];
}

function tenantToWire(tenant: Tenant): wire.TenantWire {
  return { tenant_id: tenant.tenantId, name: tenant.name, created_at: tenant.createdAt };
}
