// The verbs of push configs: who is told of a task's changes of status. a2a §1.7.
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
 * Adds a config to a task, or replaces the one of its id. Of a task that rests it is told at once how that stands: the
 * change may have come while the caller was registering, and perhaps no other comes.
 * @throws DomainError not_found, forbidden (another's, and the caller is no operator); invalid: an address that is
 *   refused, or too many configs
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
 * What was registered, credentials included: so only who may change the task reads it.
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

/** One that is not there is no error. @throws DomainError not_found, forbidden */
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
