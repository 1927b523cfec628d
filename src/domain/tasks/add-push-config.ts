// Adds a push config to a task, within the caller's transaction. a2a §1.7.
import type { Caller } from '../model/access/caller.ts';
import type { PushTarget } from '../model/delivery.ts';
import type { Rows } from '../ports/store/store.ts';
import { invalidField } from './routing/invalid-field.ts';

/** Each config causes a delivery at each change of status. */
const maxConfigs = 16;

/**
 * Adds a config, or replaces the one with its id. `checkPushTarget` must have accepted the target before.
 * @throws DomainError invalid: the task has too many configs; the transaction must roll back
 */
export async function addPushConfig(rows: Rows, caller: Caller, taskId: string, target: PushTarget): Promise<void> {
  await rows.pushConfigs.set(taskId, caller.subject, target);
  if ((await rows.pushConfigs.list(taskId)).length > maxConfigs) {
    throw invalidField('/pushNotificationConfig', `would be one too many: a task has at most ${maxConfigs}`);
  }
}
