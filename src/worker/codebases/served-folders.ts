// Which folders of this machine the worker serves: those it was set up with, and those that callers may name below its
// roots. choices-3, "Which folders may be served".
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, normalize, sep } from 'node:path';
import type { AssignmentWire } from '../../contracts/worker.ts';
import { isGitUrl } from '../../lib/text/git-url.ts';
import { unservedSystemFolders } from '../sandboxed-fs/system-folders.ts';
import { everyFolder } from '../settings/settings-table.ts';
import type { CodebaseWithMode } from '../settings/workspace-mode.ts';
import type { WorkspaceBinding } from '../workspace/workspace.ts';

/** A refusal in the form of a release's error. */
export interface PathRefusal {
  readonly code: 'path_not_found' | 'path_not_allowed';
  readonly message: string;
}

export interface ServedFolders {
  /**
   * Where a task of this codebase works, as the folder really lies now.
   * @returns a refusal when neither the settings nor the roots allow the folder; a missing folder is no refusal
   */
  resolveBinding(
    codebase: NonNullable<AssignmentWire['codebase']>,
  ): Promise<{ binding: WorkspaceBinding } | PathRefusal>;
  /**
   * Whether a folder may be bound that a caller names.
   * @param mayNameAny whether this caller may name any folder where the roots open them all
   * @returns the refusal; undefined: it may
   */
  checkPath(path: string, mayNameAny: boolean): Promise<PathRefusal | undefined>;
}

export interface ServedFoldersOptions {
  /** What the operator set the worker up with. */
  configured: readonly Pick<CodebaseWithMode, 'codebase_id' | 'path' | 'workspace_mode'>[];
  /** Folders below which callers may name one, absolute; `*`: anywhere. None: nowhere. */
  roots: readonly string[];
  /** Folders and files that nobody may name: the worker's and the service's own. */
  closedPaths: readonly string[];
}

/** The roots as they are written and as they really lie, for a service that can only compare texts. */
export async function declaredRoots(roots: readonly string[]): Promise<string[]> {
  const real = await Promise.all(roots.map(async (root) => (root === everyFolder ? root : await realFolder(root))));
  return [...new Set([...roots, ...real.filter((root) => root !== undefined)])].slice(0, 200);
}

export function createServedFolders({ configured, roots, closedPaths }: ServedFoldersOptions): ServedFolders {
  const explicit = roots.filter((root) => root !== everyFolder);

  async function checkPath(path: string, mayNameAny: boolean): Promise<PathRefusal | undefined> {
    if (configured.some((codebase) => codebase.path === path)) return undefined;
    if (!isAbsolute(path)) return notFound(path);
    const written = normalize(path);
    const real = await realFolder(written);
    // What lies outside is refused alike whether or not it is there: who may not name it shall not learn that.
    const isMissing = real === undefined;
    const location = real ?? written;
    if ((await isClosed(written)) || (await isClosed(location))) return closedFolder(path);
    const realRoots = await Promise.all(explicit.map(async (root) => (await realFolder(root)) ?? root));
    if ([...explicit, ...realRoots].some((root) => isBelow(location, root)))
      return isMissing ? notFound(path) : undefined;
    if (!roots.includes(everyFolder)) return outsideOfRoots(path);
    if (!mayNameAny) return notForThisCaller(path);
    return isMissing ? notFound(path) : undefined;
  }

  async function isClosed(location: string): Promise<boolean> {
    const real = await Promise.all(
      [...closedPaths, ...unservedSystemFolders].map((path) => realpath(path).catch(() => path)),
    );
    return real.some((path) => isBelow(location, path) || isBelow(path, location));
  }

  return {
    checkPath,
    async resolveBinding({ codebase_id: codebaseId, path, workspace_mode: mode }) {
      // How to work in a folder of its own settings is for the worker to say; the one `global` is as many folders as
      // there are workers.
      const match =
        configured.find((one) => one.path === path && one.codebase_id === codebaseId) ??
        configured.find((one) => one.path === path);
      if (match !== undefined) return { binding: { codebaseId, path, mode: match.workspace_mode } };
      // Which addresses are cloned is for the clone to look at.
      if (isGitUrl(path)) return { binding: { codebaseId, path, mode } };
      // Who may name a folder was asked when it was bound; what lies there is looked at for each run.
      const refusal = await checkPath(path, true);
      if (refusal?.code === 'path_not_allowed') return refusal;
      return { binding: { codebaseId, path: (await realFolder(path)) ?? path, mode } };
    },
  };
}

function notFound(path: string): PathRefusal {
  return { code: 'path_not_found', message: `${path} is not a folder on the machine of this worker.` };
}

function outsideOfRoots(path: string): PathRefusal {
  const message = `This worker does not serve ${path}: it lies below none of its codebase roots. Its operator adds folders by codebase_roots (A2A_WORKER_CODEBASE_ROOTS), or registers this one with --codebase.`;
  return { code: 'path_not_allowed', message };
}

function notForThisCaller(path: string): PathRefusal {
  const message = `This worker serves ${path} only to operators and to its own credential, because its codebase_roots (A2A_WORKER_CODEBASE_ROOTS) are "*". Ask an operator to register it, or have the roots name the folders that everybody may register.`;
  return { code: 'path_not_allowed', message };
}

function closedFolder(path: string): PathRefusal {
  const message = `${path} is closed to tasks, because it is, contains or lies in a folder of the system or of the worker itself. No codebase_roots (A2A_WORKER_CODEBASE_ROOTS) open it.`;
  return { code: 'path_not_allowed', message };
}

async function realFolder(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    // Missing, not readable, a loop of links: for the caller it is all the same.
    return undefined;
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
