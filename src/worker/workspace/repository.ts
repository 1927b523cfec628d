// What git says of a bound folder: a repository (or a part of one), or a plain folder.
import { realpath, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Git } from './git.ts';
import { WorkspaceError } from './workspace-error.ts';

export interface Repository {
  kind: 'git';
  /** Top folder of the working tree. */
  root: string;
  /** Where the bound folder lies in it; empty: it is the top folder. */
  prefix: string;
  /** Its git folder, and in it the index file and the object folder. */
  gitDir: string;
  index: string;
  objects: string;
}

export interface PlainFolder {
  kind: 'plain';
  root: string;
}

/** A disk that does not answer holds up this one look, not the worker. */
const diskPatienceMs = 10_000;

async function inTime<T>(path: string, look: Promise<T>): Promise<T> {
  const waiting = new AbortController();
  const late = delay(diskPatienceMs, undefined, { signal: waiting.signal }).then(() => {
    const message = `The disk of the codebase's folder ${path} did not answer in ${diskPatienceMs / 1000} s.`;
    throw new WorkspaceError('workspace_timeout', message);
  });
  try {
    return await Promise.race([look, late]);
  } finally {
    waiting.abort();
    late.catch(() => undefined);
  }
}

async function folderAt(path: string): Promise<string> {
  try {
    if ((await inTime(path, stat(path))).isDirectory()) return await inTime(path, realpath(path));
  } catch (cause) {
    if (cause instanceof WorkspaceError) throw cause;
    const message = `The codebase's folder ${path} is not there. Mend the binding, or bring the folder back.`;
    throw new WorkspaceError('workspace_missing', message, { cause });
  }
  throw new WorkspaceError('workspace_missing', `The codebase's path ${path} is not a folder.`);
}

/**
 * Looks at a bound folder.
 * @throws WorkspaceError when it is missing, or inside a repository's own folder or a bare repository
 */
export async function inspectFolder(git: Git, path: string): Promise<Repository | PlainFolder> {
  const root = await folderAt(path);
  const cwd = root;
  const questions = ['--is-inside-work-tree', '--show-toplevel', '--git-dir', '--git-path', 'index'];
  const more = ['--git-path', 'objects', '--show-prefix'];
  // One call for all: a run begins with it.
  const ask = ['rev-parse', '--path-format=absolute', ...questions, ...more];
  const { code, stdout } = await git.run(ask, { cwd, expect: [0, 128] });
  const [inside, top = root, gitDir = '', index = '', objects = '', prefix = ''] = stdout.toString().split('\n');
  if (inside === 'false') {
    const message = `${path} is a bare repository or a repository's own folder. Bind a working tree instead.`;
    throw new WorkspaceError('workspace_unusable', message);
  }
  if (code !== 0) return { kind: 'plain', root };
  if (prefix !== '') {
    // A folder that merely lies under a repository (a home folder under version control) is not part of it.
    const tracked = await git.run(['ls-files', '--error-unmatch', '--', '.'], { cwd, expect: [0, 1, 128] });
    if (tracked.code !== 0) return { kind: 'plain', root };
  }
  return { kind: 'git', root: top, prefix: prefix.replace(/\/$/, ''), gitDir, index, objects };
}

/** @returns the commit that is checked out; undefined before the first one */
export async function headOf(git: Git, { root }: Repository): Promise<string | undefined> {
  const find = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
  const { code, stdout } = await git.run(find, { cwd: root, expect: [0, 1, 128] });
  return code === 0 ? stdout.toString().trim() : undefined;
}
