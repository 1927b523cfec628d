// The queue with metrics: counts claims and lost leases.
import type { Assignment } from '../../domain/model/task/task.ts';
import type { ClaimParticipant, TaskQueue } from '../../domain/ports/store/queue.ts';

export interface QueueMetrics {
  claimed(assignments: readonly Assignment[]): void;
  leasesLost(count: number): void;
}

/** Delegates each call to `queue`. */
export function instrumentedQueue(queue: TaskQueue, metrics: QueueMetrics): TaskQueue {
  return {
    submit: (tenant, submission) => queue.submit(tenant, submission),
    async claim(tenant, request) {
      const assignments = await queue.claim(tenant, request);
      if (assignments !== undefined) metrics.claimed(assignments);
      return assignments;
    },
    async report(tenant, report) {
      const answer = await queue.report(tenant, report);
      if (answer.verdict === 'lease_lost') metrics.leasesLost(1);
      return answer;
    },
    async finish(tenant, finish) {
      const answer = await queue.finish(tenant, finish);
      if (answer.verdict === 'lease_lost') metrics.leasesLost(1);
      return answer;
    },
    async renew(tenant, request) {
      const renewal = await queue.renew(tenant, request);
      metrics.leasesLost(renewal.lost.length);
      return renewal;
    },
    setClaimParticipant: (idle) => queue.setClaimParticipant(instrumentedIdle(idle, metrics)),
    setDeliveryParticipant: (participants) => queue.setDeliveryParticipant(participants),
  };
}

function instrumentedIdle(idle: ClaimParticipant, metrics: QueueMetrics): ClaimParticipant {
  return {
    prepare: (tenantId, submitted, endedLeases) =>
      idle.prepare(tenantId, submitted, endedLeases).map((slots) => ({
        ...slots,
        settle(assignments) {
          metrics.claimed(assignments);
          slots.settle(assignments);
        },
      })),
  };
}
