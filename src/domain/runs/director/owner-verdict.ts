// Decides whether the owner of a run may still create tasks, within the transaction of a look where that needs no waiting.
import { actingPermission, findActingSubject, mayStillAct, type ActingDeps } from '../../access/acting-owner.ts';
import { isPermitted } from '../../access/permit.ts';
import type { ActingOwner, OwnerRecords } from '../../model/access/acting-owner.ts';
import type { PrdRun } from '../../model/run/run.ts';

/**
 * The policy is another server, or the owner is of another tenant: neither is asked while the run is locked. Its holder
 * rolls the transaction back, awaits the verdict, and begins again with it.
 */
export class OwnerUndecided extends Error {
  override readonly name = 'OwnerUndecided';
  /** @throws DomainError unavailable when the policy cannot decide */
  readonly verdict: () => Promise<boolean>;

  constructor(verdict: () => Promise<boolean>) {
    super('the owner of the run is decided about outside its transaction');
    this.verdict = verdict;
  }
}

/** @throws OwnerUndecided */
export function decideOwner(deps: ActingDeps, tenantId: string, run: PrdRun, records: OwnerRecords): boolean {
  const owner = ownerOf(run, tenantId);
  const later = new OwnerUndecided(() => mayStillAct(deps, tenantId, run.createdBy, owner));
  if (owner.homeTenantId !== tenantId) throw later;
  const caller = findActingSubject(deps.principals, tenantId, run.createdBy, owner, records);
  if (caller === undefined) return false;
  const allowed = isPermitted(deps.policy, caller, actingPermission);
  if (typeof allowed === 'boolean') return allowed;
  // The answer is awaited outside; a failure of it is reported there.
  allowed.catch(() => undefined);
  throw new OwnerUndecided(() => allowed);
}

/** The creator of a run could create tasks; an editor is the least role that can. */
function ownerOf({ actsAs, keyId }: PrdRun, homeTenantId: string): ActingOwner {
  return actsAs ?? { homeTenantId, roles: ['editor'], scopes: null, keyId };
}

/** Works with the verdict on the owner, which is awaited outside where it cannot be had at once. */
export async function withOwnerVerdict<T>(work: (verdict: boolean | undefined) => Promise<T>): Promise<T> {
  try {
    return await work(undefined);
  } catch (error) {
    if (!(error instanceof OwnerUndecided)) throw error;
    return work(await error.verdict());
  }
}
