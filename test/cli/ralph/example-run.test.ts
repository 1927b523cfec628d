// The example of the README: one machine, one repository, the agent `command` alone, and the example PRD, from `up` to the
// branch.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { freePort, Program, run, temporaryFolder } from '../../support/process/program.ts';
import { repository } from '../../support/worker/local-worker.ts';

const example = 'examples/prd/hello.yaml';

/** The arguments of the command that the README shows. */
async function readmeCommand(): Promise<string[]> {
  const line = /^node bin\/switchyard\.js (ralph run .*)$/m.exec(await readFile('README.md', 'utf8'))?.[1] ?? '';
  const words = line.split(' ');
  expect(words).toContain(example);
  return words.map((word) => (word === example ? path.resolve(example) : word));
}

it('a run of the example PRD leaves one gated commit for each story on its branch [runs-6.4.1, runs-6.4.4]', async () => {
  await using folder = await temporaryFolder('switchyard-example-');
  const root = path.join(folder.path, 'repo');
  await repository(root);
  const ports = ['--port', String(await freePort()), '--mcp-port', String(await freePort())];
  await using up = new Program({ args: ['up', ...ports], cwd: root });
  await up.printed(/Ctrl-C stops/);

  const doctor = await run(['doctor'], { cwd: root });
  expect(doctor.out).toMatch(/ok +runs repo +can serve a run: /);
  const { code, out, err } = await run(await readmeCommand(), { cwd: root });
  expect(`${code} ${err}`).toMatch(/^0 Run created: 3 stories, at most 5 iterations each, on branch ralph\/hello\./);
  const [id = ''] = /^[0-9a-f-]{36}$/m.exec(out) ?? [];
  expect(out).toMatch(/US-003 passed: commit [0-9a-f]{7}: 1 of 1 criteria \(1 by test\)\n[^]*run completed\n$/);

  const git = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd: root })).stdout;
  const subjects = await git('log', '--format=%s', 'HEAD..ralph/hello');
  expect(subjects.trimEnd().split('\n')).toEqual([
    'feat: US-003 - Document the greeting',
    'feat: US-002 - Test the greeting',
    'feat: US-001 - Print a greeting',
  ]);
  expect(await git('status', '--porcelain')).toBe('');
  const diff = await run(['ralph', 'diff', id], { cwd: root });
  expect(diff.out).toMatch(/\+\+\+ b\/HELLO\.md\n[^]*\+\+\+ b\/hello\.sh\n[^]*\+\+\+ b\/test\.sh\n/);

  const bundle = path.join(folder.path, 'run.bundle');
  const { err: hint } = await run(['ralph', 'bundle', id, '--output', bundle], { cwd: root });
  expect(hint).toContain(`git fetch ${bundle} 'refs/switchyard/*:refs/remotes/switchyard/*'`);
  await git('fetch', '-q', bundle, 'refs/switchyard/*:refs/remotes/switchyard/*');
  expect(await git('rev-parse', `refs/remotes/switchyard/runs/${id}/head`)).toBe(await git('rev-parse', 'ralph/hello'));

  // A second run of the same PRD finds its branch there, and says what to do.
  const again = await run(await readmeCommand(), { cwd: root });
  expect(again.code).toBe(1);
  expect(again.err).toContain('branch_exists');
});
