// A place for hostile repositories: a scene with a program that leaves a marker, and a folder that nobody may see.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { WorkerTask } from '../../src/contracts/worker.ts';
import type { ExecuteOptions, Outcome } from '../../src/worker/attempt/execute.ts';
import type { Workplace } from '../../src/worker/workspace/workspace.ts';
import { openScene, shell, type Scene } from '../worker-run/scene.ts';

export const modes = ['worktree', 'in_place', 'plain', 'clone'] as const;
export type Mode = (typeof modes)[number];

/** Stands in a commit message, a file name and a file of the masked folder's repository. */
export const secretWord = 'planted-secret-word';

export interface HostileScene extends AsyncDisposable {
  scene: Scene;
  /** A repository that the agent must not see. */
  secret: string;
  /** Runs a script in a folder, as plain sh with plain git. */
  plainly(script: string, cwd?: string): Promise<string>;
  /** Runs a task whose agent runs the script. */
  run(script: string, task?: Partial<WorkerTask>): Promise<Outcome>;
  /** What the program has left. */
  marks(): Promise<string>;
}

const prelude = `
export GIT_AUTHOR_NAME=E GIT_AUTHOR_EMAIL=e@localhost GIT_COMMITTER_NAME=E GIT_COMMITTER_EMAIL=e@localhost
test -e .git || { git init -q . && git add -A && git commit -qm first; }
HERE=$PWD
GIT=$(git rev-parse --path-format=absolute --git-common-dir)
`;

async function makeSecret(secret: string, { git }: Pick<Scene, 'git'>): Promise<void> {
  await git('init', '--quiet', '--initial-branch=main', secret);
  await writeFile(join(secret, `${secretWord}.txt`), `${secretWord}\n`);
  await git('-C', secret, 'add', '.');
  await git('-C', secret, 'commit', '--quiet', '-m', secretWord);
}

export async function openHostileScene(mode: Mode): Promise<HostileScene> {
  const scene = await openScene({ repository: mode !== 'plain' });
  const [mark, fire, end, secret] = ['fired', 'fire', 'end', 'secret'].map((name) => join(scene.root, name));
  if (mark === undefined || fire === undefined || end === undefined || secret === undefined)
    throw new Error('no place');
  await writeFile(fire, `#!/bin/sh\necho "$0 $*" >> ${mark}\nexec cat\n`, { mode: 0o755 });
  await writeFile(end, `#!/bin/sh\necho "$0 $*" >> ${mark}\n`, { mode: 0o755 });
  await mkdir(secret);
  await makeSecret(secret, scene);
  await scene.write('a.txt', 'a\n');
  await scene.write('folder/b.txt', 'b\n');
  const origin = join(scene.root, 'origin.git');
  if (mode !== 'plain') {
    await scene.git('add', '.');
    await scene.git('commit', '--quiet', '-m', 'first');
    await scene.git('clone', '--quiet', '--bare', scene.repo, origin);
  }
  const words = `FIRE=${fire} END=${end} MARK=${mark} SECRET=${secret}\n${prelude}`;
  const workplace: Workplace = {
    codebaseId: 'c',
    path: mode === 'clone' ? `file://${origin}` : scene.repo,
    mode: mode === 'worktree' || mode === 'clone' ? 'worktree' : 'in_place',
  };
  const options: Partial<ExecuteOptions> = {
    workplace,
    clones: { from: ['*'], timeoutMs: 60_000, push: true },
    gitTimeoutMs: 10_000,
  };
  return {
    scene,
    secret,
    async plainly(script, cwd = scene.repo) {
      const call = { cwd, env: scene.env, maxBuffer: 1e8 };
      const running = promisify(execFile)('sh', ['-ec', `${words}\n${script}`], call);
      // Programs that read to the end have one.
      running.child.stdin?.end();
      return (await running).stdout;
    },
    run: (script, task = {}) => scene.execute({ prompt: shell(`${words}\n${script}`), ...task }, options),
    marks: () => readFile(mark, 'utf8').catch(() => ''),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}
