// Write and delete on what belongs to somebody: who owns it, may the caller, then the change. choices-4.
import type { Caller } from '../model/access/caller.ts';
import type { Policy } from '../ports/policy.ts';
import type { Rows, Store } from '../ports/store/store.ts';
import { permit, permitOwner, type Demand } from './permit.ts';

export interface OwnedChange<T> {
  /** Who owns the thing, read within a transaction. */
  readonly ownerOf: (rows: Rows) => Promise<string>;
  /** Within the transaction in which the owner is still the one that was asked about. */
  readonly change: (rows: Rows) => Promise<T>;
  /** What a caller must hold beside, for what another subject owns. */
  readonly othersDemand?: Demand | undefined;
}

/**
 * Changes what the policy lets this caller change.
 *
 * The policy is asked between two transactions: a policy server may take two seconds, and ten such questions would hold
 * every connection of the pool. So the change looks at the owner again, and a thing that has changed hands meanwhile
 * (the lease of a task was lost, `global` was made anew) is asked about again.
 * @throws DomainError forbidden; unavailable when the policy cannot be asked; what `ownerOf` and `change` throw
 */
export async function changeOwned<T>(
  deps: { readonly store: Store; readonly policy: Policy },
  caller: Caller,
  { ownerOf, change, othersDemand }: OwnedChange<T>,
): Promise<T> {
  // The tenant alone: a look carries nothing of what the audit will say of the change.
  let owner = await deps.store.within({ tenantId: caller.tenantId }, ownerOf);
  for (;;) {
    await permitOwner(deps.policy, caller, owner);
    if (othersDemand !== undefined && owner !== caller.subject) await permit(deps.policy, caller, othersDemand);
    const checkedOwner = owner;
    const outcome = await deps.store.within(caller, async (rows) => {
      const now = await ownerOf(rows);
      return now === checkedOwner ? ([true, await change(rows)] as const) : ([false, now] as const);
    });
    if (outcome[0]) return outcome[1];
    owner = outcome[1];
  }
}
