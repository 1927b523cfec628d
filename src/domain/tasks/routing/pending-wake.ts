// Builds the hint that a task waits for a worker.
import type { RouteNeeds } from '../../model/task/task.ts';
import type { Wake } from '../../ports/wake.ts';

export function pendingWake(tenantId: string, task: RouteNeeds & { id: string; priority: number }): Wake {
  const { codebaseId, requiredCapabilities, targetAgent, targetWorkerId } = task;
  const needs = { codebaseId, requiredCapabilities, targetAgent, targetWorkerId };
  return { kind: 'pending', tenantId, taskId: task.id, priority: task.priority, needs };
}
