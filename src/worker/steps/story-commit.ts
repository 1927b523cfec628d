// The one commit of a story: equal inputs make an equal id, so a repeated step makes the same commit. runs-9.
import type { GateResultWire, StepDescriptorWire } from '../../contracts/step.ts';
import type { Git } from '../workspace/git/git.ts';
import { plainLines } from './plain-lines.ts';
import { StepError } from './step-error.ts';

export interface CommitPlace {
  readonly git: Git;
  readonly repository: { readonly root: string };
}

interface NewCommit {
  readonly tree: string;
  readonly parent: string;
  readonly message: string;
  /** ISO 8601: the date of author and committer. */
  readonly createdAt: string;
}

/** Creates a commit object; no ref moves. @returns its id */
export async function writeCommit(
  { git, repository }: CommitPlace,
  { tree, parent, message, createdAt }: NewCommit,
): Promise<string> {
  const date = `${Math.floor(Date.parse(createdAt) / 1000)} +0000`;
  return git.line(['commit-tree', tree, '-p', parent, '-F', '-'], {
    cwd: repository.root,
    input: message,
    env: { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  });
}

/**
 * Creates the commit of a story; no ref moves. Author and committer are `user.name` and `user.email` of the git
 * configuration, or `Switchyard <switchyard@localhost>`; the date is the step's creation.
 * @returns its id
 * @throws StepError `bad_step` when the descriptor has no commit; WorkspaceError
 */
export async function writeStoryCommit(
  place: CommitPlace & { readonly step: Pick<StepDescriptorWire, 'commit' | 'created_at'> },
  { tree, parent, results }: { tree: string; parent: string; results: readonly GateResultWire[] },
): Promise<string> {
  const { commit, created_at: createdAt } = place.step;
  if (commit === null) throw new StepError('bad_step', 'The step makes a commit, but its descriptor has no message.');
  return writeCommit(place, { tree, parent, message: storyMessage(commit, results), createdAt });
}

type CommitText = NonNullable<StepDescriptorWire['commit']>;

const maxSubjectChars = 200;
const maxBodyChars = 8_000;
/** A line that a reader of the commit could take for one of our trailers. */
const trailerLike = /^\s*switchyard-[\w-]*\s*:/i;

/** The message: subject, one paragraph, and the trailers. */
export function storyMessage(commit: CommitText, results: readonly GateResultWire[]): string {
  const subject = withoutTrailers(commit.subject).join(' ').slice(0, maxSubjectChars).trim();
  const body = withoutTrailers(commit.body).join('\n').slice(0, maxBodyChars).trim();
  const gates = results.flatMap(({ gate_id: gate, passed }) =>
    gate === null ? [] : [`${trailerWord(gate)}=${passed ? 'pass' : 'fail'}`],
  );
  const trailers = [
    `Switchyard-Run: ${trailerWord(commit.run_id)}`,
    `Switchyard-Story: ${trailerWord(commit.story_id)}`,
    `Switchyard-Iteration: ${commit.iteration}`,
    ...(gates.length === 0 ? [] : [`Switchyard-Gates: ${gates.join(' ')}`]),
    `Switchyard-Task: ${trailerWord(commit.task_id)}`,
  ];
  return `${[subject || 'Work of a run', body, trailers.join('\n')].filter(Boolean).join('\n\n')}\n`;
}

/** The lines of a paragraph, without blank ones and without those that look like our trailers. */
function withoutTrailers(text: string): string[] {
  return plainLines(text)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !trailerLike.test(line));
}

function trailerWord(text: string): string {
  return text.replaceAll(/[^\w.:/@-]+/g, '_').slice(0, 200);
}
