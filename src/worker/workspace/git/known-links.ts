// Finds where a repository leads outside itself: links in its folders, and folders from which it borrows objects. The
// first sight of a worker is recorded; links that an agent adds later are rejected.
import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { lstat, mkdir, readdir, realpath, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../../../lib/system/error-code.ts';
import type { GitFolder } from './find-git.ts';
import { readPlain } from './git-settings.ts';
import { WorkspaceError } from './workspace-error.ts';
import { sha256 } from '../../../lib/digest.ts';
import { readIfPresent } from '../../../lib/system/read-if-present.ts';
import { tryParseJson } from '../../../lib/json/json-text.ts';

type Folders = Pick<GitFolder, 'root' | 'gitDir' | 'commonDir'>;

const record = z.object({ root: z.string(), elsewhere: z.array(z.string()) });
/** The limit of git. */
const maxBorrows = 5;
const maxEntries = 1_000_000;

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function unusable(message: string): WorkspaceError {
  return new WorkspaceError('workspace_unusable', message);
}

async function resolveLink(path: string): Promise<string> {
  return realpath(path).catch(() => {
    throw unusable(`${path} points to a missing file.`);
  });
}

/** The targets of links below a folder. A pipe or a device is rejected, because it would block git. */
async function linksBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  const queue = [folder];
  let count = 0;
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const entry of await entriesOf(at)) {
      const path = join(at, entry.name);
      count += 1;
      if (count > maxEntries) throw unusable(`${folder} has more than ${maxEntries} entries: run "git gc" there.`);
      if (entry.isDirectory()) queue.push(path);
      else if (entry.isSymbolicLink()) found.push(await resolveLink(path));
      else if (!entry.isFile()) throw unusable(`${path} is neither a file nor a folder.`);
    }
  }
  return found;
}

/** The entries of a folder; none if another git has just removed it, e.g. that of a deleted branch. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The real location of a file or folder of a git folder; empty: it does not exist. */
async function reals(path: string): Promise<string[]> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return [];
  if (!found.isFile() && !found.isDirectory() && !found.isSymbolicLink()) {
    throw unusable(`${path} is neither a file nor a folder.`);
  }
  return [await resolveLink(path)];
}

/** Whether all refs of a repository, by which its commits are found, are its own. @throws WorkspaceError */
export async function staysInside({ gitDir, commonDir }: Folders): Promise<boolean> {
  const named = [join(gitDir, 'HEAD'), join(commonDir, 'packed-refs'), join(commonDir, 'refs')];
  const found = [...(await Promise.all(named.map(reals))).flat(), ...(await linksBelow(join(commonDir, 'refs')))];
  return found.every((path) => [gitDir, commonDir].some((own) => isBelow(path, own)));
}

/** The folders from which an object folder borrows, as git reads them. */
async function borrowedBy(objects: string): Promise<string[]> {
  const list = join(objects, 'info/alternates');
  const text = await readPlain(list);
  if (text === undefined && (await lstat(list).catch(() => undefined)) !== undefined) {
    throw unusable(`${list} is not a regular file.`);
  }
  // Git has its own rules for quotes and odd bytes, so it is unknown what it would read.
  if (text !== undefined && /^"|[\0\ufffd]/m.test(text)) throw unusable(`${list} names a folder that cannot be read.`);
  const lines = (text ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => resolve(objects, line));
}

/** Every folder and file outside the repository that git would read or write through it. */
async function findOutsidePaths({ gitDir, commonDir }: Folders): Promise<Set<string>> {
  const found: string[] = [];
  for (const name of ['HEAD', 'index']) found.push(...(await reals(join(gitDir, name))));
  for (const name of ['config', 'packed-refs', 'shallow', 'worktrees', 'refs', 'objects'])
    found.push(...(await reals(join(commonDir, name))));
  found.push(...(await linksBelow(await realpath(join(commonDir, 'refs')))));
  let objects = [await realpath(join(commonDir, 'objects'))];
  for (let depth = 0; objects.length > 0; depth += 1) {
    if (depth > maxBorrows) throw unusable(`${commonDir} borrows objects over too many folders.`);
    const next: string[] = [];
    for (const folder of objects) {
      found.push(folder, ...(await linksBelow(folder)));
      for (const borrowed of await borrowedBy(folder)) next.push(await realpath(borrowed).catch(() => borrowed));
    }
    found.push(...next);
    objects = await existing(next);
  }
  return new Set(found.filter((path) => ![gitDir, commonDir].some((own) => isBelow(path, own))));
}

async function existing(folders: string[]): Promise<string[]> {
  const found = await Promise.all(folders.map(async (path) => lstat(path).catch(() => undefined)));
  return folders.filter((_, at) => found[at]?.isDirectory() === true);
}

/** @returns undefined without a record; a damaged record allows nothing */
async function readRecord(file: string): Promise<string[] | undefined> {
  const text = await readIfPresent(file);
  return text === undefined ? undefined : (record.safeParse(tryParseJson(text)).data?.elsewhere ?? []);
}

/**
 * Records the targets of a folder at first sight, and nothing later.
 * @returns the file of the record, and the allowed targets
 */
async function readOrRecord(root: string, now: string[], stateDir: string): Promise<{ file: string; known: string[] }> {
  // The worker's own clones never borrow objects.
  if (isBelow(root, await realpath(stateDir).catch(() => stateDir))) return { file: stateDir, known: [] };
  const name = sha256(root, 'hex').slice(0, 32);
  const file = join(stateDir, 'repositories', `${name}.json`);
  const known = await readRecord(file);
  if (known !== undefined) return { file, known };
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}.new`;
  await writeFile(draft, JSON.stringify({ root, elsewhere: now }), { mode: 0o600 });
  await rename(draft, file);
  return { file, known: now };
}

/** Records a folder that is not a repository yet: one that an agent makes there may lead nowhere else. */
export async function recordPlainFolder(root: string, stateDir: string): Promise<void> {
  await readOrRecord(root, [], stateDir);
}

/**
 * Checks that a repository leads only where it led when the worker first saw it.
 * @returns the folders and files outside of it
 * @throws WorkspaceError when it leads elsewhere now
 */
export async function checkLinks(folders: Folders, stateDir: string): Promise<string[]> {
  const now = [...(await findOutsidePaths(folders))];
  const { file, known } = await readOrRecord(folders.root, now, stateDir);
  const unknownPath = now.find((path) => !known.some((one) => isBelow(path, one)));
  if (unknownPath === undefined) return now;
  const hint = `If you made this change, remove ${file}.`;
  throw unusable(
    `${folders.commonDir} now leads to ${unknownPath}, which it did not when the worker first used it. ${hint}`,
  );
}
