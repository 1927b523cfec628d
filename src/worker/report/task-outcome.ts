// The result of an attempt, for its report: the outcome of its task, and the facts about its agent's session.
import type { Release } from '../../contracts/worker.ts';
import type { AgentUsage, ToolCounts } from '../agents/adapter/adapter.ts';

/** The body of a task's release. After a lost lease nothing is released any more. */
export type TaskOutcome = Omit<Release, 'lease_token'>;

/** Facts about the agent's session after an attempt. core-2.7. */
export interface SessionFacts {
  /** The agent's own id of it; undefined where it cannot be resumed. */
  readonly session: string | undefined;
  /** Total usage of that session, only of agents that count by session. */
  readonly sessionUsage?: AgentUsage | undefined;
  readonly tools: ReadonlyMap<string, ToolCounts>;
}
