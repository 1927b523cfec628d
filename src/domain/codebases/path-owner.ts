// Decides who may name which folder of a worker's machine. choices-3, "Which folders may be served".
import { posix } from 'node:path';
import { isGitUrl } from '../../lib/text/git-url.ts';
import type { Caller } from '../model/access/caller.ts';
import { DomainError } from '../model/errors.ts';
import type { Worker } from '../model/worker.ts';

/** The root that allows every folder of the machine. */
const everyFolder = '*';

/**
 * The subject that must own the call, unless an operator overrides it, for this caller to name this path on the worker.
 * Below an explicit root it is the caller: `codebases:write` is enough. Everywhere else it is the worker's own
 * credential; so it is for service accounts, which bind what their own worker found, and for repositories to clone.
 * The comparison is textual, because the folder is on another machine; the worker compares the real paths.
 * @throws DomainError conflict `path_not_allowed` when the worker declared roots that do not contain the folder
 */
export function findPathOwner(worker: Worker, caller: Caller, path: string): string {
  const { codebaseRoots: roots } = worker;
  if (roots === undefined || isGitUrl(path)) return worker.subject;
  if (roots.some((root) => root !== everyFolder && isBelow(path, root))) {
    return caller.roles.every((role) => role === 'agent') ? worker.subject : caller.subject;
  }
  if (roots.includes(everyFolder)) return worker.subject;
  const known = roots.length === 0 ? 'it has none' : `they are ${roots.join(', ')}`;
  throw new DomainError(
    'conflict',
    'path_not_allowed',
    `The worker ${worker.name} does not serve ${path.slice(0, 500)}: the path is below none of its codebase roots (${known}). Add the folder to its setting codebase_roots (A2A_WORKER_CODEBASE_ROOTS), or pass it with --codebase when you start the worker.`,
  );
}

function isBelow(path: string, root: string): boolean {
  const [inner, outer] = [posix.normalize(path), posix.normalize(root)];
  return inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
}
