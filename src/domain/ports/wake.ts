// Hints that something was committed. They carry ids only, may be lost, and never replace a read of the log.
import type { RouteNeeds } from '../model/task/task.ts';

export type Wake =
  /** A task's log has grown. */
  | { readonly kind: 'task'; readonly tenantId: string; readonly taskId: string }
  /** The log of a run has grown. */
  | { readonly kind: 'run'; readonly tenantId: string; readonly runId: string }
  /** Something began or ceased to wait for a person, and no other hint says so. */
  | { readonly kind: 'attention'; readonly tenantId: string }
  /** A task waits for a worker that may serve these needs. */
  | {
      readonly kind: 'pending';
      readonly tenantId: string;
      readonly taskId: string;
      readonly priority: number;
      readonly needs: RouteNeeds;
    }
  /** A task waits for workers of a codebase; the broker carries no more than this. */
  | { readonly kind: 'route'; readonly tenantId: string; readonly codebaseId: string }
  /** A worker must stop its run of this task. */
  | { readonly kind: 'cancel'; readonly tenantId: string; readonly workerId: string; readonly taskId: string }
  /** A task that this worker runs has a new intervention. */
  | { readonly kind: 'intervention'; readonly tenantId: string; readonly workerId: string }
  /** An attempt has ended, with any outcome: the slot of this lease is free. */
  | { readonly kind: 'slot'; readonly tenantId: string; readonly leaseToken: string }
  /** A worker's heartbeat, for the replica that has its push channel. */
  | {
      readonly kind: 'heartbeat';
      readonly tenantId: string;
      readonly workerId: string;
      readonly slotsFree: number;
      /** Ids of the tasks that it runs. */
      readonly running: readonly string[];
    }
  /** A worker opened its push channel: an older one at another replica is dead, even if its socket is open. */
  | { readonly kind: 'connected'; readonly tenantId: string; readonly workerId: string; readonly since: number }
  /** This worker changed; without an id, workers or codebases of the tenant changed and it is unknown which. */
  | { readonly kind: 'workers'; readonly tenantId: string; readonly workerId?: string };

export interface WakeBus {
  /** Notifies this process at once, and every other replica soon (many hints share one message). */
  announce(wake: Wake): void;
  /** Receives every hint of this and other replicas. @returns a function that stops it */
  listen(listener: (wake: Wake) => void): () => void;
}
