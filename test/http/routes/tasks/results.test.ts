// The attempts of a task, and what each of them changed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reap } from '../../../../src/domain/tasks/reap.ts';
import { openService, type ManualWorker, type TestService } from '../../../support/service.ts';
import { openVerbs } from '../../../support/verbs.ts';

let service: TestService;
let worker: ManualWorker;
beforeAll(async () => {
  service = await openService();
  worker = await service.worker();
});
afterAll(() => service[Symbol.asyncDispose]());

const diffOf = (line: string): string =>
  [
    'diff --git a/src/a.ts b/src/a.ts',
    'index 1111111..2222222 100644',
    '--- a/src/a.ts',
    '+++ b/src/a.ts',
    '@@ -1 +1 @@',
    '-const old = 1;',
    `+${line}`,
    'diff --git a/gone.txt b/gone.txt',
    'deleted file mode 100644',
    'index 1111111..0000000',
    '--- a/gone.txt',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-gone',
    '',
  ].join('\n');

/** Two attempts, the first of which asks; both leave a diff of the same name. */
async function twoDiffs(): Promise<{ id: string; runs: string[] }> {
  const { id } = await service.task();
  const runs: string[] = [];
  for (const [i, status] of ['needs_input', 'completed'].entries()) {
    const [held] = await worker.claim(1, id);
    if (held === undefined) throw new Error('nothing claimed');
    runs.push(held.task.run_id);
    const artifacts = [{ name: 'diff', mime_type: 'text/x-diff', text: diffOf(`const made = ${i};`) }];
    const asks = status === 'needs_input';
    if (asks) await worker.report(held, [{ type: 'artifact', n: 1, ...artifacts[0] }]);
    const release = asks ? { status, message: { text: 'which?' } } : { status, artifacts, usage: { input_tokens: 7 } };
    expect((await worker.release(held, release)).status).toBe(200);
    if (asks) await service.call('POST', `/v1/agent/tasks/${id}/input`, { body: { message: 'this' } });
  }
  return { id, runs };
}

describe('attempts', () => {
  it('are listed for each claim with what ended them [ui-6.5.1]', async () => {
    const { id, runs } = await twoDiffs();
    const { body } = await service.call('GET', `/v1/agent/tasks/${id}/attempts`, { as: 'viewer' });
    expect(body.attempts).toMatchObject([
      { run_id: runs[0], attempt: 1, worker_id: worker.id, outcome: 'needs_input', error: null },
      { run_id: runs[1], attempt: 1, worker_id: worker.id, outcome: 'completed', usage: { input_tokens: 7 } },
    ]);
  });

  it('are lease_lost where the lease was, pending where they were given back, and open while they run [ui-6.5.1]', async () => {
    const { id } = await service.task();
    const [lost] = await worker.claim(1, id);
    await worker.heartbeat(lost === undefined ? [] : [lost]);
    await service.db.query(`update tasks set lease_expires_at = now() - interval '1 s' where id = $1`, [id]);
    await using verbs = await openVerbs(service.db);
    await reap(verbs);
    const [returned] = await worker.claim(1, id);
    if (returned === undefined) throw new Error('nothing claimed');
    await worker.release(returned, { status: 'pending', error: { code: 'shutdown', message: 'Stops.' } });
    const other = await service.worker({ name: 'another' });
    expect(await other.claim(1, id)).toHaveLength(1);
    const { body } = await service.call('GET', `/v1/agent/tasks/${id}/attempts`);
    expect(body.attempts.map(({ outcome }: { outcome: unknown }) => outcome)).toEqual(['lease_lost', 'pending', null]);
  });
});

describe('changes', () => {
  it('are the files of the newest diff, and of an earlier attempt by its run_id [ui-6.5.2] [ui-6.5.3]', async () => {
    const { id, runs } = await twoDiffs();
    const files = async (query: string): Promise<{ path: string; hash: string }[]> =>
      (await service.call('GET', `/v1/agent/tasks/${id}/changes${query}`, { as: 'viewer' })).body.files;
    const newest = await files('');
    expect(newest).toMatchObject([
      { path: 'src/a.ts', status: 'modified', added: 1, removed: 1 },
      { path: 'gone.txt', status: 'deleted', added: 0, removed: 1 },
    ]);
    expect(await files(`?run_id=${runs[1]}`)).toEqual(newest);
    const earlier = await files(`?run_id=${runs[0]}`);
    expect(earlier[0]?.hash).not.toBe(newest[0]?.hash);
    expect(earlier[1]?.hash).toBe(newest[1]?.hash);
    const artifacts = await service.call('GET', `/v1/agent/tasks/${id}/artifacts?run_id=${runs[0]}`);
    expect(artifacts.body).toMatchObject({
      artifacts: [{ name: 'diff', mime_type: 'text/x-diff', size: diffOf('const made = 0;').length }],
      next_cursor: null,
    });
  });

  it('are read file by file [ui-6.5.4]', async () => {
    const { id, runs } = await twoDiffs();
    const read = (query: string): Promise<Response> =>
      fetch(`${service.url}/v1/agent/tasks/${id}/changes/file?${query}`, {
        headers: { authorization: `Bearer ${service.token('viewer')}` },
      });
    const answer = await read('path=src/a.ts');
    expect(answer.headers.get('content-type')).toMatch(/^text\/x-diff\b/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const patch = await answer.text();
    expect(patch).toContain('+const made = 1;');
    expect(patch).not.toContain('gone.txt');
    expect(await (await read(`path=src/a.ts&run_id=${runs[0]}`)).text()).toContain('+const made = 0;');
    expect((await read('')).status).toBe(400);
    expect((await read('path=src/b.ts')).status).toBe(404);
    expect((await read('path=src/a.ts&run_id=01890000-0000-7000-8000-000000000000')).status).toBe(404);
  });

  it('are empty where there is no diff [ui-6.5.2]', async () => {
    const { id } = await service.task();
    expect((await service.call('GET', `/v1/agent/tasks/${id}/changes`)).body).toEqual({ files: [] });
    expect((await service.call('GET', `/v1/agent/tasks/${id}/attempts`)).body).toEqual({ attempts: [] });
  });
});
