// Dependencies of the verbs that change runs.
import type { TenantScope } from '../../model/access/caller.ts';
import type { Rows } from '../../ports/store/store.ts';
import type { TaskDeps } from '../../tasks/deps.ts';

/** The settings of runs. runs-6. */
export interface RunSettings {
  /** False: nothing new starts; reading goes on. */
  readonly enabled: boolean;
  readonly maxIterations: number;
  readonly maxParallel: number;
  readonly commitOnPass: boolean;
  readonly commitProgress: boolean;
  readonly branchPrefix: string;
  readonly maxRunSeconds: number;
  readonly bundleMaxBytes: number;
}

/** A wish of a person for a run. `look`: the director decides about the rows that a verb has written. */
export type RunWish =
  | { readonly wish: 'cancel'; readonly reason: string }
  | { readonly wish: 'pause'; readonly mode: 'after_step' | 'now' }
  | { readonly wish: 'resume' }
  | { readonly wish: 'commit' }
  | { readonly wish: 'look' };

/** Decides at once what a person wants of a run, as the director decides. runs-7. */
export interface RunDecisions {
  /**
   * Decides about a run that the caller's transaction has locked, and applies the effects in that transaction.
   * @param ownerMayAct the verdict on the owner; undefined: it is found within the transaction
   * @returns announces the changes: call it after the commit
   * @throws OwnerUndecided; DomainError conflict where a step cannot be created
   */
  settle(
    rows: Rows,
    tenant: TenantScope,
    runId: string,
    wish: RunWish,
    ownerMayAct: boolean | undefined,
  ): Promise<() => void>;
}

export interface RunDeps extends Pick<TaskDeps, 'store' | 'policy' | 'wake' | 'makeId' | 'egress'> {
  readonly decisions: RunDecisions;
  readonly settings: RunSettings;
  readonly now: () => number;
}
