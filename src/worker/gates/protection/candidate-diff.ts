// The changes of a candidate against its base, file by file and line by line.
import type { GitPlace, TreeEntry } from '../repository-files.ts';

export interface CandidateChange {
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted';
  /** Null: it was added. */
  readonly before: TreeEntry | null;
}

const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames'];

/** Renames are a deleted and an added file. */
export async function listChanges(
  { git, root }: GitPlace,
  base: string,
  candidate: string,
): Promise<CandidateChange[]> {
  const args = ['diff-tree', '-r', ...plain, '--raw', '--no-abbrev', '-z', base, candidate];
  const fields = (await git.run(args, { cwd: root })).stdout.toString().split('\0');
  const changes: CandidateChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [mode = '', , id = '', , status = ''] = (fields[at] ?? '').replace(/^:/, '').split(' ');
    const path = fields[at + 1] ?? '';
    const change = status.startsWith('A') ? 'added' : status.startsWith('D') ? 'deleted' : 'modified';
    changes.push({ path, change, before: change === 'added' ? null : { mode, id } });
  }
  return changes;
}

/**
 * The unified diff of some files, cut to a number of characters.
 * @param paths empty: all files
 */
export async function diffText(
  { git, root }: GitPlace,
  { base, candidate, paths, maxChars }: { base: string; candidate: string; paths: readonly string[]; maxChars: number },
): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  const decoder = new TextDecoder();
  const onChunk = (chunk: Buffer): void => {
    const text = decoder.decode(chunk, { stream: true }).slice(0, Math.max(0, maxChars - length));
    length += text.length;
    if (text !== '') parts.push(text);
  };
  const args = [
    'diff-tree',
    '-r',
    '-p',
    ...plain,
    base,
    candidate,
    '--',
    ...paths.map((path) => `:(top,literal)${path}`),
  ];
  await git.run(args, { cwd: root, onChunk });
  return parts.join('').replaceAll('\0', '\uFFFD').toWellFormed();
}
