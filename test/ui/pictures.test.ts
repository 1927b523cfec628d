// The pictures of docs/UI.md. `npm run pictures` takes them anew from a seeded service; without it they are checked.
import { mkdir, readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stepCapabilityLabel } from '../../src/contracts/step.ts';
import { postRun, prdDocument } from '../support/runs/new-run.ts';
import { scriptStepWorker } from '../support/runs/scripted-step-worker.ts';
import { chromiumProgram } from '../support/peers/chromium.ts';
import { openMonitor, type Monitor } from './support/monitor.ts';
import { expectNoFaults, settled } from './support/page-view.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'pictures');
const mostBytes = 150_000;
const isTaking = process.env['UPDATE_PICTURES'] === '1' && chromiumProgram !== undefined;

interface Picture {
  readonly path: (monitor: Monitor, runId: string) => string;
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

const pictures: Readonly<Record<string, Picture>> = {
  overview: { path: () => '/v1/monitor/' },
  'questions-phone': { path: ({ seed }) => `/v1/monitor/questions/${seed.tasks.asking}`, width: 390 },
  'task-output': { path: ({ seed }) => `/v1/monitor/tasks/${seed.tasks.running}/output`, theme: 'dark' },
  changes: { path: ({ seed }) => `/v1/monitor/tasks/${seed.tasks.completed}/changes` },
  'run-board': { path: (_, runId) => `/dashboard/ralph/${runId}` },
};

let monitor: Monitor | undefined;
beforeAll(async () => {
  if (isTaking) monitor = await openMonitor();
});
afterAll(async () => monitor?.[Symbol.asyncDispose]());

/** A run of which one story has passed and another is at work. */
async function startedRun({ service }: Monitor): Promise<string> {
  const profile = { name: 'build-2', capabilities: [stepCapabilityLabel], agents: ['claude'], version: '1.2.0' };
  const codebases = [{ name: 'accounts', path: '/srv/accounts' }];
  const worker = await service.worker({ ...profile, codebases }, 'operator');
  const codebaseId = worker.registered.codebases[0]?.codebase_id ?? '';
  const steps = scriptStepWorker(service, { worker, codebaseId }, undefined, 'operator');
  const prd = prdDocument({ project: 'accounts', description: 'People have an account.' });
  const { status, body } = await postRun(service, { codebase_id: codebaseId, prd }, { as: 'operator' });
  expect(status).toBe(201);
  const first = await steps.claimStep('implement');
  await steps.release(first.assignment, {
    result: {
      kind: 'implement',
      agent: 'claude',
      candidate: { commit: '1a2b3c4'.padEnd(40, '0'), tree: '2b3c4d5'.padEnd(40, '0') },
      changed: [{ path: 'src/login.ts', status: 'modified', added: 3, removed: 1 }],
      notes: '',
      patterns: [],
      blocked: null,
      asks: null,
      summary: 'The form is there.',
    },
  });
  await steps.claimStep('implement');
  return body.run_id;
}

/** What an agent wrote so far. */
async function writeOutput({ seed }: Monitor): Promise<void> {
  const text = [
    'The upload has one place: src/upload.ts. It gives up at the first error.',
    '[shell] npm test -- upload',
    '\u001B[32m✓\u001B[0m uploads a file (41 ms)',
    '\u001B[32m✓\u001B[0m refuses a file that is too large (3 ms)',
    '\u001B[31m✗\u001B[0m tries again after a network error (12 ms)',
    '  expected 3 attempts, saw 1',
    '\u001B[1mTests\u001B[0m  \u001B[31m1 failed\u001B[0m, \u001B[32m2 passed\u001B[0m (3)',
    'I write the loop with a pause that doubles, and keep the first error as the cause.',
    '[edit] src/upload.ts',
    '[shell] npm test -- upload',
    '\u001B[1mTests\u001B[0m  \u001B[32m3 passed\u001B[0m (3)',
  ];
  await seed.worker.report(seed.running, [{ type: 'output', n: 3, stream: 'agent', text: `${text.join('\n')}\n` }]);
}

/** Registered for `npm run pictures` alone: a test that is skipped is refused. */
async function takePictures(): Promise<void> {
  if (monitor === undefined) return;
  await mkdir(folder, { recursive: true });
  const [runId] = await Promise.all([startedRun(monitor), writeOutput(monitor)]);
  for (const [name, { path, ...view }] of Object.entries(pictures)) {
    await using shown = await monitor.openPage({ path: path(monitor, runId), ...view });
    await settled(shown);
    await shown.page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined);
    await shown.page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
    expectNoFaults(shown);
  }
}

if (isTaking) it('takes the pictures anew', takePictures);

describe('the pictures of the pages', () => {
  it('are each shown in the documents, and none is larger than 150 kB [ui-12.9.1]', async () => {
    const page = await readFile(join(folder, '..', 'UI.md'), 'utf8');
    const files = await readdir(folder);
    expect(files.toSorted()).toEqual(
      Object.keys(pictures)
        .map((name) => `${name}.png`)
        .toSorted(),
    );
    for (const file of files) {
      expect(page).toContain(`(pictures/${file})`);
      expect((await stat(join(folder, file))).size).toBeLessThan(mostBytes);
    }
  });
});
