// Operations on push notification configs: addresses that are notified when a task changes status. a2a §1.7.
import { changeOwned } from '../access/change-owned.ts';
import { permitOwner } from '../access/permit.ts';
import type { Caller } from '../model/access/caller.ts';
import type { PushTarget } from '../model/delivery.ts';
import { isAtRest } from '../model/task/task-state.ts';
import type { EgressRule } from '../ports/egress.ts';
import type { Policy } from '../ports/policy.ts';
import type { Rows, Store } from '../ports/store/store.ts';
import type { WakeBus } from '../ports/wake.ts';
import { addPushConfig } from '../tasks/add-push-config.ts';
import { checkPushTarget } from '../tasks/routing/target-url.ts';
import { requireTask } from '../tasks/read.ts';
import { findTaskOwner } from '../tasks/task-owner.ts';

export interface PushDeps {
  readonly store: Store;
  readonly policy: Policy;
  readonly egress: EgressRule;
}

/**
 * Adds a config to a task, or replaces the config with the same id. If the task is at rest, its current status is
 * queued immediately: the last change may have happened during registration, and no other may follow.
 * @throws DomainError not_found; forbidden (the task belongs to another caller, and this caller is not an operator);
 *   invalid (the address is not allowed, or there are too many configs)
 */
export async function setPushConfig(
  deps: PushDeps & { readonly wake: WakeBus },
  caller: Caller,
  taskId: string,
  target: PushTarget,
): Promise<PushTarget> {
  checkPushTarget(deps.egress, target);
  const isQueued = await changeOwned(deps, caller, {
    ownerOf: (rows) => findTaskOwner(rows, caller, taskId),
    change: async (rows) => {
      await addPushConfig(rows, caller, taskId, target);
      const { status } = await requireTask(rows, taskId);
      if (!isAtRest(status)) return false;
      await rows.pushConfigs.enqueueCurrentStatus(taskId, target.configId);
      return true;
    },
  });
  if (isQueued) deps.wake.announce({ kind: 'task', tenantId: caller.tenantId, taskId });
  return target;
}

/**
 * Lists the configs with their credentials, so only callers who may change the task may read them.
 * @throws DomainError not_found, forbidden
 */
export async function listPushConfigs(deps: PushDeps, caller: Caller, taskId: string): Promise<PushTarget[]> {
  const { owner, targets } = await deps.store.within(caller, async (rows: Rows) => ({
    owner: await findTaskOwner(rows, caller, taskId),
    targets: await rows.pushConfigs.list(taskId),
  }));
  await permitOwner(deps.policy, caller, owner);
  return targets;
}

/** Removes a config. Removing one that does not exist is not an error. @throws DomainError not_found, forbidden */
export async function removePushConfig(
  deps: PushDeps,
  caller: Caller,
  taskId: string,
  configId: string,
): Promise<void> {
  await changeOwned(deps, caller, {
    ownerOf: (rows) => findTaskOwner(rows, caller, taskId),
    change: (rows) => rows.pushConfigs.remove(taskId, configId),
  });
}
