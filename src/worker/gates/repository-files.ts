// The files of one commit, read from the repository and not from a working tree.
import { z } from 'zod';
import type { Git } from '../workspace/git/git.ts';

export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
}

export interface CommitFiles {
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** The text of a file; undefined: there is none, it is no regular file, or it is larger than 16 MiB. */
  read(path: string): Promise<string | undefined>;
}

export interface GitPlace {
  readonly git: Git;
  /** The folder in which git runs. */
  readonly root: string;
}

const maxFileBytes = 16 * 1024 * 1024;
const size = z.coerce.number().int();

/** Reads `ls-tree -z`: `mode type id<TAB>path`. */
export async function listCommit({ git, root }: GitPlace, commit: string): Promise<ReadonlyMap<string, TreeEntry>> {
  const { stdout } = await git.run(['ls-tree', '-r', '-z', '--full-tree', commit], { cwd: root });
  const rows = stdout.toString().split('\0').filter(Boolean);
  return new Map(
    rows.map((row): [string, TreeEntry] => {
      const cut = row.indexOf('\t');
      const [mode = '', , id = ''] = row.slice(0, cut).split(' ');
      return [row.slice(cut + 1), { mode, id }];
    }),
  );
}

export async function openCommitFiles(place: GitPlace, commit: string): Promise<CommitFiles> {
  const { git, root } = place;
  const entries = await listCommit(place, commit);
  return {
    entries,
    async read(path) {
      const entry = entries.get(path);
      if (entry === undefined || !entry.mode.startsWith('100')) return undefined;
      const bytes = size.parse(await git.line(['cat-file', '-s', entry.id], { cwd: root }));
      if (bytes > maxFileBytes) return undefined;
      return (await git.run(['cat-file', 'blob', entry.id], { cwd: root })).stdout.toString();
    },
  };
}
