// Hints that something was committed: they carry ids only, may be lost, and never replace a look at the log.
import type { RouteNeeds } from '../model/task/task.ts';

export type Wake =
  /** A task's log has grown. */
  | { readonly kind: 'task'; readonly tenantId: string; readonly taskId: string }
  /** A task waits for a worker that may serve these needs. */
  | {
      readonly kind: 'pending';
      readonly tenantId: string;
      readonly taskId: string;
      readonly priority: number;
      readonly needs: RouteNeeds;
    }
  /** Some task waits that workers of a codebase may serve: what the broker knows of it, and no more. */
  | { readonly kind: 'route'; readonly tenantId: string; readonly codebaseId: string }
  /** A worker must kill what it runs for this task. */
  | { readonly kind: 'cancel'; readonly tenantId: string; readonly workerId: string; readonly taskId: string }
  /** Somebody told a task that this worker runs something. */
  | { readonly kind: 'intervention'; readonly tenantId: string; readonly workerId: string }
  /** A run is over, whatever became of it: the slot of whoever held this lease is free. */
  | { readonly kind: 'slot'; readonly tenantId: string; readonly leaseToken: string }
  /** What a worker's heartbeat says, for the replica that its push channel is connected to. */
  | {
      readonly kind: 'heartbeat';
      readonly tenantId: string;
      readonly workerId: string;
      readonly slotsFree: number;
      /** Ids of the tasks it works on. */
      readonly running: readonly string[];
    }
  /** A worker opened its push channel: an older one at another replica is dead, whatever its socket says. */
  | { readonly kind: 'connected'; readonly tenantId: string; readonly workerId: string; readonly since: number }
  /** This worker of a tenant changed, and no other; without a name workers or codebases did, nobody says which. */
  | { readonly kind: 'workers'; readonly tenantId: string; readonly workerId?: string };

export interface WakeBus {
  /** Tells this process at once, and every other replica soon (many hints share one message). */
  announce(wake: Wake): void;
  /** Hears every hint of this and other replicas; answers how to stop hearing. */
  listen(listener: (wake: Wake) => void): () => void;
}
