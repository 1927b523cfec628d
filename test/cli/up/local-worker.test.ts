// How `up` sets up its local worker.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planLocalWorker, type LocalWorkerPlan } from '../../../src/cli/up/local-worker.ts';
import { commandIo } from '../../support/process/cli-io.ts';
import { workerFolder, type Folder } from '../../support/worker/local-worker.ts';

let folder: Folder;
beforeAll(async () => {
  folder = await workerFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

function plan(env: NodeJS.ProcessEnv = {}): Promise<LocalWorkerPlan> {
  const io = commandIo(['up'], { env, cwd: folder.path });
  return planLocalWorker(io, { codebases: [], dataDir: join(folder.path, 'data'), token: 'a-token-of-the-worker' });
}

describe('the local worker of up', () => {
  it('opens all folders of the machine to operators, unless its settings name roots [choices-3.137]', async () => {
    expect((await plan()).env['A2A_WORKER_CODEBASE_ROOTS']).toBe('*');
    expect((await plan({ A2A_WORKER_CODEBASE_ROOTS: '/srv' })).env['A2A_WORKER_CODEBASE_ROOTS']).toBe('/srv');
  });
});
