// Status of the service's background loops: their leaders and last results. choices-10.
import { cognitionStatus } from '../../../contracts/cognition.ts';
import type { LoopStatus } from '../../../domain/ports/loop-leaders.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';

export interface CognitionDeps {
  readonly loops: { status(): Promise<LoopStatus[]> };
  readonly isRunning: () => boolean;
}

export function cognitionOperations({ loops, isRunning }: CognitionDeps): Operation[] {
  return [
    operation({
      name: 'cognition.status',
      method: 'GET',
      path: '/v1/cognition/status',
      summary: 'List the background loops and the replicas that run them.',
      permission: 'monitor:read',
      answers: { 200: cognitionStatus },
      run: async () => {
        const entries = (await loops.status()).map((loop) => ({
          name: loop.name,
          leader: loop.leader ?? null,
          interval_seconds: loop.intervalSeconds,
          last_tick_at: loop.lastTickAt ?? null,
          last_error: loop.lastError ?? null,
          ticks: loop.ticks,
        }));
        return { status: 200, body: { enabled: true, running: isRunning(), loops: entries } };
      },
    }),
  ];
}
