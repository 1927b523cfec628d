// Every page of the monitor at the address of a thing that the seeded tenant has.
import { pagePaths } from '../../../src/http/pages/page-paths.ts';
import type { TenantSeed } from './seed.ts';

/** One address for each path of `pagePaths`, in its order. @throws Error for a path whose thing is not known here */
export function pageAddresses(seed: TenantSeed): string[] {
  const things: readonly (readonly [prefix: string, id: string])[] = [
    ['/v1/monitor/questions/', seed.tasks.asking],
    ['/v1/monitor/tasks/', seed.tasks.completed],
    ['/v1/monitor/conversations/', seed.conversationId],
    ['/v1/monitor/fleet/', seed.worker.id],
    ['/v1/monitor/codebases/', seed.codebaseId],
    ['/v1/monitor/funnels/', seed.funnelId],
    ['/v1/monitor/schedules/', seed.cronjobId],
    ['/v1/monitor/objectives/', seed.okrId],
    ['/dashboard/ralph/prd/', seed.prdSessionId],
    ['/dashboard/ralph/', seed.runId],
  ];
  return pagePaths.map((path) => {
    if (path === '/v1/monitor') return '/v1/monitor/';
    if (path.endsWith('/compare')) return `${path}?ids=${seed.tasks.completed},${seed.tasks.failed}`;
    if (!path.includes(':id')) return path;
    const thing = things.find(([prefix]) => path.startsWith(`${prefix}:id`));
    if (thing === undefined) throw new Error(`No thing is known for the page ${path}.`);
    return path.replace(':id', thing[1]).replace(':id', 'US-001');
  });
}
