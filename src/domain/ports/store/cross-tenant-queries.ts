// Queries across tenants: each returns ids only, and the work on them is done within their tenant.
import type { DueTopicMessage } from '../topics.ts';

export interface DueRun {
  readonly tenantId: string;
  readonly runId: string;
}

export interface DueCronjob {
  readonly tenantId: string;
  readonly cronjobId: string;
  /** Its place in the order of due jobs. */
  readonly fireAt: string;
}

export interface DueOkrRun {
  readonly tenantId: string;
  readonly okrId: string;
  readonly runId: string;
}

export interface CrossTenantQueries {
  /** Running tasks whose lease expired. */
  expiredLeases(limit: number): Promise<{ tenantId: string; taskId: string; epoch: number }[]>;
  /** Open tasks whose deadline passed. */
  passedDeadlines(limit: number): Promise<{ tenantId: string; taskId: string }[]>;
  /** Those of the given tenants that have pending tasks on some route. */
  tenantsWithPending(tenantIds: readonly string[]): Promise<string[]>;
  /** Tenants whose log has events that usage does not count yet. */
  tenantsToFold(): Promise<string[]>;
  /** Every tenant. */
  tenants(): Promise<string[]>;
  /** Whether a tenant with this id exists. */
  isTenant(tenantId: string): Promise<boolean>;
  /** Creates the tenants that configured credentials name. */
  ensureTenants(tenantIds: readonly string[]): Promise<void>;
  /** Messages of these topics that are due, the longest due first. */
  dueTopicMessages(topics: readonly string[], limit: number): Promise<DueTopicMessage[]>;
  /** Unfinished runs that the director has to look at by now, the longest due first. */
  dueRuns(limit: number): Promise<DueRun[]>;
  /** Runs with an open step whose task came to rest, or with an asking one whose task goes on. */
  runsWithEndedSteps(limit: number): Promise<DueRun[]>;
  /** Tasks of all open and asking steps. */
  openStepTasks(): Promise<{ tenantId: string; taskId: string }[]>;
  /** Registered workers that have sent no heartbeat for this long and are not marked as gone. */
  silentWorkers(silentSeconds: number, limit: number): Promise<{ tenantId: string; workerId: string }[]>;
  /** Enabled cron jobs whose time has come, the longest due first. @param after the last one of the batch before */
  dueCronjobs(limit: number, after: DueCronjob | undefined): Promise<DueCronjob[]>;
  /** Open runs of objectives with a task that has begun or ended unnoticed. @param after the last one of the batch before */
  dueOkrRuns(limit: number, after: DueOkrRun | undefined): Promise<DueOkrRun[]>;
  /** Deletes idempotency keys over this age. */
  dropOldKeys(olderThanHours: number): Promise<number>;
}
