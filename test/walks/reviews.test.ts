// Reviews of what agents made: comments on lines, and the follow-up that works on top of the reviewed branch.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { TaskWire } from '../../src/contracts/task.ts';
import { startScriptedModel } from '../support/agents/scripted-model.ts';
import { script } from '../support/worker/local-worker.ts';
import { fileOnBranch } from './support/repository.ts';
import { walks } from './support/walk.ts';

async function git(cwd: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)('git', args, { cwd, timeout: 60_000 })).stdout.trim();
}

walks('reviews', { on: ['replicas'] }, (walk) => {
  walk(
    ['task-review'],
    'the agent gets the comments with their lines, and works on the commit that was reviewed [ui-6.6.9]',
    async (on) => {
      const model = on.use(
        await startScriptedModel([
          ({ raw, results }) => {
            const operator = raw.includes('was reviewed') ? '+' : '-';
            if (results > 0) return { reply: 'It is done.' };
            return { write: 'sum.js', content: `export const sum = (a, b) => a ${operator} b;\n` };
          },
        ]),
      );
      const env = {
        A2A_AGENT_BIN: 'model',
        MODEL_PROVIDER_ENDPOINT: `${model.url}/v1`,
        MODEL_PROVIDER_API_KEY: 'key-of-the-scripted-model',
        MODEL_DEPLOYMENT_NAME: 'scripted',
      };
      const { worker, repository, codebaseId } = await on.workplace({ env });
      const body = { title: 'Write sum', prompt: 'Write sum.js.', codebase_id: codebaseId };
      const first: TaskWire = (await on.must(201, 'POST', '/v1/agent/tasks', { body })).task;
      await on.completed(first.id);
      const where = `/v1/agent/tasks/${first.id}`;
      expect((await on.must(200, 'GET', `${where}/changes`)).files).toMatchObject([
        { path: 'sum.js', status: 'added', added: 1, removed: 0 },
      ]);
      const comments = [{ path: 'sum.js', side: 'new', line: 1, text: 'This subtracts.' }];
      await on.must(200, 'PUT', `${where}/review`, { body: { comments, viewed: ['sum.js'] } });
      const headers = { 'idempotency-key': first.id };
      const { task } = await on.must(201, 'POST', `${where}/follow-up`, { body: { comments }, headers });
      const again = await on.must(201, 'POST', `${where}/follow-up`, { body: { comments }, headers });
      expect(again.task.id).toBe(task.id);
      await on.completed(task.id);
      expect(model.requests.at(-1)?.raw).toContain('> export const sum = (a, b) => a - b;');
      expect(await on.get(task.id)).toMatchObject({
        follows: first.id,
        conversation_id: first.id,
        worker_id: worker.id,
        metadata: { git_base: `switchyard/${first.id}` },
      });
      expect(await fileOnBranch(repository, task.id, 'sum.js')).toBe('export const sum = (a, b) => a + b;');
      // The first branch is untouched, and the second one stands on it.
      expect(await fileOnBranch(repository, first.id, 'sum.js')).toBe('export const sum = (a, b) => a - b;');
      expect(await git(repository, 'rev-parse', `switchyard/${task.id}^`)).toBe(
        await git(repository, 'rev-parse', `switchyard/${first.id}`),
      );
      expect(await on.diff(task.id)).toContain('-export const sum = (a, b) => a - b;');
      expect((await on.must(200, 'GET', `${where}/review`)).review.comments).toEqual([]);
    },
  );

  walk(
    ['task-review'],
    'a review goes from the command line, and its attempts are listed there [ui-6.5.6]',
    async (on) => {
      const { repository, codebaseId } = await on.workplace();
      const first = await on.task(codebaseId, ['printf "one\\ntwo\\n" > made.txt']);
      await on.completed(first);
      const comment = `made.txt:2: ${script('sed -i s/two/three/ made.txt')}`;
      const sent = await on.cli(
        'editor',
        'task',
        'review',
        first,
        '--comment',
        comment,
        '--message',
        'Nearly.',
        '--json',
      );
      expect(sent).toMatchObject({ code: 0 });
      const { task } = JSON.parse(sent.out);
      expect(task.prompt).toContain('## 1. made.txt, new line 2\n> ```\n> two\n> ```\n');
      await on.completed(task.id);
      expect(await fileOnBranch(repository, task.id, 'made.txt')).toBe('one\nthree');
      const { attempts } = await on.must(200, 'GET', `/v1/agent/tasks/${task.id}/attempts`);
      const listed = await on.cli('viewer', 'task', 'attempts', task.id);
      expect(listed).toMatchObject({ code: 0, out: expect.stringMatching(/^RUN +ATTEMPT +WORKER +STARTED +OUTCOME/) });
      expect(listed.out).toContain(`${attempts[0].run_id}  1`);
      expect(listed.out).toContain('completed');
      expect((await on.cli('editor', 'task', 'review', first)).code).toBe(2);
    },
  );
});
