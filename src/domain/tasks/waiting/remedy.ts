// Remedies of tasks that wait: each is one sentence with the command. ui-6.1, ui-6.7.
import { unreachable } from '../../../lib/net/unreachable.ts';
import type { WaitingReason } from '../../model/task/route.ts';
import type { RouteNeeds } from '../../model/task/task.ts';
import type { TaskStatus } from '../../model/task/task-state.ts';

/**
 * @param taskId the waiting task; undefined for a route or a draft
 * @returns one sentence with a command of the command line
 */
export function remedyFor(reason: WaitingReason, needs: RouteNeeds, taskId?: string): string {
  const watch = taskId === undefined ? 'switchyard task list --status running' : `switchyard task watch ${taskId}`;
  const isGlobal = needs.codebaseId === 'global';
  const start = isGlobal ? 'switchyard worker --global true' : 'switchyard worker --codebase FOLDER';
  switch (reason) {
    case 'no_codebase':
      return 'Cancel it and create it again with a codebase: `switchyard task create --codebase NAME PROMPT`.';
    case 'no_worker_for_codebase':
      return `Start a worker that has this codebase: \`${start}\`.`;
    case 'no_such_agent':
      return `Start a worker with this name or agent: \`${start} --worker-name ${shellWord(needs.targetAgent ?? 'NAME')}\`.`;
    case 'no_worker_with_capability':
      return `Start a worker with these capabilities: \`${start} --capabilities ${shellWord(needs.requiredCapabilities.join(','))}\`.`;
    case 'no_such_worker':
      return `Start the worker ${needs.targetWorkerId ?? ''} again on its machine under the same name: \`switchyard worker\`.`;
    case 'worker_offline':
      return 'Start the worker that is offline again, on its machine: `switchyard worker`.';
    case 'workers_busy':
      return `Wait until a slot is free, or start another worker: \`${start}\`.`;
    case 'held_back':
      return `Wait, for a worker that gave it back may have it again within a minute: \`${watch}\`.`;
    case 'refused_by_worker':
      return `Start a worker that serves the folder, for every one with this codebase refused it: \`${start}\`.`;
    case 'claimable':
      return `Wait a moment, for a worker with a free slot takes it: \`${watch}\`.`;
    default:
      return unreachable(reason);
  }
}

/** The next thing to do with a task that does not wait for a worker. */
export function remedyOfStatus(status: Exclude<TaskStatus, 'pending'>, taskId: string): string {
  switch (status) {
    case 'running':
      return `It runs and waits for nothing: \`switchyard task watch ${taskId}\`.`;
    case 'needs_input':
      return `Answer the question of its agent: \`switchyard task answer ${taskId} ANSWER\`.`;
    default:
      return `It is ${status}; to do it again, retry it: \`switchyard task retry ${taskId}\`.`;
  }
}

/** One word of a POSIX shell. Names are texts of callers: whoever pastes the command must not run them. */
function shellWord(text: string): string {
  if (/^[\w.:@%+=,/][\w.:@%+=,/-]*$/.test(text)) return text;
  return `'${text.replaceAll(/\p{C}/gu, '?').replaceAll('`', '?').replaceAll("'", `'\\''`)}'`;
}
