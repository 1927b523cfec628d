// The answer of check: evidence by commands, and what it means for the candidate. runs-10.
import type { CheckResult, GateResult } from '../../../model/run/step.ts';
import { type CheckOutcomeBefore, commandEvidence } from '../../outcome/evidence-rows.ts';
import { describeCheckFailure } from '../../outcome/failure.ts';
import { askApproveTests } from '../../outcome/question.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { criterionTies, evidenceOf, failedAttempts, uncoveredCriteria } from '../draft/story-lookups.ts';
import { failAttempt } from '../story/attempts.ts';
import { askAboutStory, enterPhase } from '../story/story-moves.ts';
import { closeAs, evidenceContext, rejectAnswer, reportGates, type StoryFold } from './context.ts';
import { putBackElsewhere } from './environment.ts';

export function foldCheck(fold: StoryFold, result: CheckResult): void {
  const { draft, story } = fold;
  if (putBackElsewhere(fold, result.environment_differs, 'check')) return;
  if (result.verdict === 'ok' && result.commit === null && !result.no_change) {
    rejectAnswer(fold, 'The check accepted the candidate and made no commit.');
    return;
  }
  const commit = result.no_change ? null : result.commit;
  draft.setAttempt(fold.attempt, { storyCommit: commit });
  // A rejected candidate gets no commit of the story: its evidence holds for the candidate itself.
  addCommandEvidence(fold, result.results, commit ?? fold.attempt.candidateCommit ?? fold.attempt.baseCommit);
  reportGates(fold, result.results);
  const attempt = { ...fold.attempt, storyCommit: commit };
  const failed = failedCommands(draft, result.results);
  const code = rejectionOf(draft, { ...fold, attempt }, result, failed);
  closeAs(fold, code === null ? 'ok' : 'rejected', code);
  if (code === null) {
    const isCovered = uncoveredCriteria(draft, story, attempt).length === 0;
    enterPhase(draft, story.storyId, isCovered ? 'landing' : 'judging', null);
  } else if (code === 'tests_changed' && isSecondTime(draft, fold)) {
    askAboutStory(draft, story.storyId, askApproveTests(story, attempt, result), 'checking');
  } else {
    failAttempt(draft, story, attempt, describeCheckFailure(code, result, failed));
  }
}

/**
 * Evidence of the criteria that commands show, as it holds for this commit. An advisory gate that fails decides nothing:
 * its criteria go to the judge.
 */
export function addCommandEvidence(fold: StoryFold, results: readonly GateResult[], commit: string): void {
  const { draft, story } = fold;
  const ties = criterionTies(draft, story);
  const before = (result: GateResult): CheckOutcomeBefore => outcomeBefore(draft, story.storyId, result);
  const failed = failedCommands(draft, results);
  const deciding = results.filter((result) => result.passed || failed.includes(result));
  for (const row of commandEvidence(evidenceContext(fold, commit), ties, deciding, before)) draft.addEvidence(row);
}

/** The commands that reject a candidate: required gates, and all checks of the story. */
export function failedCommands(draft: RunDraft, results: readonly GateResult[]): readonly GateResult[] {
  const advisory = (draft.run.baseline?.gates ?? []).filter(({ required }) => !required).map(({ id }) => id);
  return results.filter(({ gate_id, passed }) => !passed && (gate_id === null || !advisory.includes(gate_id)));
}

/** Why the candidate is rejected; null: it is not. The worker's verdict alone never lets a failed command pass. */
function rejectionOf(
  draft: RunDraft,
  { story, attempt }: StoryFold,
  result: CheckResult,
  failed: readonly GateResult[],
): string | null {
  const [first] = failed;
  const byCommand = first === undefined ? null : first.gate_id === null ? 'check_failed' : 'gate_failed';
  if (result.no_change) {
    const isMet = byCommand === null && uncoveredCriteria(draft, story, attempt).length === 0;
    const isRejectedOtherwise = result.code !== null && result.code !== 'no_change';
    return isMet && !isRejectedOtherwise ? null : 'no_change';
  }
  if (result.verdict === 'rejected') return result.code ?? byCommand ?? 'gate_failed';
  if (byCommand !== null) return byCommand;
  const isDisproved = evidenceOf(draft, story, attempt).some((row) => row?.status === 'failed');
  return isDisproved ? 'check_failed' : null;
}

function isSecondTime(draft: RunDraft, { story }: StoryFold): boolean {
  return failedAttempts(draft, story).some(({ failureCode }) => failureCode === 'tests_changed');
}

function outcomeBefore(draft: RunDraft, storyId: string, result: GateResult): CheckOutcomeBefore {
  if (result.before !== undefined) return result.before;
  const { baseline } = draft.run;
  const found =
    result.gate_id === null
      ? baseline?.checksBefore.find(
          ({ story_id, criterion, command }) =>
            story_id === storyId && criterion === result.criterion && command === result.command,
        )
      : baseline?.results.find(({ gate_id }) => gate_id === result.gate_id);
  return found === undefined ? 'unknown' : found.passed ? 'passed' : 'failed';
}
