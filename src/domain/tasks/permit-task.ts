// Who may change a task: its owner, an operator, and a service account whose worker runs it. choices §3, §4.
import { permitOwner } from '../access/permit.ts';
import type { Caller } from '../model/caller.ts';
import type { Task } from '../model/task.ts';
import type { Policy } from '../ports/policy.ts';
import type { Rows } from '../ports/store.ts';

/** @throws DomainError forbidden */
export async function permitTask(policy: Policy, rows: Rows, caller: Caller, task: Task): Promise<void> {
  if (caller.roles.includes('agent') && task.status === 'running' && task.workerId !== null) {
    const worker = await rows.workers.find(task.workerId);
    if (worker?.subject === caller.subject) return;
  }
  await permitOwner(policy, caller, task.createdBy);
}
