// The commands of the cluster, against a service in a forged cluster.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { command } from '../../support/process/cli-io.ts';
import { ForgedApi } from '../../support/cluster/forged-api.ts';
import { openReplica } from '../../support/cluster/scene.ts';
import type { TestService } from '../../support/service.ts';

const opened = new AsyncDisposableStack();
let forged: ForgedApi;
let service: TestService;
let names: string[];
beforeAll(async () => {
  forged = opened.use(await ForgedApi.open(3));
  names = await forged.pods();
  service = opened.use(await openReplica(forged, { pod: names[0] ?? '' }));
});
afterAll(() => opened.disposeAsync());

const run = (...args: string[]) =>
  command(['cluster', ...args, '--url', service.url], { env: { SWITCHYARD_TOKEN: service.token('admin') } });

it('cluster status shows the Deployment and a row for each pod [platform-1.5.11]', async () => {
  await forged.setPod(names[2] ?? '', 'crash_loop');
  const { code, out } = await run('status');
  expect(code).toBe(0);
  expect(out).toMatch(/^namespace +forged\npod +switchyard-\S+\ndeployment +switchyard, 2 of 3 ready/);
  expect(out).toContain('last check  none yet\n');
  expect(out).toMatch(/\nPOD +PHASE +READY +RESTARTS +AGE +NODE +CURRENT +UNHEALTHY\n/);
  expect(out).toMatch(/-00003 +Running +no +1 +10 min +- +yes +crash_loop\n/);
  expect(JSON.parse((await run('status', '--json')).out)).toMatchObject({ in_cluster: true, namespace: 'forged' });
});

it('cluster reconcile and health restart what is unhealthy, and end with 6 where everything is held back [platform-1.5.11]', async () => {
  const done = await run('reconcile');
  expect([done.code, done.out]).toEqual([
    0,
    expect.stringMatching(
      /^manifest: none\nchecked 3 pods, 1 unhealthy\nunhealthy {2}\S+-00003 {2}crash_loop since \S+\nrestarting {2}\S+-00003\n$/,
    ),
  ]);
  await forged.heal();
  await forged.setPod(names[1] ?? '', 'cannot_start');
  const held = await run('health');
  expect([held.code, held.out]).toEqual([6, expect.stringContaining(`held back  ${names[1]}  cannot_start\n`)]);
  expect((await run('status')).out).toMatch(
    /last check +acted, \d+ s ago by \S+; 1 of 3 unhealthy; restarted \S+-00003\n/,
  );
  const all = await run('health', '--restart-all', '--json');
  expect(JSON.parse(all.out)).toMatchObject({ action: 'health', accepted: true });
});

it('cluster scale says what it changed, and what it may not [platform-1.5.11]', async () => {
  expect((await run('scale', '4')).out).toBe('scaled switchyard from 3 to 4\n');
  expect((await run('scale', '4')).out).toBe('switchyard has 4 replicas already\n');
  const none = await run('scale', '0');
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('use kubectl')]);
});
