// Dependencies of the verbs and the director of objectives.
import type { ActingDeps } from '../../access/acting-owner.ts';
import type { OkrItemStatus, OkrReport, OkrRunStatus } from '../../model/okr/okr.ts';
import type { LoopAudit } from '../../ports/audit.ts';
import type { CrossTenantQueries } from '../../ports/store/cross-tenant-queries.ts';
import type { TaskDeps } from '../../tasks/deps.ts';

export interface OkrMetrics {
  /** The task of an item has ended. */
  folded(status: OkrItemStatus): void;
  runEnded(status: OkrRunStatus): void;
}

/** The content of a report, or what is wrong with it. */
export type ParsedReport = { readonly report: OkrReport } | { readonly reason: string };

export type OkrDeps = ActingDeps &
  Pick<TaskDeps, 'wake' | 'makeId' | 'egress' | 'defaultMaxAttempts'> & {
    readonly metrics: OkrMetrics;
    readonly parseReport: (content: unknown) => ParsedReport;
  };

export type OkrDirectorDeps = OkrDeps & {
  readonly crossTenant: Pick<CrossTenantQueries, 'dueOkrRuns'>;
  readonly audit: LoopAudit;
};
