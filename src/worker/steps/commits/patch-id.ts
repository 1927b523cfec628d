// Compares the changes of two commits, wherever they stand in the files, by git's patch id. runs-12.
import type { StepContext } from '../step-context.ts';

type Place = Pick<StepContext, 'git' | 'repository'>;

/** A larger change counts as another one: it is judged again. */
const maxDiffBytes = 64 * 1024 * 1024;

export interface CommitRange {
  readonly base: string;
  readonly commit: string;
}

export async function isSamePatch(place: Place, one: CommitRange, other: CommitRange): Promise<boolean> {
  const ids = [await patchIdOf(place, one), await patchIdOf(place, other)];
  return ids[0] !== undefined && ids[0] === ids[1];
}

/** '' without a change; undefined for a change that is too large. */
async function patchIdOf({ git, repository }: Place, { base, commit }: CommitRange): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const onChunk = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= maxDiffBytes) chunks.push(chunk);
  };
  const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--full-index', '--binary'];
  await git.run(['diff-tree', '-r', '-p', ...plain, base, commit], { cwd: repository.root, onChunk });
  if (bytes > maxDiffBytes) return undefined;
  const line = await git.line(['patch-id', '--stable'], { cwd: repository.root, input: Buffer.concat(chunks) });
  return line.split(' ')[0] ?? '';
}
