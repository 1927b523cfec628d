// The port of the partitions of tables that are partitioned by the time in their ids.
import type { TenantScope } from '../../model/access/caller.ts';

export interface Partition {
  readonly table: string;
  readonly partition: string;
}

/** A partition whose time is over. */
export interface DuePartition extends Partition {
  /** `kept`: some row of it is still needed. `busy`: a transaction reads the table; the next round tries again. */
  readonly outcome: 'dropped' | 'kept' | 'busy';
}

export interface Partitions {
  /** Makes those of the present and the future. @param tenant its audit intent is committed with the change */
  make(tenant: TenantScope): Promise<Partition[]>;
  /**
   * Drops those that ended longer ago than their table keeps them.
   * @param keepDays by table; a table that is not in it keeps what it had
   */
  drop(tenant: TenantScope, keepDays: Readonly<Record<string, number>>): Promise<DuePartition[]>;
}
