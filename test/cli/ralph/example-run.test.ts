// The example of the README: one machine, one repository, an agent program, and the example PRD, from `up` to the branch.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { freePort, Program, run, temporaryFolder } from '../../support/process/program.ts';
import { repository } from '../../support/worker/local-worker.ts';

const example = path.resolve('examples/prd/hello.yaml');

/** An agent that does the story that its prompt names, and claims nothing. */
const agent = `case "$1" in
*'Story US-001'*) printf 'echo "Hello, \${1:-world}"\\n' > hello.sh ;;
*'Story US-002'*) printf 'test "$(sh hello.sh Ada)" = "Hello, Ada"\\n' > test.sh ;;
*'Story US-003'*) echo 'Run: sh hello.sh NAME' > HELLO.md ;;
esac
`;

it('a run of the example PRD leaves one gated commit for each story on its branch [runs-6.4.1, runs-6.4.4]', async () => {
  await using folder = await temporaryFolder('switchyard-example-');
  const root = path.join(folder.path, 'repo');
  await repository(root);
  const script = path.join(folder.path, 'agent.sh');
  await writeFile(script, agent);
  const env = { A2A_AGENT_BIN: `sh ${script} {prompt}` };
  const ports = ['--port', String(await freePort()), '--mcp-port', String(await freePort())];
  await using up = new Program({ args: ['up', ...ports], cwd: root, env });
  await up.printed(/Ctrl-C stops/);

  const doctor = await run(['doctor'], { cwd: root, env });
  expect(doctor.out).toMatch(/ok +runs repo +can serve a run: /);
  const { code, out, err } = await run(['ralph', 'run', example, '--watch'], { cwd: root, env });
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
  const diff = await run(['ralph', 'diff', id], { cwd: root, env });
  expect(diff.out).toMatch(/\+\+\+ b\/HELLO\.md\n[^]*\+\+\+ b\/hello\.sh\n[^]*\+\+\+ b\/test\.sh\n/);

  const bundle = path.join(folder.path, 'run.bundle');
  const { err: hint } = await run(['ralph', 'bundle', id, '--output', bundle], { cwd: root, env });
  expect(hint).toContain(`git fetch ${bundle} 'refs/switchyard/*:refs/remotes/switchyard/*'`);
  await git('fetch', '-q', bundle, 'refs/switchyard/*:refs/remotes/switchyard/*');
  expect(await git('rev-parse', `refs/remotes/switchyard/runs/${id}/head`)).toBe(await git('rev-parse', 'ralph/hello'));

  // A second run of the same PRD finds its branch there, and says what to do.
  const again = await run(['ralph', 'run', example, '--watch'], { cwd: root, env });
  expect(again.code).toBe(1);
  expect(again.err).toContain('branch_exists');
});
