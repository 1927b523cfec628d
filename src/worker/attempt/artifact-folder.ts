// The folder in which an agent leaves files that become artifacts of its task. docs/WORKERS.md.
import { constants, type Stats } from 'node:fs';
import { lstat, open, readdir, realpath, rmdir, unlink, writeFile } from 'node:fs/promises';
import { isUtf8 } from 'node:buffer';
import { basename, extname, join } from 'node:path';
import type { NewArtifact } from '../../contracts/worker.ts';
import { artifactMarker, artifactPlace } from '../base/artifact-place.ts';
import type { NewWorkerEvent } from '../base/event.ts';
import { cleanText } from '../process/text.ts';
import { PathRefused } from '../sandboxed-fs/path-refused.ts';
import { resolvePath, type ResolvedPath } from '../sandboxed-fs/walk.ts';
import { errorCode } from '../../lib/system/error-code.ts';

/** The environment variable that names the folder. */
export const artifactsVariable = 'SWITCHYARD_ARTIFACTS';

const maxFiles = 20;
const maxFileBytes = 1024 * 1024;
const maxNameChars = 200;
/** The worker makes these itself, or another component of the service reads them. */
const reservedNames = new Set(['diff', 'files', 'branch', 'step', 'bundle', 'rlm']);

const textTypes: Readonly<Record<string, string>> = {
  '': 'text/plain',
  '.txt': 'text/plain',
  '.log': 'text/plain',
  '.md': 'text/markdown',
  '.html': 'text/html',
  '.csv': 'text/csv',
  '.xml': 'application/xml',
  '.json': 'application/json',
  '.jsonl': 'application/x-ndjson',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.svg': 'image/svg+xml',
  '.diff': 'text/x-diff',
  '.patch': 'text/x-diff',
};
const binaryTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
  '.zip': 'application/zip',
  '.gz': 'application/gzip',
};

export interface ArtifactFolder {
  /** Absolute, for the agent. */
  readonly path: string;
  /**
   * Reports the files that the agent left as artifacts, and removes them. What is not taken stays, and the task's log says why.
   * @returns the names of the artifacts
   */
  collect(emit: (event: NewWorkerEvent) => Promise<void>): Promise<ReadonlySet<string>>;
}

/**
 * Makes the folder in a workspace, where nobody's link leads out of it. Files that are there already are not the agent's.
 * @returns undefined: the workspace does not allow it
 */
export async function openArtifactFolder(workspace: string): Promise<ArtifactFolder | undefined> {
  try {
    const root = await realpath(workspace);
    await using folder = await resolvePath(artifactPlace, { root, last: 'folder', makeFolders: true });
    const ignore = join(folder.system, basename(artifactMarker));
    // An agent that commits everything in its workspace leaves the folder out.
    const isOurs = await writeFile(ignore, '*\n', { flag: 'wx' }).then(
      () => true,
      () => false,
    );
    const before = new Map<string, string>();
    for (const { name, stamp } of await listFiles(folder)) before.set(name, stamp);
    return { path: join(root, artifactPlace), collect: (emit) => collect({ root, before, isOurs, emit }) };
  } catch (error) {
    if (isUnusable(error)) return undefined;
    throw error;
  }
}

/** A link that leads out, a file in the way, or a folder that cannot be written. */
function isUnusable(error: unknown): boolean {
  return (
    error instanceof PathRefused ||
    ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '')
  );
}

interface Collecting {
  readonly root: string;
  /** The files from before, by name. */
  readonly before: ReadonlyMap<string, string>;
  readonly isOurs: boolean;
  readonly emit: (event: NewWorkerEvent) => Promise<void>;
}

interface LeftFile {
  readonly name: string;
  /** Changes with the file. */
  readonly stamp: string;
  readonly found: Stats;
}

async function listFiles(folder: ResolvedPath): Promise<LeftFile[]> {
  const names = (await readdir(folder.system)).filter((name) => !name.startsWith('.')).toSorted();
  const files: LeftFile[] = [];
  for (const name of names) {
    const found = await lstat(join(folder.system, name)).catch(() => undefined);
    if (found === undefined) continue;
    files.push({ name, found, stamp: `${found.ino} ${found.mtimeMs} ${found.ctimeMs} ${found.size}` });
  }
  return files;
}

