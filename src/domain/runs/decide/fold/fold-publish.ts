// The answer of publish: where the branch of the user stands now. runs-12.
import { isRunOver } from '../../../model/run/run-state.ts';
import type { LandResult, PublishResult } from '../../../model/run/step.ts';
import { unpublishedStories } from '../draft/unpublished.ts';
import { askBranchAgain, askBranchMoved } from '../../outcome/question.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import type { FoldContext } from './context.ts';
import { closeAs, closeUnanswered, reportGates } from './context.ts';
import { failedCommands } from './fold-check.ts';
import { describeObstacle } from './fold-land.ts';

export function foldPublish(context: FoldContext, result: PublishResult): void {
  const { draft, task } = context;
  if (result.skipped !== null) {
    closeAs(context, 'rejected', result.skipped);
    const question = askBranchMoved(result);
    // A run that is over asks nothing more.
    if (isRunOver(draft.run.status)) warn(draft, 'branch_moved', question.text);
    else draft.ask(question);
    return;
  }
  closeAs(context, 'ok', null);
  draft.setRun({ publishedCommit: result.new });
  draft.event('published', { worker_id: task?.workerId ?? null, branch: result.branch, commit: result.new });
  if (result.merge_note !== null) warn(draft, 'not_merged', result.merge_note);
  dropWaitsForCommit(draft);
}

/** The last warning of each code stands. */
function warn(draft: RunDraft, code: string, message: string): void {
  draft.setRun({ warnings: [...draft.run.warnings.filter((warning) => warning.code !== code), { code, message }] });
}

/** The merge on theirs did not come about: the same question again, with the reason. */
export function failRebase(context: FoldContext, code: string, message: string): void {
  const { draft, step } = context;
  closeUnanswered(context, 'infra', code);
  draft.ask(askBranchAgain(draft.run.branch, step.head ?? '', draft.run.headCommit ?? '', message));
}

/** The commits of all landed stories are on the branch now. */
function dropWaitsForCommit(draft: RunDraft): void {
  if (draft.run.publishedCommit !== draft.run.headCommit) return;
  for (const { storyId, status, result } of draft.stories) {
    if (status === 'passed') draft.setStory(storyId, { result: result.replace(/, waits for commit$/, '') });
  }
}

/**
 * The run's commits that were not published yet, merged on the commits that a person put on the branch: together they are
 * one commit on theirs, which becomes the head.
 */
export function foldRebase(context: FoldContext, result: LandResult): void {
  const { draft, step, task } = context;
  const [head, theirs, storyId] = [draft.run.headCommit, step.head, step.storyId];
  if (theirs === null || head === null || storyId === null) {
    closeUnanswered(context, 'cancelled', 'stale');
    return;
  }
  const isGood = result.verdict === 'ok' && failedCommands(draft, result.results).length === 0;
  if (isGood && (result.commit === null || result.parent !== theirs)) {
    failRebase(context, 'bad_step_result', 'the step accepted the merge and made no commit on theirs');
    return;
  }
  closeAs(context, isGood ? 'ok' : 'rejected', isGood ? null : (result.code ?? result.verdict));
  reportGates(context, result.results);
  if (!isGood || result.commit === null) {
    draft.ask(askBranchAgain(draft.run.branch, theirs, head, describeObstacle(result)));
    return;
  }
  const { commit } = result;
  for (const story of unpublishedStories(draft)) draft.setStory(story.storyId, { commit });
  draft.setRun({ publishedCommit: theirs });
  draft.moveHead(theirs);
  const source = { taskId: step.taskId, artifactId: task?.bundleArtifactId ?? null };
  draft.land({ storyId, commit, parent: theirs, source });
  draft.event('landed', { story_id: storyId, commit, head: commit, queue: 0 });
}
