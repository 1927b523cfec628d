// The answer of the judge: one verdict for each criterion that no command shows. runs-10.
import type { JudgeResult } from '../../../model/run/step.ts';
import { humanEvidence, judgeEvidence, readVerdicts } from '../../outcome/evidence-rows.ts';
import { describeJudgeFailure } from '../../outcome/failure.ts';
import { askUnverifiable } from '../../outcome/question.ts';
import { evidenceCommit, uncoveredCriteria } from '../draft/story-lookups.ts';
import { failAttempt } from '../story/attempts.ts';
import { askAboutStory, enterPhase } from '../story/story-moves.ts';
import { closeAs, evidenceContext, type StoryFold } from './context.ts';

export function foldJudge(fold: StoryFold, result: JudgeResult): void {
  const { draft, story, attempt } = fold;
  const asked = uncoveredCriteria(draft, story, attempt);
  const verdicts = readVerdicts(asked, result);
  const { unverifiable } = draft.run.options;
  const unsure = verdicts.filter(({ verdict }) => verdict === 'unverifiable');
  const failed = verdicts.filter(
    ({ verdict }) => verdict === 'fail' || (verdict === 'unverifiable' && unverifiable === 'fail'),
  );
  closeAs(fold, failed.length === 0 ? 'ok' : 'rejected', failed.length === 0 ? null : 'judge_failed');
  const context = evidenceContext(fold, evidenceCommit(attempt));
  for (const row of judgeEvidence(context, asked, result)) draft.addEvidence(row);
  if (failed.length > 0) {
    failAttempt(draft, story, attempt, describeJudgeFailure(failed, story.criteria));
  } else if (unsure.length > 0 && unverifiable === 'ask') {
    askAboutStory(draft, story.storyId, askUnverifiable(story, attempt, unsure), 'landing');
  } else {
    for (const { index } of unsure) {
      const reason = 'accepted ahead by the run\'s option "unverifiable"';
      draft.addEvidence(humanEvidence(context, index, 'passed', draft.run.createdBy, reason));
    }
    enterPhase(draft, story.storyId, 'landing', null);
  }
}