async function collect({ root, before, isOurs, emit }: Collecting): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  try {
    await using folder = await resolvePath(artifactPlace, { root, last: 'folder' });
    const left = (await listFiles(folder)).filter(({ name, stamp }) => before.get(name) !== stamp);
    const refused: string[] = [];
    let count = 0;
    for (const { name, found } of left) {
      const artifact = await takeFile(folder, name, found, count);
      if ('refusal' in artifact) {
        refused.push(`${cleanText(name).slice(0, maxNameChars)} (${artifact.refusal})`);
        continue;
      }
      await emit({ type: 'artifact', ...artifact });
      taken.add(artifact.name);
      count += 1;
      await unlink(join(folder.system, name)).catch(() => undefined);
    }
    if (refused.length > 0) {
      const shown = refused.slice(0, 10).join(', ');
      await emit({
        type: 'progress',
        message: `Files that became no artifact: ${shown}. They stay in ${artifactPlace}.`,
      });
    }
    if (isOurs && refused.length === 0 && before.size === 0) await removeFolder(root, folder);
  } catch (error) {
    if (!isUnusable(error)) throw error;
    await emit({ type: 'progress', message: `The files in ${artifactPlace} could not be read.` });
  }
  return taken;
}

async function takeFile(
  folder: ResolvedPath,
  name: string,
  found: Stats,
  count: number,
): Promise<NewArtifact | { readonly refusal: string }> {
  const stem = cleanText(name.slice(0, name.length - extname(name).length)).replaceAll(/\p{Cc}/gu, '\uFFFD');
  if (!found.isFile()) return { refusal: 'not a file' };
  if (stem.length > maxNameChars) return { refusal: 'its name is too long' };
  if (reservedNames.has(stem)) return { refusal: 'its name is reserved' };
  if (count >= maxFiles) return { refusal: `more than ${maxFiles} files` };
  const bytes = found.size > maxFileBytes ? undefined : await readFile(join(folder.system, name));
  if (bytes === undefined) return { refusal: 'larger than 1 MiB' };
  return { name: stem, ...contentOf(extname(name).toLowerCase(), bytes) };
}

/** @returns undefined: it is larger than allowed, or no longer a file */
async function readFile(path: string): Promise<Buffer | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) return undefined;
    const buffer = Buffer.alloc(maxFileBytes + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      length += bytesRead;
      if (length > maxFileBytes) return undefined;
      if (bytesRead === 0) return buffer.subarray(0, length);
    }
  } finally {
    await handle.close();
  }
}

function contentOf(extension: string, bytes: Buffer): Pick<NewArtifact, 'mime_type' | 'text' | 'data' | 'bytes'> {
  const textType = textTypes[extension];
  const type = textType ?? binaryTypes[extension];
  const isText = binaryTypes[extension] === undefined && isUtf8(bytes) && !bytes.includes(0);
  if (!isText)
    return { mime_type: textType === undefined ? (type ?? octets) : octets, bytes: bytes.toString('base64') };
  const text = bytes.toString('utf8');
  if (extension === '.json') return { mime_type: 'application/json', ...jsonContent(text) };
  return { mime_type: textType ?? 'text/plain', text };
}

const octets = 'application/octet-stream';

/** As data where the database can store it as such: an object or list without NUL and halves of characters. */
export function jsonContent(text: string): Pick<NewArtifact, 'text' | 'data'> {
  try {
    const data: unknown = JSON.parse(text);
    const isPlain = typeof data === 'object' && data !== null && !/\\u(?:0000|d[89a-f])/i.test(JSON.stringify(data));
    return isPlain ? { data } : { text };
  } catch {
    return { text };
  }
}

/** The folders that the worker made, where nothing else lies in them. */
async function removeFolder(root: string, folder: ResolvedPath): Promise<void> {
  try {
    const rest = (await readdir(folder.system)).filter((name) => name !== basename(artifactMarker));
    if (rest.length > 0) return;
    await unlink(join(folder.system, basename(artifactMarker)));
    await rmdir(join(root, artifactPlace));
    await rmdir(join(root, '.switchyard'));
  } catch {
    // Something else lies in it, which stays.
  }
}
