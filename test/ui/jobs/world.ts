// The data that the jobs find: a seeded tenant whose worker is played, a finished run, and another tenant with a real worker.
import type { AssignmentWire } from '../../../src/contracts/worker.ts';
import { newRunId, openRunSite, prdDocument, storyDocument } from '../../support/runs/new-run.ts';
import { scriptStepWorker } from '../../support/runs/scripted-step-worker.ts';
import { localWorker, script, type LocalWorker } from '../../support/worker/local-worker.ts';
import { until } from '../../support/until.ts';
import { openMonitor, type Monitor } from '../support/monitor.ts';

export interface World extends AsyncDisposable {
  readonly monitor: Monitor;
  /** Runs the agent `command` for tenant `other`, which has no task. */
  readonly worker: LocalWorker;
  readonly runId: string;
  /** A new task of the seeded codebase. */
  task(title: string): Promise<string>;
  /** The played worker takes the task and writes a line. */
  work(id: string, line: string): Promise<AssignmentWire>;
  /** The played worker confirms what it was asked to do. */
  confirm(held: AssignmentWire): Promise<void>;
  /** The played worker is done, and has a slot for another task. */
  finish(held: AssignmentWire): Promise<void>;
  statusOf(id: string): Promise<string>;
  /** A finished task of the real worker, which wrote two lines on a branch. */
  changedTask(title: string): Promise<string>;
}

export async function openWorld(): Promise<World> {
  const monitor = await openMonitor();
  const { service, seed } = monitor;
  const { status } = await service.call('POST', '/v1/auth/tenants', { body: { tenant_id: 'acme', name: 'Acme' } });
  if (status !== 201) throw new Error(`The tenant was answered ${status}.`);
  const [worker, runId] = await Promise.all([
    localWorker(service, { token: service.token('other'), worker_name: 'real' }),
    finishedRun(monitor),
  ]);
  /** By task: its events of this attempt. */
  const written = new Map<string, number>();
  return {
    monitor,
    worker,
    runId,
    async task(title) {
      return (await service.task({ title, codebase_id: seed.codebaseId }, 'operator')).id;
    },
    async work(id, line) {
      const [held] = await seed.worker.claim(1, id);
      if (held === undefined) throw new Error(`${id} was not claimed`);
      await seed.worker.report(held, [{ type: 'output', n: 1, stream: 'agent', text: `${line}\n` }]);
      return held;
    },
    async confirm(held) {
      const asked = await until('the worker is asked for something', async () => {
        const { body } = await seed.worker.heartbeat([held]);
        return body.interventions.length > 0 && body.interventions;
      });
      for (const { id, action } of asked) {
        const n = (written.get(held.task.id) ?? 1) + 1;
        written.set(held.task.id, n);
        const event = { type: 'intervention', n, id, action, status: 'delivered' };
        const { status: answered } = await seed.worker.report(held, [event]);
        if (answered !== 200) throw new Error(`${action} was answered ${answered}.`);
      }
    },
    async finish(held) {
      await seed.worker.release(held, { status: 'completed', result: 'done' });
    },
    async statusOf(id) {
      return (await service.call('GET', `/v1/agent/tasks/${id}`)).body.task.status;
    },
    async changedTask(title) {
      const prompt = script('printf "one\\ntwo\\n" > made.txt');
      const { id } = await service.task({ title, prompt, agent_type: 'command' }, 'other');
      await until(`${title} is done`, async () => {
        const { body } = await service.call('GET', `/v1/agent/tasks/${id}`, { as: 'other' });
        return body.task.status === 'completed';
      });
      return id;
    },
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await monitor[Symbol.asyncDispose]();
    },
  };
}

/** A run of one story that its gate has passed. */
async function finishedRun({ service }: Monitor): Promise<string> {
  const site = await openRunSite(service, 'accounts');
  const steps = scriptStepWorker(service, site);
  const prd = prdDocument({ project: 'Accounts', userStories: [storyDocument('US-001', { dependsOn: [] })] });
  const id = await newRunId(service, { codebase_id: site.codebaseId, prd }, 'operator');
  await steps.workUntil(id, 'completed');
  return id;
}
