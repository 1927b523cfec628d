// Dependencies of the verbs of PRD chats.
import type { ActingDeps } from '../../access/acting-owner.ts';
import type { MakeId } from '../../../lib/uuid7.ts';
import type { Policy } from '../../ports/policy.ts';
import type { Store } from '../../ports/store/store.ts';
import type { WakeBus } from '../../ports/wake.ts';
import type { WorkerDirectory } from '../../tasks/routing/worker-directory.ts';

export interface PrdChatDeps extends ActingDeps {
  readonly store: Store;
  readonly wake: WakeBus;
  readonly workerDirectory: WorkerDirectory;
  readonly policy: Policy;
  readonly makeId: MakeId;
  /** False: no session begins and no message is taken; reading goes on. */
  readonly enabled: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The agent that answers; undefined: `model` where a worker has it, else the worker's first. */
  readonly chatAgent: string | undefined;
  /** The longest wait of a call for the answer of its turn. */
  readonly answerWaitMs: number;
}

/** The topic of tasks that answer turns. */
export const prdTopic = 'prd_turn';
