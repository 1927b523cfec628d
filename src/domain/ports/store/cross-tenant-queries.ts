// What must look across tenants: each answers ids alone, and the work on them is done within their tenant.

export interface CrossTenantQueries {
  /** Running tasks whose lease ran out. */
  expiredLeases(limit: number): Promise<{ tenantId: string; taskId: string; epoch: number }[]>;
  /** Open tasks whose deadline passed. */
  passedDeadlines(limit: number): Promise<{ tenantId: string; taskId: string }[]>;
  /** Tenants that have pending tasks on some route, of those given. */
  tenantsWithPending(tenantIds: readonly string[]): Promise<string[]>;
  /** Every tenant. */
  tenants(): Promise<string[]>;
  /** Whether there is a tenant of this id. */
  isTenant(tenantId: string): Promise<boolean>;
  /** Makes tenants that a credential of the configuration names. */
  ensureTenants(tenantIds: readonly string[]): Promise<void>;
  /** Drops idempotency keys over their age. */
  dropOldKeys(olderThanHours: number): Promise<number>;
}
