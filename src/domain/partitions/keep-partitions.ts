// Keeps the partitions of tables that are partitioned by time: makes them ahead, and drops them when their time is over.
// platform-7.3.
import { systemCaller } from '../access/system-caller.ts';
import { systemTenantId } from '../model/audit-entry.ts';
import type { LoopAudit } from '../ports/audit.ts';
import type { DuePartition, Partition, Partitions } from '../ports/upkeep/partitions.ts';

export interface PartitionMetrics {
  /** @param kept how many partitions of each table are over and cannot be dropped yet */
  partitionsKept(kept: ReadonlyMap<string, number>): void;
}

export interface PartitionDeps {
  readonly partitions: Partitions;
  readonly audit: LoopAudit;
  readonly metrics: PartitionMetrics;
}

const component = systemCaller(systemTenantId, 'partitions');
const resource = 'partitions';

/** Makes the partitions of the present and the future. */
export function makePartitions({ partitions, audit }: Pick<PartitionDeps, 'partitions' | 'audit'>): Promise<void> {
  return audit.change(component, { action: 'partitions.make', resource }, async (caller) => {
    const made = await partitions.make(caller);
    return { value: undefined, changed: made.length === 0 ? undefined : { partitions: namesOf(made) } };
  });
}

/**
 * One round: makes partitions ahead, then drops those that are over.
 * @param keepDays how long each table keeps its rows
 * @returns the tables of which a partition was dropped
 */
export async function keepPartitions(
  deps: PartitionDeps,
  keepDays: Readonly<Record<string, number>>,
): Promise<ReadonlySet<string>> {
  await makePartitions(deps);
  const due = await deps.audit.change(component, { action: 'partitions.drop', resource }, async (caller) => {
    const value = await deps.partitions.drop(caller, keepDays);
    const dropped = namesOf(value.filter(({ outcome }) => outcome === 'dropped'));
    return { value, changed: dropped.length === 0 ? undefined : { partitions: dropped } };
  });
  deps.metrics.partitionsKept(countKept(due, Object.keys(keepDays)));
  return new Set(due.filter(({ outcome }) => outcome === 'dropped').map(({ table }) => table));
}

function countKept(due: readonly DuePartition[], tables: readonly string[]): ReadonlyMap<string, number> {
  const kept = new Map(tables.map((table) => [table, 0]));
  for (const { table, outcome } of due) {
    kept.set(table, (kept.get(table) ?? 0) + (outcome === 'dropped' ? 0 : 1));
  }
  return kept;
}

function namesOf(partitions: readonly Partition[]): string[] {
  return partitions.map(({ partition }) => partition);
}
