// The folders of this machine that the worker serves: its configured codebases, and folders below its roots that callers
// name. choices-3, "Which folders may be served".
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
   * The folder of this codebase, with links resolved now.
   * @returns a refusal when neither the settings nor the roots allow the folder; a missing folder is no refusal
   */
  resolveBinding(
    codebase: NonNullable<AssignmentWire['codebase']>,
  ): Promise<{ binding: WorkspaceBinding } | PathRefusal>;
  /**
   * Whether a folder that a caller names may be bound.
   * @param mayNameAny whether this caller may name any folder where the roots are `*`
   * @returns the refusal; undefined: it may be bound
   */
  checkPath(path: string, mayNameAny: boolean): Promise<PathRefusal | undefined>;
}

export interface ServedFoldersOptions {
  /** The codebases of the worker's settings. */
  readonly configured: readonly Pick<CodebaseWithMode, 'codebase_id' | 'path' | 'workspace_mode'>[];
  /** Absolute folders below which callers may name one; `*`: anywhere. Empty: nowhere. */
  readonly roots: readonly string[];
  /** Folders and files that nobody may name: those of the worker and of the service. */
  readonly closedPaths: readonly string[];
}

/** The roots as configured and with links resolved, for a service that can only compare texts. */
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
    // Outside the roots the refusal is the same whether or not the folder exists, so that callers cannot probe for
    // folders.
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
      // The worker's own settings decide the mode of a configured folder. The codebase `global` has one folder per
      // worker, so the path decides before the id.
      const match =
        configured.find((one) => one.path === path && one.codebase_id === codebaseId) ??
        configured.find((one) => one.path === path);
      if (match !== undefined) return { binding: { codebaseId, path, mode: match.workspace_mode } };
      // The clone checks which addresses are allowed.
      if (isGitUrl(path)) return { binding: { codebaseId, path, mode } };
      // The caller's right to name the folder was checked when it was bound; the folder itself is checked for each
      // attempt.
      const refusal = await checkPath(path, true);
      if (refusal?.code === 'path_not_allowed') return refusal;
      return { binding: { codebaseId, path: (await realFolder(path)) ?? path, mode } };
    },
  };
}

function notFound(path: string): PathRefusal {
  return { code: 'path_not_found', message: `${path} is not a folder on this worker's machine.` };
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
    // Missing, unreadable, or a loop of links: all the same for the caller.
    return undefined;
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
