// The ends of an attempt that does not pass, and what the story does next. runs-5, runs-11.
import type { AllowTestChanges } from '../../../model/prd/prd.ts';
import type { RunStory, StoryAttempt } from '../../../model/run/run.ts';
import type { ChangedFile } from '../../../model/run/step.ts';
import { cleanLearning } from '../../learning-text.ts';
import { describeChangedFiles } from '../../outcome/changed-files.ts';
import type { FailureFacts } from '../../outcome/failure.ts';
import { askBlocked, askStuck } from '../../outcome/question.ts';
import { describeExhausted } from '../../outcome/story-result.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { changedFilesOf, failedAttempts, nextTry } from '../draft/story-lookups.ts';
import { askAboutStory, countIteration, endStory, enterPhase } from './story-moves.ts';

/** The most bytes of failing lines in a learning. runs-9. */
const maxFailureBytes = 6 * 1024;

/** Opens the attempt of the next iteration, on the head. */
export function beginAttempt(draft: RunDraft, story: RunStory): StoryAttempt {
  return draft.openAttempt(story.storyId, story.iteration + 1, nextTry(draft, story), draft.run.headCommit ?? '');
}

/** An attempt that spends nothing: its iteration is tried again. */
export function voidAttempt(draft: RunDraft, attempt: StoryAttempt, failureCode: string | null): void {
  draft.setAttempt(attempt, { status: 'void', failureCode }, true);
}

/** A judged attempt that failed: the iteration is spent, and the story goes on, asks, or has failed. */
export function failAttempt(draft: RunDraft, story: RunStory, attempt: StoryAttempt, failure: FailureFacts): void {
  const { code, fingerprint, sentence } = failure;
  draft.setAttempt(attempt, { status: 'failed', failureCode: code, fingerprint }, true);
  const iteration = countIteration(draft, story);
  const { storyId } = story;
  const text = describeFailedAttempt(failure.learning, changedFilesOf(draft, attempt));
  draft.addLearning({ storyId, n: attempt.n, kind: 'failure', author: 'director', text });
  withdrawApproval(draft, story, attempt);
  if (iteration >= draft.run.maxIterations + story.extraIterations) {
    endStory(draft, storyId, 'exhausted', describeExhausted(iteration, sentence));
    return;
  }
  const failed = failedAttempts(draft, story);
  if (code === 'blocked' && failed.filter(({ failureCode }) => failureCode === 'blocked').length >= 2) {
    askAboutStory(draft, storyId, askBlocked(story, attempt.n, sentence), 'implementing');
    return;
  }
  const sameness = samenessOf(failed);
  if (sameness === null) enterPhase(draft, storyId, 'implementing', null);
  else if (story.diagnoses === 0) enterPhase(draft, storyId, 'diagnosing', null);
  else askAboutStory(draft, storyId, askStuck(story, attempt.n, sameness, sentence), 'implementing');
}

/** The failing lines and the files that the diff touched. A long output leaves room for the files. */
function describeFailedAttempt(learning: string, files: readonly ChangedFile[]): string {
  if (files.length === 0) return learning;
  return cleanLearning(
    `${cleanLearning(learning, maxFailureBytes)}\n- its diff touched ${describeChangedFiles(files)}`,
  );
}

/** Why the last of these attempts shows that the story does not get on; null: it does. Oldest first. */
export function samenessOf(failed: readonly StoryAttempt[]): 'same_tree' | 'same_failure' | 'no_change' | null {
  const last = failed.at(-1);
  if (last === undefined) return null;
  const earlier = failed.slice(0, -1);
  if (last.failureCode === 'no_change') {
    return earlier.some(({ failureCode }) => failureCode === 'no_change') ? 'no_change' : null;
  }
  if (last.candidateTree !== null && earlier.some(({ candidateTree }) => candidateTree === last.candidateTree)) {
    return 'same_tree';
  }
  const previous = earlier.at(-1);
  return last.fingerprint !== null && previous?.fingerprint === last.fingerprint ? 'same_failure' : null;
}

/** A person who accepted one diff of tests has accepted no other. */
function withdrawApproval(draft: RunDraft, story: RunStory, attempt: StoryAttempt): void {
  const accepted = draft.questions.find(
    ({ kind, storyId, data, answer }) =>
      kind === 'approve_tests' && storyId === story.storyId && data['n'] === attempt.n && answer?.choice === 'accept',
  );
  if (accepted === undefined) return;
  draft.setStory(story.storyId, { allowTestChanges: readAllowance(accepted.data['allowed_before']) });
}

function readAllowance(value: unknown): AllowTestChanges {
  if (typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : false;
}
