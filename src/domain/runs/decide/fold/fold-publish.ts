// The answer of publish: where the branch of the user stands now. runs-12.
import type { RunStory } from '../../../model/run/run.ts';
import { isRunOver } from '../../../model/run/run-state.ts';
import type { LandResult, PublishResult } from '../../../model/run/step.ts';
import { askBranchAgain, askBranchMoved } from '../../outcome/question.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { evidenceOf } from '../draft/story-lookups.ts';
import { addWarnings, dropWarning, replaceWarning } from '../draft/warnings.ts';
import { findTheirs } from '../plan/rebase.ts';
import { closeAs, closeUnanswered, type FoldContext, reportGates } from './context.ts';
import { addCommandEvidence, failedCommands } from './fold-check.ts';
import { carryEvidence, describeObstacle } from './fold-land.ts';

export function foldPublish(context: FoldContext, result: PublishResult): void {
  const { draft, task } = context;
  if (result.skipped !== null) {
    closeAs(context, 'rejected', result.skipped);
    const question = askBranchMoved(result);
    // A run that is over asks nothing more.
    if (isRunOver(draft.run.status)) replaceWarning(draft, 'branch_moved', question.text);
    else draft.ask(question);
    return;
  }
  closeAs(context, 'ok', null);
  draft.setRun({ publishedCommit: result.new });
  draft.event('published', { worker_id: task?.workerId ?? null, branch: result.branch, commit: result.new });
  dropWarning(draft, 'not_published');
  if (result.merge_note !== null) replaceWarning(draft, 'not_merged', result.merge_note);
  dropWaitsForCommit(draft);
}

/** The merge on theirs did not come about: the same question again, with the reason. */
export function failRebase(context: FoldContext, code: string, message: string): void {
  closeUnanswered(context, 'infra', code);
  askAgain(context, message);
}

function askAgain({ draft, step }: FoldContext, why: string): void {
  const { branch, headCommit } = draft.run;
  draft.ask(askBranchAgain(branch, findTheirs(draft) ?? step.head ?? '', headCommit ?? '', why));
}

/** The commits of all landed stories are on the branch now. */
function dropWaitsForCommit(draft: RunDraft): void {
  if (draft.run.publishedCommit !== draft.run.headCommit) return;
  for (const { storyId, status, result } of draft.stories) {
    if (status === 'passed') draft.setStory(storyId, { result: result.replace(/, waits for commit$/, '') });
  }
}

/**
 * The commit of a story that had landed, merged on the commits that a person put on the branch. The head moves once all
 * stories stand there.
 */
export function foldRebase(context: FoldContext, result: LandResult): void {
  const { draft, step } = context;
  const story = draft.story(step.storyId);
  if (step.head === null || story === undefined || story.commit !== step.candidate) {
    closeUnanswered(context, 'cancelled', 'stale');
    return;
  }
  const isGood = result.verdict === 'ok' && failedCommands(draft, result.results).length === 0;
  if (isGood && (result.commit === null || result.parent !== step.head)) {
    failRebase(context, 'bad_step_result', 'the step accepted the merge and made no commit on theirs');
    return;
  }
  closeAs(context, isGood ? 'ok' : 'rejected', isGood ? null : (result.code ?? result.verdict));
  reportGates(context, result.results);
  if (!isGood || result.commit === null) {
    askAgain(context, describeObstacle(result));
    return;
  }
  renewEvidenceOfPassed(context, story, result, result.commit);
}

/** The evidence of a story that passed, for its commit on theirs. Its verdicts hold while its own change is the same. */
function renewEvidenceOfPassed(context: FoldContext, story: RunStory, result: LandResult, commit: string): void {
  const { draft } = context;
  const attempt = draft.attempts.findLast(({ storyId, status }) => storyId === story.storyId && status === 'passed');
  if (attempt === undefined) return;
  const known = evidenceOf(draft, story, { ...attempt, storyCommit: story.commit });
  addCommandEvidence({ ...context, story, attempt }, result.results, commit);
  if (result.same_patch) {
    carryEvidence(draft, known, commit);
    return;
  }
  const message = `The change of ${story.storyId} is another one since it was merged on the commits that a person put on the branch. Its reviewer saw the one before: read its diff.`;
  addWarnings(draft, [{ code: 'change_differs', message }]);
}
