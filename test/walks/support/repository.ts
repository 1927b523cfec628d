// Real git repositories of the walks, and diffs applied to fresh clones of them.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../support/process/program.ts';

const exec = promisify(execFile);
const identity = ['-c', 'user.name=walker', '-c', 'user.email=walker@example.org'];

async function git(cwd: string, ...args: string[]): Promise<string> {
  return (await exec('git', [...identity, ...args], { cwd, timeout: 60_000 })).stdout.trim();
}

/** A repository with one commit that has these files. @returns its path */
export async function makeRepository(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  await mkdir(folder, { recursive: true });
  await git(folder, 'init', '--quiet', '--initial-branch=main');
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await git(folder, 'add', '.');
  await git(folder, 'commit', '--quiet', '--message', 'first');
  return folder;
}

/**
 * Applies a diff with git to a fresh clone of the repository.
 * @returns the text of a file as it is then; undefined when there is none
 * @throws when it does not apply
 */
export async function fileAfter(repository: string, diff: string, file: string): Promise<string | undefined> {
  await using folder = await temporaryFolder('switchyard walks clone ');
  const clone = path.join(folder.path, 'clone');
  await git(folder.path, 'clone', '--quiet', repository, clone);
  const patch = path.join(folder.path, 'patch');
  await writeFile(patch, diff);
  await git(clone, 'apply', patch);
  return await readFile(path.join(clone, file), 'utf8').catch(() => undefined);
}

/** A command that git or a program of the repository runs in a fresh clone of one branch. @throws when it fails */
export async function inFreshClone(
  repository: string,
  branch: string,
  argv: readonly [string, ...string[]],
): Promise<string> {
  await using folder = await temporaryFolder('switchyard walks clone ');
  const clone = path.join(folder.path, 'clone');
  await git(folder.path, 'clone', '--quiet', '--branch', branch, repository, clone);
  const [program, ...args] = argv;
  return (await exec(program, args, { cwd: clone, timeout: 60_000 })).stdout;
}

/** The messages of the commits that a branch has and `main` has not, newest first. */
export async function messagesOn(repository: string, branch: string): Promise<string[]> {
  const text = await git(repository, 'log', '--format=%B%x00', `main..${branch}`);
  return text
    .split('\0')
    .map((message) => message.trim())
    .filter((message) => message !== '');
}

/** The branches of the user. */
export async function branchesOf(repository: string): Promise<string[]> {
  return (await git(repository, 'branch', '--format=%(refname:short)')).split('\n');
}

/** The text of a file on the branch that a task left. */
export async function fileOnBranch(repository: string, taskId: string, file: string): Promise<string> {
  return git(repository, 'show', `switchyard/${taskId}:${file}`);
}
