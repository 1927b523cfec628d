// The answers of agents that write: implement, resolve, diagnose. runs-5.
import type { DiagnoseResult, ImplementResult } from '../../../model/run/step.ts';
import { cleanLearning } from '../../learning-text.ts';
import { describeAgentFailure } from '../../outcome/failure.ts';
import { askForAgent } from '../../outcome/question.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { failAttempt, voidAttempt } from '../story/attempts.ts';
import { askAboutStory, enterPhase } from '../story/story-moves.ts';
import { closeAs, closeUnanswered, type FoldContext, type StoryFold } from './context.ts';

export function foldImplement(fold: StoryFold, result: ImplementResult): void {
  const { draft, step, story } = fold;
  closeAs(fold, result.blocked === null ? 'ok' : 'rejected', result.blocked === null ? null : 'blocked');
  noteWork(fold, result);
  if (result.blocked !== null) {
    failAttempt(draft, story, fold.attempt, describeAgentFailure('blocked', result.blocked));
    return;
  }
  if (result.asks !== null) {
    voidAttempt(draft, fold.attempt, null);
    askAboutStory(draft, story.storyId, askForAgent(story.storyId, step, false, result.asks), 'implementing');
    return;
  }
  enterPhase(draft, story.storyId, 'checking', null);
}

/** An agent that failed by itself while it implemented. */
export function failImplement(fold: StoryFold, code: string, message: string): void {
  closeUnanswered(fold, 'rejected', code);
  fold.draft.setAttempt(fold.attempt, { agent: fold.step.agent ?? fold.attempt.agent });
  failAttempt(fold.draft, fold.story, fold.attempt, describeAgentFailure(code, message));
}

/** A merge by an agent: it is checked like any candidate; without one, the story is implemented again on the head. */
export function foldResolve(fold: StoryFold, result: ImplementResult): void {
  const isResolved = result.candidate !== null && result.blocked === null && result.asks === null;
  closeAs(fold, isResolved ? 'ok' : 'rejected', isResolved ? null : 'blocked');
  noteWork(fold, result);
  if (isResolved) enterPhase(fold.draft, fold.story.storyId, 'checking', null);
  else startOver(fold, 'unresolved');
}

export function failResolve(fold: StoryFold, code: string): void {
  closeUnanswered(fold, 'rejected', code);
  startOver(fold, code);
}

function startOver({ draft, story, attempt }: StoryFold, code: string): void {
  voidAttempt(draft, attempt, code);
  enterPhase(draft, story.storyId, 'implementing', null);
}

/** The advice is a learning; the next attempt is made under it. */
export function foldDiagnose(context: FoldContext, result: DiagnoseResult): void {
  const { draft, step } = context;
  closeAs(context, 'ok', null);
  const text = cleanLearning(result.advice);
  draft.addLearning({ storyId: step.storyId, n: step.n, kind: 'diagnosis', author: 'agent', text });
  endDiagnosis(draft, step.storyId);
}

export function failDiagnose(context: FoldContext, code: string): void {
  closeUnanswered(context, 'rejected', code);
  endDiagnosis(context.draft, context.step.storyId);
}

function endDiagnosis(draft: RunDraft, storyId: string | null): void {
  const story = draft.story(storyId);
  if (story === undefined) return;
  draft.setStory(story.storyId, { diagnoses: story.diagnoses + 1 });
  enterPhase(draft, story.storyId, 'implementing', null);
}

/** Keeps the candidate, and what the agent wrote down for later attempts: together at most 8 KiB an attempt. */
function noteWork({ draft, story, attempt }: StoryFold, result: ImplementResult): void {
  const { agent, candidate, summary, notes, patterns } = result;
  const [candidateCommit, candidateTree] = [candidate?.commit ?? null, candidate?.tree ?? null];
  draft.setAttempt(attempt, { agent, summary, candidateCommit, candidateTree });
  const shared = { storyId: story.storyId, n: attempt.n, author: 'agent' } as const;
  const kept = cleanLearning(notes);
  draft.addLearning({ ...shared, kind: 'note', text: kept });
  let room = 8192 - Buffer.byteLength(kept);
  // One learning each: a reader sees a list, and a pattern that two attempts found is there once.
  for (const text of patterns.map((pattern) => cleanLearning(pattern))) {
    room -= Buffer.byteLength(text);
    if (room >= 0) draft.addLearning({ ...shared, kind: 'pattern', text });
  }
}
