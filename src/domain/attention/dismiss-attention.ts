// The verb dismiss attention: ends the wait of something that asks nothing.
import { changeOwned } from '../access/change-owned.ts';
import { permit } from '../access/permit.ts';
import type { Caller } from '../model/access/caller.ts';
import type { Permission } from '../model/access/permission.ts';
import { askingKinds, type AttentionKind } from '../model/attention.ts';
import { DomainError, notFound } from '../model/errors.ts';
import type { Policy } from '../ports/policy.ts';
import type { Rows, Store } from '../ports/store/store.ts';
import type { WakeBus } from '../ports/wake.ts';

export interface DismissDeps {
  readonly store: Store;
  readonly policy: Policy;
  readonly wake: Pick<WakeBus, 'announce'>;
}

type DismissibleKind = Exclude<AttentionKind, (typeof askingKinds)[number]>;

/** The permission for what would end the wait otherwise: send again, retry, delete the worker, raise the budget. */
const permissionByKind: Readonly<Record<DismissibleKind, Permission>> = {
  dead_delivery: 'automation:write',
  run_failed: 'ralph:write',
  worker_gone: 'workers:write',
  budget: 'monitor:write',
};

/**
 * @throws DomainError not_found; conflict `needs_answer` for what asks; forbidden (the permission for the remedy is missing,
 *   or it belongs to another and the caller is no operator)
 */
export async function dismissAttention(deps: DismissDeps, caller: Caller, id: string): Promise<void> {
  const find = async (rows: Rows): Promise<{ kind: AttentionKind; createdBy: string }> => {
    const found = await rows.attention.find(id);
    if (found === undefined) throw notFound('attention_item');
    return found;
  };
  const { kind } = await deps.store.within({ tenantId: caller.tenantId }, find);
  if (!isDismissible(kind)) throw needsAnswer();
  await permit(deps.policy, caller, permissionByKind[kind]);
  await changeOwned(deps, caller, {
    ownerOf: async (rows) => (await find(rows)).createdBy,
    change: async (rows) => {
      if ((await find(rows)).kind !== kind || !(await rows.attention.close(id))) throw notFound('attention_item');
    },
  });
  deps.wake.announce({ kind: 'attention', tenantId: caller.tenantId });
}

function isDismissible(kind: AttentionKind): kind is DismissibleKind {
  return kind in permissionByKind;
}

function needsAnswer(): DomainError {
  return new DomainError('conflict', 'needs_answer', 'This waits for an answer and cannot be dismissed. Answer it.');
}
