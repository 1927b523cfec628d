// Changes what another subject may own: finds the owner, asks the policy, then makes the change. choices-4.
import type { Caller } from '../model/access/caller.ts';
import type { Policy } from '../ports/policy.ts';
import type { Rows, Store } from '../ports/store/store.ts';
import { permit, permitOwner, type Demand } from './permit.ts';

export interface OwnedChange<T> {
  /** Reads the owner, within a transaction. */
  readonly ownerOf: (rows: Rows) => Promise<string>;
  /** Makes the change, within the transaction in which the owner is still the one that the policy was asked about. */
  readonly change: (rows: Rows) => Promise<T>;
  /** The permission that a caller needs in addition when another subject is the owner. */
  readonly othersDemand?: Demand | undefined;
}

/**
 * Makes a change if the policy allows it to this caller.
 *
 * The policy is asked between two transactions: a policy server may take two seconds, and ten such queries would hold
 * every connection of the pool. So the change reads the owner again, and asks again when the owner has changed
 * meanwhile (the lease of a task was lost, `global` was created anew).
 * @throws DomainError forbidden; unavailable when the policy cannot decide; what `ownerOf` and `change` throw
 */
export async function changeOwned<T>(
  deps: { readonly store: Store; readonly policy: Policy },
  caller: Caller,
  { ownerOf, change, othersDemand }: OwnedChange<T>,
): Promise<T> {
  // The tenant alone, without the intent: this read must not commit the audit intent of the change.
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
