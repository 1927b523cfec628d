// Moves of one story: its phase, and its ends. runs-5.
import { cutText } from '../../../../lib/text/cut-text.ts';
import { plainText } from '../../../../lib/text/plain-text.ts';
import type { RunError, RunStory, StoryAttempt, StoryWait } from '../../../model/run/run.ts';
import { nextStoryStatus, type StoryPhase, type StoryTransition } from '../../../model/run/run-state.ts';
import type { NewRunQuestion } from '../../outcome/question.ts';
import { describePassed, describeRunning } from '../../outcome/story-result.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { lastOkStep, openAttemptOf } from '../draft/story-lookups.ts';
import { addWarnings } from '../draft/warnings.ts';
import { countUsage } from '../draft/usage.ts';

/**
 * Puts a running story into a phase. `wait` stays where it is not given: it counts the waits in a row, so a step that
 * ends well or is rejected clears it.
 */
export function enterPhase(draft: RunDraft, storyId: string, phase: StoryPhase, wait?: StoryWait | null): void {
  const story = draft.story(storyId);
  if (story?.status !== 'running') return;
  const n = openAttemptOf(draft, story)?.n ?? story.iteration + 1;
  const next = wait === undefined ? story.wait : wait;
  const reason = phase === 'waiting' || phase === 'asking' ? (next?.reason ?? null) : null;
  draft.setStory(storyId, { phase, wait: next, result: describeRunning(n, phase, reason) });
}

/** Asks about a story, which goes on in `resume` unless the answer decides otherwise. */
export function askAboutStory(draft: RunDraft, storyId: string, question: NewRunQuestion, resume: StoryPhase): void {
  draft.ask(question);
  const wait = { reason: question.kind, notBefore: null, phase: resume, count: 0, since: draft.at };
  enterPhase(draft, storyId, 'asking', wait);
}

/** Counts one judged attempt, in the story and in the run. */
export function countIteration(draft: RunDraft, story: RunStory): number {
  const iteration = story.iteration + 1;
  draft.setStory(story.storyId, { iteration });
  const { spent, currentIteration, maxIterations } = draft.run;
  draft.setRun({
    spent: { ...spent, iterations: spent.iterations + 1 },
    currentIteration: Math.min(maxIterations, Math.max(currentIteration, iteration)),
  });
  return iteration;
}

/** The story's commit is on the head, or nothing was to change (`commit` null). */
export function passStory(draft: RunDraft, story: RunStory, attempt: StoryAttempt, commit: string | null): void {
  draft.setAttempt(attempt, { status: 'passed', storyCommit: commit }, true);
  warnAboutCheck(draft, attempt);
  countIteration(draft, story);
  const rows = draft.evidence.filter(({ storyId, n }) => storyId === story.storyId && n === attempt.n);
  const evidence = story.criteria.map((_, index) => rows.findLast(({ criterion }) => criterion === index));
  const waits = commit !== null && !draft.run.options.commitOnPass;
  endStory(draft, story.storyId, 'passed', describePassed({ ...story, commit }, evidence, waits));
  draft.setStory(story.storyId, { commit, passedAt: draft.at });
}

/** The findings about a candidate that passed all the same. runs-10. */
function warnAboutCheck(draft: RunDraft, attempt: StoryAttempt): void {
  const check = lastOkStep(draft, attempt, ['check'])?.result;
  if (check?.kind !== 'check') return;
  const { suppressions, protected: files } = check;
  const changed = files.filter(({ change, verdict }) => change !== 'added' && verdict === 'accepted');
  const changes = changed.map(({ path, change }) => `${path} (${change})`);
  const found = [
    ['suppressed', 'skips tests or disables checks', suppressions],
    ['tests_changed', 'changes existing tests, which was accepted', changes],
  ] as const;
  addWarnings(
    draft,
    found.flatMap(([code, what, list]) =>
      list.length === 0 ? [] : [{ code, message: `${attempt.storyId} ${what}: ${describeList(list)}` }],
    ),
  );
}

const mostListed = 10;

function describeList(items: readonly string[]): string {
  const rest = items.length - mostListed;
  const shown = items.slice(0, mostListed).map((item) => cutText(plainText(item), 160));
  return `${shown.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

/** Ends a story and what is at work for it. A story that has already ended stays as it is. */
export function endStory(draft: RunDraft, storyId: string, transition: StoryTransition, result: string): void {
  const story = draft.story(storyId);
  const status = story === undefined ? null : nextStoryStatus(story.status, transition);
  if (story === undefined || status === null) return;
  dropStoryWork(draft, story, result);
  draft.setStory(storyId, { status, phase: null, wait: null, result });
}

/** Cancels the steps of a story, voids its attempt, and closes its questions. */
export function dropStoryWork(draft: RunDraft, story: RunStory, reason: string): void {
  cancelSteps(draft, story.storyId, reason);
  const attempt = openAttemptOf(draft, story);
  if (attempt !== undefined) draft.setAttempt(attempt, { status: 'void' }, true);
  draft.dropQuestions(story.storyId);
}

/** Cancels the open steps of a story, or with null those of the run itself. */
export function cancelSteps(draft: RunDraft, storyId: string | null, reason: string): void {
  for (const { step, task } of draft.openSteps.filter((open) => open.step.storyId === storyId)) {
    countUsage(draft, step.kind, task);
    draft.cancelTask(step.taskId, reason);
    draft.closeStep({
      stepId: step.id,
      status: 'cancelled',
      code: 'cancelled',
      result: null,
      workerId: task?.workerId ?? null,
      bundleArtifactId: null,
    });
  }
}

/** Ends all stories that have not ended. The run fails as soon as its state and its last publish allow. */
export function failRun(draft: RunDraft, error: RunError): void {
  draft.setRun({ error });
  for (const { storyId } of draft.stories) endStory(draft, storyId, 'given_up', `the run failed: ${error.message}`);
}
