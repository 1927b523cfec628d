// A step that names the commits of another tenant: their worker downloads them, that of another tenant finds nothing.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createWorkerClient } from '../../../src/worker/service/client.ts';
import { openService } from '../../support/service.ts';
import { openRunFixture, shellPrompt } from '../../support/worker/run-fixture.ts';
import { implemented, openStepService, openStepWorker } from '../../support/worker/step-workers.ts';

const run = promisify(execFile);

test('a bundle of another tenant is none: the base is missing, and no commit of theirs arrives [runs-6.1.17]', async () => {
  await using service = await openService();
  await using theirs = await openRunFixture();
  await theirs.git('commit', '--quiet', '--allow-empty', '-m', 'first');
  const base = await theirs.git('rev-parse', 'HEAD');
  const bundles = openStepService();
  const made = await openStepWorker(theirs, bundles).run(
    { base, run_base: base },
    { prompt: shellPrompt('echo 1 > a') },
  );
  const candidate = implemented(made.result).candidate?.commit ?? '';

  const worker = await service.worker({}, 'agent');
  const { id: taskId } = await service.task();
  const [held] = await worker.claim(1, taskId);
  if (held === undefined) throw new Error('not claimed');
  const bytes = bundles.bundles.get(made.taskId)?.toString('base64');
  const artifact = { name: 'bundle', artifact_id: 'bundle', mime_type: 'application/x-git-bundle', bytes };
  const released = await worker.release(held, { status: 'completed', result: 'x', artifacts: [artifact] });
  expect(released.status).toBe(200);

  const step = {
    kind: 'check' as const,
    base,
    run_base: base,
    candidate,
    fetch: [{ task_id: taskId, artifact_id: 'bundle', commit: candidate }],
  };
  const check = async (as: 'agent' | 'other'): Promise<{ code: string | undefined; arrived: boolean }> => {
    await using clone = await openRunFixture();
    await run('rm', ['-r', clone.repo]);
    await run('git', ['clone', '--quiet', '--no-local', theirs.repo, clone.repo], { env: clone.env });
    const options = { serverUrl: service.url, token: service.token(as), fetch, userAgent: 'test' };
    const stepWorker = openStepWorker(clone, openStepService(), { client: createWorkerClient(options) });
    const { outcome } = await stepWorker.run(step);
    const arrived = await clone.git('cat-file', '-e', candidate).then(
      () => true,
      () => false,
    );
    return { code: outcome.error?.code, arrived };
  };
  expect(await check('agent')).toEqual({ code: undefined, arrived: true });
  expect(await check('other')).toEqual({ code: 'base_missing', arrived: false });
});
