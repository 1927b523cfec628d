// The queue with its claims and lost leases told to whoever measures.
import type { Assignment } from '../../domain/model/task/task.ts';
import type { IdleWorkers, TaskQueue } from '../../domain/ports/store/queue.ts';

export interface QueueTally {
  claimed(assignments: readonly Assignment[]): void;
  leasesLost(count: number): void;
}

/** Does what `queue` does. */
export function measuredQueue(queue: TaskQueue, tally: QueueTally): TaskQueue {
  return {
    submit: (tenant, submission) => queue.submit(tenant, submission),
    async claim(tenant, request) {
      const assignments = await queue.claim(tenant, request);
      if (assignments !== undefined) tally.claimed(assignments);
      return assignments;
    },
    async report(tenant, report) {
      const answer = await queue.report(tenant, report);
      if (answer.verdict === 'lease_lost') tally.leasesLost(1);
      return answer;
    },
    async finish(tenant, finish) {
      const answer = await queue.finish(tenant, finish);
      if (answer.verdict === 'lease_lost') tally.leasesLost(1);
      return answer;
    },
    async renew(tenant, request) {
      const renewal = await queue.renew(tenant, request);
      tally.leasesLost(renewal.lost.length);
      return renewal;
    },
    serveIdle: (idle) => queue.serveIdle(measuredIdle(idle, tally)),
    carry: (rides) => queue.carry(rides),
  };
}

function measuredIdle(idle: IdleWorkers, tally: QueueTally): IdleWorkers {
  return {
    reserve: (tenantId, submitted, endedLeases) =>
      idle.reserve(tenantId, submitted, endedLeases).map((slots) => ({
        ...slots,
        settle(assignments) {
          tally.claimed(assignments);
          slots.settle(assignments);
        },
      })),
  };
}
