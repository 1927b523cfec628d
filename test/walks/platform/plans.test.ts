// Plans that make tasks later: an objective that agents work on, and a cron job.
import { expect } from 'vitest';
import type { OkrWire } from '../../../src/contracts/okr/okr.ts';
import { startScriptedModel } from '../../support/agents/scripted-model.ts';
import { until } from '../../support/until.ts';
import { script } from '../../support/worker/local-worker.ts';
import { fileOnBranch } from '../support/repository.ts';
import type { WalkContext } from '../support/walk-context.ts';
import { walks } from '../support/walk.ts';

async function cli(on: WalkContext, ...args: string[]): Promise<string> {
  const { code, out, err } = await on.cli('editor', ...args);
  expect([code, err]).toEqual([0, '']);
  return out;
}

const okrOf = async (on: WalkContext, id: string): Promise<OkrWire> => (await on.must(200, 'GET', `/v1/okr/${id}`)).okr;

walks('plans', { on: ['replicas'] }, (walk) => {
  walk(
    ['okr-run'],
    'agents work on an objective: one leaves its report as a file, one that only reads ends its answer with it [platform-10.5, platform-10.4]',
    async (on) => {
      const { repository, codebaseId } = await on.workplace();
      const keyResult = 'lines of the list=0..4 lines';
      const made = await cli(
        on,
        'okr',
        'create',
        'A longer list',
        '--key-result',
        keyResult,
        '--codebase',
        codebaseId,
        '--json',
      );
      const { okr_id: id } = JSON.parse(made).okr;
      await cli(on, 'okr', 'approve', id, '--reason', 'the list is too short');
      const instructions = script(
        'printf "a\\nb\\n" > list.txt',
        'n=$(wc -l < list.txt | tr -d " ")',
        'printf \'{"summary": "%s lines", "evidence": ["wc -l list.txt"], "current": %s}\' "$n" "$n" > "$SWITCHYARD_ARTIFACTS/okr-progress.json"',
      );
      const followed = await cli(on, 'okr', 'run', id, '--instructions', instructions, '--watch');
      expect(followed).toMatch(/completed {3}lines of the list {2}0 % to 50 %/);
      expect(followed).toMatch(/completed\n$/);
      const half = await okrOf(on, id);
      expect(half).toMatchObject({
        status: 'running',
        progress: 50,
        key_results: [{ current: 2, status: 'in-progress' }],
      });
      const [first] = (await on.must(200, 'GET', `/v1/okr/${id}/runs`)).runs;
      const taskId: string = first.items[0].task_id;
      expect(await fileOnBranch(repository, taskId, 'list.txt')).toBe('a\nb');
      expect(await on.diff(taskId)).not.toContain('.switchyard');

      const model = on.use(
        await startScriptedModel([
          () => ({
            reply:
              'It has four.\n\n```okr-progress\n{"summary": "counted", "evidence": ["list.txt"], "current": 4}\n```',
          }),
        ]),
      );
      const reader = await on.workplace({
        env: {
          A2A_AGENT_BIN: 'model',
          MODEL_PROVIDER_ENDPOINT: `${model.url}/v1`,
          MODEL_PROVIDER_API_KEY: 'key-of-the-scripted-model',
          MODEL_DEPLOYMENT_NAME: 'scripted',
        },
      });
      await cli(on, 'okr', 'run', id, '--codebase', reader.codebaseId, '--agent-type', 'explore', '--watch');
      expect(model.requests.at(-1)?.raw).toContain('2 lines');
      expect(await okrOf(on, id)).toMatchObject({ status: 'completed', progress: 100, open_run_id: null });
    },
  );

  walk(['cron-run'], 'a cron job makes a task that a worker does when its time comes', async (on) => {
    const { codebaseId } = await on.workplace();
    const prompt = script('echo the cron job was here');
    const made = await cli(
      on,
      'cron',
      'create',
      'often',
      '* * * * *',
      '--codebase',
      codebaseId,
      '--prompt',
      prompt,
      '--json',
    );
    const { cronjob_id: id } = JSON.parse(made).cronjob;
    const { database } = on.deployment;
    // Its due time has come.
    await database.query(`update cronjobs set due_at = now() - interval '1 second' where cronjob_id = $1`, [id]);
    const ran = await until('the due time has its task', async () => {
      const { runs } = await on.must(200, 'GET', `/v1/cronjobs/${id}/runs`);
      return runs[0];
    });
    await on.completed(ran.task_id);
    expect(await on.output(ran.task_id)).toContain('the cron job was here');
    await until('the run has ended', async () => {
      const { runs } = await on.must(200, 'GET', `/v1/cronjobs/${id}/runs`);
      return runs[0].status === 'completed';
    });
    await cli(on, 'cron', 'disable', id);
  });
});
