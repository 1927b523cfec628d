// Parts that the worker adds to a prompt: the change under review, in a fence that it cannot end.
import { cutText } from '../../../lib/text/cut-text.ts';
import { cleanText } from '../../process/text.ts';
import type { StepContext } from '../step-context.ts';

const maxDiffBytes = 60 * 1024;

/** A block that no line of its text can close. */
export function fencedBlock(info: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${info}\n${text}\n${fence}`;
}

/** The diff between two commits as a fenced block, at most 60 KiB of it. @param leaveOut a path that it does not show */
export async function diffForPrompt(
  { git, repository }: Pick<StepContext, 'git' | 'repository'>,
  base: string,
  commit: string,
  leaveOut?: string,
): Promise<string> {
  const kept: Buffer[] = [];
  let left = maxDiffBytes;
  let isCut = false;
  const onChunk = (chunk: Buffer): void => {
    kept.push(chunk.subarray(0, left));
    isCut ||= chunk.length > left;
    left = Math.max(0, left - chunk.length);
  };
  const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames'];
  const paths = leaveOut === undefined ? [] : ['--', ':/', `:(exclude,top,literal)${leaveOut}`];
  await git.run(['diff-tree', '-r', '-p', ...plain, base, commit, ...paths], { cwd: repository.root, onChunk });
  const block = fencedBlock('diff', cutText(cleanText(Buffer.concat(kept).toString()), maxDiffBytes));
  return isCut ? `${block}\nThe diff is longer; read the rest in the files.` : block;
}
