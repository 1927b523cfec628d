// Verbs over tenants, which belong to no tenant themselves. Admins may act in any tenant, so they may list them all.
import type { Caller } from '../../model/access/caller.ts';
import { DomainError } from '../../model/errors.ts';
import type { Tenant } from '../../model/access/tenant.ts';
import type { TenantRegistry } from '../../ports/store/credentials.ts';
import type { Page } from '../../ports/store/page.ts';
import { cutPage } from '../cut-page.ts';

/** By id. */
export async function listTenants(
  registry: TenantRegistry,
  page: Page,
): Promise<{ items: readonly Tenant[]; next: string | null }> {
  const found = await registry.list({ ...page, limit: page.limit + 1 });
  return cutPage(found, page.limit, ({ tenantId }) => tenantId);
}

/** @throws DomainError conflict (`tenant_exists`) */
export async function createTenant(
  registry: TenantRegistry,
  caller: Caller,
  named: { readonly tenantId: string; readonly name: string },
): Promise<Tenant> {
  const tenant = await registry.create(named, caller.intent);
  if (tenant !== undefined) return tenant;
  throw new DomainError('conflict', 'tenant_exists', 'A tenant with this id exists already. Choose another id.');
}
