// A change of the cluster with its audit entry: the intent is committed before the call, for no call can be taken back.
import { systemCaller } from '../access/system-caller.ts';
import type { SystemCaller } from '../model/access/caller.ts';
import { systemTenantId } from '../model/audit-entry.ts';
import { DomainError } from '../model/errors.ts';
import type { LoopChange } from '../ports/audit.ts';
import type { Rows } from '../ports/store/store.ts';
import type { ClusterDeps } from './cluster-deps.ts';

type Facts = Readonly<Record<string, string | number | boolean | null>>;

export interface ClusterChange<T> {
  /** `actor`: the subject of whoever asked, or of a component of the service. */
  readonly about: LoopChange & { readonly actor: string };
  /** Writes to the database what the call is about to do. @returns false: it must not be done */
  readonly prepare: (rows: Rows) => Promise<boolean>;
  /** Makes the call. @returns no facts: nothing was changed */
  readonly work: () => Promise<{ readonly value: T; readonly facts: Facts | undefined }>;
  /** The facts of a call whose outcome is not known. */
  readonly facts: Facts;
}

type Outcome<T> = { readonly value: T | undefined } | { readonly error: unknown };

/** The caller of a change to the cluster, which belongs to the tenant `system`, whoever asked for it. */
export function clusterCaller(actor: string): SystemCaller {
  return { ...systemCaller(systemTenantId, 'cluster'), subject: actor, name: actor };
}

/**
 * @returns undefined where `prepare` forbade the call
 * @throws DomainError unavailable (audit_unavailable, the database); what `work` throws
 */
export async function changeCluster<T>(
  { audit, store }: Pick<ClusterDeps, 'audit' | 'store'>,
  { about, prepare, work, facts: known }: ClusterChange<T>,
): Promise<T | undefined> {
  const outcome = await audit.change<Outcome<T>>(clusterCaller(about.actor), about, async (caller) => {
    if (!(await store.within(caller, prepare))) return { value: { value: undefined }, changed: undefined };
    try {
      const { value, facts } = await work();
      return { value: { value }, changed: facts };
    } catch (error) {
      // A call without an answer may have been done.
      return { value: { error }, changed: isUnanswered(error) ? { ...known, outcome: 'unknown' } : undefined };
    }
  });
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

export function isUnanswered(error: unknown): boolean {
  return !(error instanceof DomainError) || error.code === 'cluster_unreachable';
}
