// What a push config needs within the transaction that adds it, whether it comes alone or with a message. a2a §1.7.
import type { Caller } from '../model/access/caller.ts';
import type { PushTarget } from '../model/delivery.ts';
import type { Rows } from '../ports/store/store.ts';
import { invalidField } from './routing/invalid-field.ts';

/** Each is sent at each change of status. */
const maxConfigs = 16;

/**
 * Adds a config to a task, or replaces the one of its id. The target has been through `checkPushTarget`.
 * @throws DomainError invalid: the task has too many; the transaction goes back with it
 */
export async function addPushConfig(rows: Rows, caller: Caller, taskId: string, target: PushTarget): Promise<void> {
  await rows.pushConfigs.set(taskId, caller.subject, target);
  if ((await rows.pushConfigs.list(taskId)).length > maxConfigs) {
    throw invalidField('/pushNotificationConfig', `a task has at most ${maxConfigs} of them`);
  }
}
