// A place for hostile repositories: a scene with a program that leaves a marker, and a folder that nobody may see.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { WorkerTask } from '../../../../src/contracts/worker.ts';
import type { ExecuteOptions } from '../../../../src/worker/attempt/execute.ts';
import type { TaskOutcome } from '../../../../src/worker/report/task-outcome.ts';
import type { WorkspaceBinding } from '../../../../src/worker/workspace/workspace.ts';
import { openRunFixture, shellPrompt, type RunFixture } from '../../../support/worker/run-fixture.ts';

export const modes = ['worktree', 'in_place', 'plain', 'clone'] as const;
export type Mode = (typeof modes)[number];

/** Stands in a commit message, a file name and a file of the masked folder's repository. */
export const secretCanary = 'planted-secret-word';

export interface HostileFixture extends AsyncDisposable {
  fixture: RunFixture;
  /** A repository that the agent must not see. */
  secret: string;
  /** Runs a script in a folder, as plain sh with plain git. */
  plainly(script: string, cwd?: string): Promise<string>;
  /** Runs a task whose agent runs the script. */
  run(script: string, task?: Partial<WorkerTask>): Promise<TaskOutcome>;
  /** The traces that the program has left. */
  marks(): Promise<string>;
}

const prelude = `
export GIT_AUTHOR_NAME=E GIT_AUTHOR_EMAIL=e@localhost GIT_COMMITTER_NAME=E GIT_COMMITTER_EMAIL=e@localhost
test -e .git || { git init -q . && git add -A && git commit -qm first; }
HERE=$PWD
GIT=$(git rev-parse --path-format=absolute --git-common-dir)
`;

async function makeSecret(secret: string, { git }: Pick<RunFixture, 'git'>): Promise<void> {
  await git('init', '--quiet', '--initial-branch=main', secret);
  await writeFile(join(secret, `${secretCanary}.txt`), `${secretCanary}\n`);
  await git('-C', secret, 'add', '.');
  await git('-C', secret, 'commit', '--quiet', '-m', secretCanary);
}

export async function openHostileFixture(mode: Mode): Promise<HostileFixture> {
  const fixture = await openRunFixture({ repository: mode !== 'plain' });
  const [mark, fire, end, secret] = ['fired', 'fire', 'end', 'secret'].map((name) => join(fixture.root, name));
  if (mark === undefined || fire === undefined || end === undefined || secret === undefined)
    throw new Error('no place');
  await writeFile(fire, `#!/bin/sh\necho "$0 $*" >> ${mark}\nexec cat\n`, { mode: 0o755 });
  await writeFile(end, `#!/bin/sh\necho "$0 $*" >> ${mark}\n`, { mode: 0o755 });
  await mkdir(secret);
  await makeSecret(secret, fixture);
  await fixture.write('a.txt', 'a\n');
  await fixture.write('folder/b.txt', 'b\n');
  const origin = join(fixture.root, 'origin.git');
  if (mode !== 'plain') {
    await fixture.git('add', '.');
    await fixture.git('commit', '--quiet', '-m', 'first');
  }
  if (mode === 'clone') await fixture.git('clone', '--quiet', '--bare', fixture.repo, origin);
  const scriptText = `FIRE=${fire} END=${end} MARK=${mark} SECRET=${secret}\n${prelude}`;
  const workplace: WorkspaceBinding = {
    codebaseId: 'c',
    path: mode === 'clone' ? `file://${origin}` : fixture.repo,
    mode: mode === 'worktree' || mode === 'clone' ? 'worktree' : 'in_place',
  };
  const options: Partial<ExecuteOptions> = {
    binding: workplace,
    clones: { from: ['*'], timeoutMs: 60_000, push: true },
    gitTimeoutMs: 10_000,
  };
  return {
    fixture,
    secret,
    async plainly(script, cwd = fixture.repo) {
      const call = { cwd, env: fixture.env, maxBuffer: 1e8 };
      const running = promisify(execFile)('sh', ['-ec', `${scriptText}\n${script}`], call);
      // Programs that read to the end have one.
      running.child.stdin?.end();
      return (await running).stdout;
    },
    run: (script, task = {}) => fixture.execute({ prompt: shellPrompt(`${scriptText}\n${script}`), ...task }, options),
    marks: () => readFile(mark, 'utf8').catch(() => ''),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}
