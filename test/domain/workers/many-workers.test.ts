// Many workers of one tenant: what each costs the others is counted in rows, so that no machine's speed decides.
import { describe, expect, it } from 'vitest';
import type { RoutableWorker } from '../../../src/domain/model/task/route.ts';
import type { Store } from '../../../src/domain/ports/store/store.ts';
import { registerCodebase } from '../../../src/domain/codebases/register.ts';
import { removeCodebase } from '../../../src/domain/codebases/manage.ts';
import { viewTask } from '../../../src/domain/tasks/read.ts';
import { WorkerDirectory } from '../../../src/domain/tasks/routing/worker-directory.ts';
import { Dispatcher } from '../../../src/domain/workers/dispatcher.ts';
import { openPushChannel } from '../../../src/domain/workers/push.ts';
import type { PushChannel } from '../../../src/domain/workers/push-channel.ts';
import { registerWorker } from '../../../src/domain/workers/register.ts';
import { callerOf, openVerbs, type Verbs } from '../../support/verbs.ts';
import { until } from '../../support/until.ts';
import { agent, editor } from '../../support/queue/queue-driver.ts';
import { overrideRows } from '../../support/database/override-rows.ts';
import { useQueueFixture } from '../../support/queue/queue-fixture.ts';

const fixture = useQueueFixture();
const workerCount = 40;

interface Read {
  probes: number;
  rows: number;
}

/** The store, and how often workers were read for routing, and how many. */
function counting(store: Store): { store: Store; read: Read } {
  const read = { probes: 0, rows: 0 };
  const counted = (workers: RoutableWorker[]): RoutableWorker[] => {
    read.probes += 1;
    read.rows += workers.length;
    return workers;
  };
  return {
    read,
    store: {
      ping: () => store.ping(),
      within: (tenant, work) =>
        store.within(tenant, (rows) => {
          const routable = async (ids?: readonly string[]): Promise<RoutableWorker[]> =>
            counted(await rows.workers.routable(ids));
          return work(overrideRows(rows, { workers: { ...rows.workers, routable } }));
        }),
    },
  };
}

/** A dispatcher and a worker directory on one replica, with their reads counted. */
function watched(verbs: Verbs): { dispatcher: Dispatcher; workerDirectory: WorkerDirectory; read: Read } & Disposable {
  const { store, read } = counting(verbs.store);
  const log = (line: string): void => void verbs.logged.push(line);
  const dispatcher = new Dispatcher({
    ...verbs,
    store,
    elapsedMs: () => performance.now(),
    silentAfterMs: 60_000,
    log,
  });
  verbs.participants.claims = dispatcher;
  return {
    dispatcher,
    workerDirectory: new WorkerDirectory(store, verbs.wake, () => 0),
    read,
    [Symbol.dispose]: () => dispatcher[Symbol.dispose](),
  };
}

async function register(verbs: Verbs, name: string, capabilities: string[] = []): Promise<string> {
  const profile = { name, capabilities, hostname: '', version: '', agents: [], models: [], slots: 1 };
  const codebases = [{ codebaseId: 'global', name: 'global', path: '/', description: '', exclusive: false }];
  return (await registerWorker(verbs, agent, profile, codebases)).worker.workerId;
}

async function registerManyWorkers(verbs: Verbs, capabilities: string[] = []): Promise<string[]> {
  const names = Array.from({ length: workerCount }, (_, i) => `one of many ${i}`);
  return Promise.all(names.map((name) => register(verbs, name, capabilities)));
}

describe('many workers that register', () => {
  it('are not read again for each other, connected or not', async () => {
    const { verbs } = fixture();
    using eye = watched(verbs);
    await registerManyWorkers(verbs);
    expect(eye.read).toEqual({ probes: 0, rows: 0 });
    const ids = await registerManyWorkers(verbs);
    const channels = await Promise.all(ids.map((id) => openPushChannel({ ...verbs, ...eye }, agent, id, 0, 15_000)));
    const connecting = { ...eye.read };
    // Each says anew what it can do: one look for what changed while the look before was under way.
    await registerManyWorkers(verbs, ['ears']);
    await until('all are known with what they can do', () =>
      channels.every(({ worker }) => worker.capabilities.includes('ears')),
    );
    expect(eye.read.rows - connecting.rows).toBeLessThanOrEqual(2 * workerCount);
    for (const channel of channels) eye.dispatcher.disconnect(channel);
  });

  it('are known to another replica, which reads each no more often than it got hints', async () => {
    const { db, verbs } = fixture();
    await using there = await openVerbs(db);
    using eye = watched(there);
    const ids = await registerManyWorkers(verbs);
    const channels = await Promise.all(ids.map((id) => openPushChannel({ ...there, ...eye }, agent, id, 0, 15_000)));
    const before = eye.read.rows;
    await registerManyWorkers(verbs, ['eyes']);
    await until('all are known over there', () => channels.every(({ worker }) => worker.capabilities.includes('eyes')));
    expect(eye.read.rows - before).toBeLessThanOrEqual(2 * workerCount);
    for (const channel of channels) eye.dispatcher.disconnect(channel);
  });

  it('cost whoever asks why a task waits one row each', async () => {
    const { verbs, driver } = fixture();
    using eye = watched(verbs);
    const task = await driver.submit('global', { targetAgent: 'nobody' });
    const view = (): Promise<unknown> => viewTask({ ...verbs, workerDirectory: eye.workerDirectory }, editor, task.id);
    await view();
    const before = eye.read.rows;
    for (let i = 0; i < workerCount; i++) {
      await register(verbs, `one of many ${i}`);
      expect(await view()).toMatchObject({ waitingReason: 'no_such_agent' });
    }
    expect(eye.read.rows - before).toBe(workerCount);
    // And nothing while nothing changes.
    await Promise.all(Array.from({ length: workerCount }, view));
    expect(eye.read.rows - before).toBe(workerCount);
  });
});

describe('a codebase that changes', () => {
  it('is seen by all connected workers, and costs nothing for those that are not', async () => {
    const { verbs } = fixture();
    const operator = callerOf('operator');
    using eye = watched(verbs);
    const ids = await registerManyWorkers(verbs);
    const channels: PushChannel[] = await Promise.all(
      ids.slice(0, 4).map((id) => openPushChannel({ ...verbs, ...eye }, agent, id, 0, 15_000)),
    );
    const before = { ...eye.read };
    const bound = await Promise.all(
      ids
        .slice(0, 4)
        .map((workerId, i) =>
          registerCodebase(verbs, operator, { name: 'app', path: `/app/${i}`, description: '', workerId }),
        ),
    );
    const made = bound.map((one) => (one.kind === 'bound' ? one.codebase.codebaseId : ''));
    await until('each serves its own', () =>
      channels.every(({ worker }, i) => worker.servedCodebaseIds.has(made[i] ?? '')),
    );
    await Promise.all(made.map((id) => removeCodebase(verbs, operator, id)));
    await until('none is served', () =>
      channels.every(({ worker }, i) => !worker.servedCodebaseIds.has(made[i] ?? '')),
    );
    // Those connected here alone, whoever else is registered.
    expect(eye.read.rows - before.rows).toBe(4 * (eye.read.probes - before.probes));
    for (const channel of channels) eye.dispatcher.disconnect(channel);
  });
});
