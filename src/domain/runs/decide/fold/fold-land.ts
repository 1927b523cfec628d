// The answer of land: the candidate merged on the head, or what stands in the way. runs-12.
import type { CriterionEvidence } from '../../../model/run/run.ts';
import type { LandResult } from '../../../model/run/step.ts';
import { cleanLearning } from '../../learning-text.ts';
import { failingLines } from '../../outcome/failing-lines.ts';
import { describeChangedFiles } from '../../outcome/changed-files.ts';
import { askConflict } from '../../outcome/question.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { landedStories } from '../draft/landed-stories.ts';
import { changedFilesOf, changedFilesOfStory, evidenceOf } from '../draft/story-lookups.ts';
import { voidAttempt } from '../story/attempts.ts';
import { askAboutStory, enterPhase } from '../story/story-moves.ts';
import { closeAs, rejectAnswer, reportGates, type StoryFold } from './context.ts';
import { putBackElsewhere } from './environment.ts';
import { addCommandEvidence, failedCommands } from './fold-check.ts';

/** Conflicts and red merged trees of one story before a person is asked. */
const mostConflicts = 3;

export function foldLand(fold: StoryFold, result: LandResult): void {
  const { draft, story } = fold;
  if (putBackElsewhere(fold, result.environment_differs, 'land')) return;
  const failed = failedCommands(draft, result.results);
  if (result.verdict === 'ok' && failed.length === 0) {
    if (result.commit === null || result.parent !== fold.step.head) {
      rejectAnswer(fold, 'The step accepted the merge and made no commit on the head that it was given.');
      return;
    }
    closeAs(fold, 'ok', null);
    reportGates(fold, result.results);
    renewEvidence(fold, result, result.commit);
    draft.setAttempt(fold.attempt, { storyCommit: result.commit });
    // Without evidence for each criterion the landing queue sends the story to its judge.
    enterPhase(draft, story.storyId, 'landing', null);
    return;
  }
  const isConflict = result.verdict === 'conflict';
  const code = isConflict ? 'conflict' : 'merged_gates_failed';
  closeAs(fold, 'rejected', code);
  reportGates(fold, result.results);
  const what = [describeObstacle(result), ...describeBothDiffs(fold)].join('\n');
  const { storyId } = story;
  draft.addLearning({ storyId, n: fold.attempt.n, kind: 'conflict', author: 'director', text: cleanLearning(what) });
  voidAttempt(draft, fold.attempt, code);
  const conflicts = story.conflicts + 1;
  draft.setStory(storyId, { conflicts });
  const next = isConflict ? 'resolving' : 'implementing';
  if (conflicts < mostConflicts) enterPhase(draft, storyId, next, null);
  else askAboutStory(draft, storyId, askConflict(story, fold.attempt, draft.run.headCommit ?? '', what), next);
}

/**
 * The evidence that holds for the merged commit: commands ran on it. The verdict of a judge or a person on the candidate holds
 * while its own change is the same. runs-12.
 */
function renewEvidence(fold: StoryFold, result: LandResult, commit: string): void {
  const { draft, story, attempt } = fold;
  const known = evidenceOf(draft, story, attempt);
  addCommandEvidence(fold, result.results, commit);
  if (result.same_patch) carryEvidence(draft, known, commit);
}

/** Repeats verdicts of judges and people for another commit with the same change. */
export function carryEvidence(
  draft: RunDraft,
  evidence: readonly (CriterionEvidence | undefined)[],
  commit: string,
): void {
  for (const row of evidence) {
    if (row === undefined || row.status !== 'passed' || row.by === 'gate' || row.by === 'check') continue;
    const { at: _, ...verdict } = row;
    draft.addEvidence({ ...verdict, commit });
  }
}

/** The files of both sides: the next attempt has to make them go together. runs-11. */
function describeBothDiffs({ draft, story, attempt }: StoryFold): string[] {
  const own = describeChangedFiles(changedFilesOf(draft, attempt));
  const landed = landedStories(draft);
  // Those after the base of the attempt; all of them where it began at the base of the run.
  const meanwhile = landed.slice(landed.findIndex(({ commit }) => commit === attempt.baseCommit) + 1);
  return [
    ...(own === '' ? [] : [`- the diff of ${story.storyId} touched ${own}`]),
    ...meanwhile.map((other) => {
      const files = describeChangedFiles(changedFilesOfStory(draft, other));
      const commit = other.commit?.slice(0, 7) ?? '';
      return `- ${other.storyId} landed meanwhile as ${commit}${files === '' ? '' : ` and touched ${files}`}`;
    }),
  ];
}

export function describeObstacle(result: LandResult): string {
  if (result.verdict === 'conflict') {
    return `- conflicts with the commits that landed meanwhile: ${result.conflicts.map(({ path }) => path).join(', ')}`;
  }
  const failed = result.results.filter(({ passed }) => !passed);
  const lines = failed.flatMap(({ command, exit_code, tail }) => [
    `- \`${command}\` exit ${exit_code ?? 'none'} on the tree merged with what landed meanwhile`,
    ...failingLines(tail, 20).map((line) => `    ${line}`),
  ]);
  return lines.length === 0 ? `- rejected after the merge: ${result.code ?? 'no reason given'}` : lines.join('\n');
}
