// The difference of two snapshots: a list of files, and a patch that `git apply` takes.
import type { Git, GitCall } from './git/git.ts';
import type { Snapshots } from './snapshot.ts';

/** One changed file. `added` and `removed` count lines (0 for binary files). choices-5. */
export interface FileChange {
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed';
  old_path?: string;
  readonly added: number;
  readonly removed: number;
  binary?: true;
  /** Why the file is not in the diff. */
  note?: string;
}

export interface Changes {
  readonly files: FileChange[];
  /** A patch of all files without a `note`. */
  readonly patch: Buffer;
}

interface RawChange {
  readonly file: FileChange;
  /** The file type changed, e.g. to a link: git writes two patches for it. */
  readonly retyped: boolean;
  readonly nested: boolean;
}

const statuses = new Map<string, FileChange['status']>([
  ['A', 'added'],
  ['C', 'added'],
  ['D', 'deleted'],
  ['M', 'modified'],
  ['R', 'renamed'],
  ['T', 'modified'],
]);

/** File mode of a nested repository. */
const gitlink = '160000';

/** Reads `--raw -z`: `:oldmode newmode oldid newid status`, then one path, or two for a rename. */
function readRaw(output: Buffer): RawChange[] {
  const fields = output.toString().split('\0');
  const changes: RawChange[] = [];
  for (let at = 0; at < fields.length - 1;) {
    const [oldMode, newMode, , , state = ''] = (fields[at] ?? '').replace(/^:/, '').split(' ');
    const first = fields[at + 1] ?? '';
    const letter = state.slice(0, 1);
    const status = statuses.get(letter) ?? 'modified';
    const moved = letter === 'R' || letter === 'C';
    const file: FileChange = { path: moved ? (fields[at + 2] ?? '') : first, status, added: 0, removed: 0 };
    if (letter === 'R') file.old_path = first;
    changes.push({ file, retyped: letter === 'T', nested: oldMode === gitlink || newMode === gitlink });
    at += moved ? 3 : 2;
  }
  return changes;
}

/** Adds the counts of `--numstat -z`, which lists the same files in the same order. */
function addCounts(changes: RawChange[], output: Buffer): void {
  const fields = output.toString().split('\0');
  let at = 0;
  for (const { file } of changes) {
    const [added = '', removed = '', path] = (fields[at] ?? '').split('\t');
    if (added === '-') file.binary = true;
    else Object.assign(file, { added: Number(added), removed: Number(removed) });
    at += path === '' ? 3 : 1;
  }
}

/** Splits a stream of patches into one per file, and keeps those that fit. */
function collectPatches(changes: RawChange[], maxBytes: number): { take(chunk: Buffer): void; end(): Buffer } {
  const border = Buffer.from('\ndiff --git ');
  const kept: Buffer[] = [];
  let size = 0;
  let file = 0;
  let halves = 0;
  let pending: Buffer[] = [];
  let pendingSize = 0;
  let tooLarge = false;

  function finishFile(): void {
    const change = changes[file];
    if (change === undefined || pendingSize === 0) return;
    halves += 1;
    if (change.retyped && halves === 1) return;
    if (change.nested) change.file.note = 'a nested repository: its own changes are not in the diff';
    else if (tooLarge) change.file.note = `left out of the diff, whose limit is ${maxBytes} bytes`;
    else kept.push(...pending);
    if (!change.nested && !tooLarge) size += pendingSize;
    pending = [];
    pendingSize = 0;
    tooLarge = false;
    halves = 0;
    file += 1;
  }

  function add(bytes: Buffer): void {
    pendingSize += bytes.length;
    tooLarge ||= size + pendingSize > maxBytes;
    if (tooLarge) pending = [];
    else pending.push(bytes);
  }

  let rest = Buffer.alloc(0);
  return {
    take(chunk) {
      let bytes = Buffer.concat([rest, chunk]);
      for (let cut = bytes.indexOf(border); cut >= 0; cut = bytes.indexOf(border)) {
        add(bytes.subarray(0, cut + 1));
        finishFile();
        bytes = bytes.subarray(cut + 1);
      }
      // A boundary may span two chunks.
      const hold = Math.min(bytes.length, border.length - 1);
      if (bytes.length > hold) add(bytes.subarray(0, bytes.length - hold));
      rest = Buffer.from(bytes.subarray(bytes.length - hold));
    },
    end() {
      add(rest);
      finishFile();
      return Buffer.concat(kept);
    },
  };
}

async function diffTree(git: Git, call: GitCall, format: string[], trees: [string, string]): Promise<Buffer> {
  const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames'];
  return (await git.run(['diff-tree', '-r', ...plain, ...format, ...trees], call)).stdout;
}

/**
 * The changes from one tree to another: created, edited, deleted and renamed files, binary ones and modes.
 * @param maxBytes limit of the patch: files whose patch does not fit are left out completely, so that the rest still
 * applies, with the reason in their `note`
 */
export async function changesBetween(
  { git, root, env }: Pick<Snapshots, 'git' | 'root' | 'env'>,
  before: string,
  after: string,
  maxBytes: number,
): Promise<Changes> {
  if (before === after) return { files: [], patch: Buffer.alloc(0) };
  const call = { cwd: root, env };
  const changes = readRaw(await diffTree(git, call, ['--raw', '-z'], [before, after]));
  addCounts(changes, await diffTree(git, call, ['--numstat', '-z'], [before, after]));
  const patches = collectPatches(changes, maxBytes);
  const onChunk = (chunk: Buffer): void => patches.take(chunk);
  await diffTree(git, { ...call, onChunk }, ['-p', '--binary', '--full-index'], [before, after]);
  return { patch: patches.end(), files: changes.map(({ file }) => file) };
}
