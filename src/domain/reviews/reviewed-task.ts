// Finds what a follow-up builds on: the branch of the reviewed task, the worker that holds it, the agent's session.
import { isGitUrl } from '../../lib/text/git-url.ts';
import { findResumption, type Resumption } from '../conversations/sessions.ts';
import type { Task } from '../model/task/task.ts';
import type { Rows } from '../ports/store/store.ts';
import { readArtifactContent } from '../tasks/artifacts.ts';

export interface ReviewedTask {
  /** Undefined: the attempt left no branch. */
  readonly branch: TaskBranch | undefined;
  /** The worker that has the changes and no other place; undefined: they were pushed, there are none, or it is gone. */
  readonly holderId: string | undefined;
  /** Undefined: the session cannot be resumed. */
  readonly session: Resumption | undefined;
}

interface TaskBranch {
  readonly name: string;
  readonly commit: string | undefined;
  readonly isPushed: boolean;
}

export async function inspectReviewed(rows: Rows, task: Task): Promise<ReviewedTask> {
  const artifacts = await rows.tasks.artifacts(task.id);
  const newest = artifacts.findLast(({ name }) => name === 'branch');
  const content = newest === undefined ? undefined : await readArtifactContent(rows, task.id, newest);
  const branch = parseBranch(content?.data);
  const hasChanges = artifacts.some(({ name }) => name === 'diff');
  const worker = task.workerId === null ? undefined : await rows.workers.find(task.workerId);
  const isHeld = hasChanges && branch?.isPushed !== true && worker !== undefined && worker.status !== 'unregistered';
  return {
    branch,
    holderId: isHeld ? worker.workerId : undefined,
    session: await findSession(rows, task),
  };
}

/** The session of the task's agent, while the worker that has it is there. */
async function findSession(rows: Rows, task: Task): Promise<Resumption | undefined> {
  if (task.codebaseId === null) return undefined;
  const session = await findResumption(rows, task.codebaseId, task.conversationId ?? task.attemptId);
  return session?.workerId === null ? undefined : session;
}

/** A worker's artifact `branch`; the worker checks the name again before it starts from it. */
function parseBranch(data: unknown): TaskBranch | undefined {
  if (typeof data !== 'object' || data === null || !('branch' in data)) return undefined;
  const { branch } = data;
  if (typeof branch !== 'string' || !/^[^\p{Cc}\s-][^\p{Cc}\s]{0,249}$/u.test(branch)) return undefined;
  const commit = 'commit' in data && typeof data.commit === 'string' ? data.commit : undefined;
  const isPushed = 'repository' in data && typeof data.repository === 'string' && isGitUrl(data.repository);
  return {
    name: branch,
    commit: commit !== undefined && /^[0-9a-f]{7,64}$/.test(commit) ? commit : undefined,
    isPushed,
  };
}
