// Folds the results of the tasks of open steps into the rows of the run. runs-7.
import { isRunOver } from '../../../model/run/run-state.ts';
import type { OpenStep } from '../../../model/run/snapshot.ts';
import type { StepResult } from '../../../model/run/step.ts';
import { askForAgent } from '../../outcome/question.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { openAttemptOf } from '../draft/story-lookups.ts';
import { retryLatePublish } from '../plan/publish.ts';
import { countUsage } from '../draft/usage.ts';
import { countRunInfra, type InfraFailure, waitAfterInfra } from '../story/infra.ts';
import { askAboutStory, enterPhase } from '../story/story-moves.ts';
import { closeUnanswered, type FoldContext, type StoryFold } from './context.ts';
import {
  failDiagnose,
  failImplement,
  failResolve,
  foldDiagnose,
  foldImplement,
  foldResolve,
} from './fold-agent-work.ts';
import { foldCheck } from './fold-check.ts';
import { foldJudge } from './fold-judge.ts';
import { foldLand } from './fold-land.ts';
import { failPrepare, foldPrepare } from './fold-prepare.ts';
import { failRebase, foldPublish, foldRebase } from './fold-publish.ts';
import { type OpenStepOutcome, outcomeOf } from './step-outcome.ts';

type Ended = Exclude<OpenStepOutcome, { type: 'running' | 'asks' }>;

export function foldSteps(draft: RunDraft): void {
  for (const { step } of draft.before.openSteps) {
    // An earlier fold may have ended it: a failed prepare ends the run.
    const open = draft.openSteps.find((one) => one.step.id === step.id);
    if (open !== undefined) foldStep(draft, open);
  }
}

function foldStep(draft: RunDraft, open: OpenStep): void {
  const { step, task } = open;
  const outcome = outcomeOf(open);
  if (outcome.type === 'running') {
    if (step.status === 'asking') goOn(draft, open);
    return;
  }
  if (outcome.type === 'asks') {
    if (step.status === 'open') askForTask(draft, open, outcome.text);
    return;
  }
  countUsage(draft, step.kind, task);
  closeTaskQuestion(draft, open);
  foldOutcome({ draft, step, task }, outcome);
}

function foldOutcome(context: FoldContext, outcome: Ended): void {
  const { draft, step } = context;
  if (step.kind === 'publish') {
    if (outcome.type === 'answered') foldAnswer(context, outcome.result);
    else failRunStep(context, outcome);
    return;
  }
  if (isRunOver(draft.run.status)) {
    closeUnanswered(context, 'cancelled', 'stale');
    return;
  }
  if (step.kind === 'prepare') {
    if (draft.run.baseline !== null) closeUnanswered(context, 'cancelled', 'stale');
    else if (outcome.type === 'answered') foldAnswer(context, outcome.result);
    else failRunStep(context, outcome);
    return;
  }
  const story = draft.story(step.storyId);
  if (step.kind === 'land' && story?.status === 'passed') {
    if (outcome.type === 'answered') foldAnswer(context, outcome.result);
    else failRebase(context, outcome.code, outcome.message);
    return;
  }
  foldStoryStep(context, outcome);
}

/** A step of a story; one that no longer belongs to the story's attempt changes nothing. */
function foldStoryStep(context: FoldContext, outcome: Ended): void {
  const { draft, step } = context;
  const story = draft.story(step.storyId);
  if (story?.status !== 'running') {
    closeUnanswered(context, 'cancelled', 'stale');
    return;
  }
  if (step.kind === 'diagnose' && outcome.type === 'answered' && outcome.result.kind === 'diagnose') {
    foldDiagnose(context, outcome.result);
    return;
  }
  if (step.kind === 'diagnose' && outcome.type === 'agent_failed') {
    failDiagnose(context, outcome.code);
    return;
  }
  if (outcome.type === 'infra') {
    closeUnanswered(context, 'infra', outcome.code);
    waitAfterInfra(draft, story, step, outcome);
    return;
  }
  const attempt = openAttemptOf(draft, story);
  if (attempt === undefined || attempt.n !== step.n || attempt.try !== step.try) {
    closeUnanswered(context, 'cancelled', 'stale');
    return;
  }
  const fold = { ...context, story, attempt };
  if (outcome.type === 'answered') foldStoryAnswer(fold, outcome.result);
  else if (step.kind === 'resolve') failResolve(fold, outcome.code);
  else failImplement(fold, outcome.code, outcome.message);
}

function foldStoryAnswer(fold: StoryFold, result: StepResult): void {
  switch (result.kind) {
    case 'implement':
    case 'resolve':
      if (fold.step.kind === 'resolve') foldResolve(fold, result);
      else foldImplement(fold, result);
      return;
    case 'check':
      foldCheck(fold, result);
      return;
    case 'judge':
      foldJudge(fold, result);
      return;
    case 'land':
      foldLand(fold, result);
      return;
    case 'prepare':
    case 'diagnose':
    case 'publish':
      closeUnanswered(fold, 'cancelled', 'stale');
  }
}

/** The answer of a step of the run itself. */
function foldAnswer(context: FoldContext, result: StepResult): void {
  if (result.kind === 'prepare') foldPrepare(context, result);
  else if (result.kind === 'publish') foldPublish(context, result);
  else if (result.kind === 'land') foldRebase(context, result);
}

function failRunStep(context: FoldContext, outcome: Exclude<Ended, { type: 'answered' }>): void {
  const { draft, step } = context;
  const retryAt = outcome.type === 'infra' ? outcome.retryAt : null;
  const failure: InfraFailure = { code: outcome.code, message: outcome.message, retryAt };
  closeUnanswered(context, 'infra', outcome.code);
  if (isRunOver(draft.run.status)) retryLatePublish(draft, failure);
  else if (step.kind === 'prepare') failPrepare(draft, step, failure);
  else countRunInfra(draft, step, failure);
}

/** The task asks a person: the run asks the same. */
function askForTask(draft: RunDraft, open: OpenStep, text: string): void {
  const { step, task } = open;
  const [status, code, workerId] = ['asking' as const, null, task?.workerId ?? null];
  draft.closeStep({ stepId: step.id, status, code, result: null, workerId, bundleArtifactId: null });
  const question = askForAgent(step.storyId, step, true, text);
  const story = draft.story(step.storyId);
  if (story?.status === 'running' && story.phase !== null) askAboutStory(draft, story.storyId, question, story.phase);
  else draft.ask(question);
}

/** The question of a task was answered, by the run's verb or at the task itself. */
function goOn(draft: RunDraft, open: OpenStep): void {
  draft.reopenStep(open.step);
  closeTaskQuestion(draft, open);
  const story = draft.story(open.step.storyId);
  if (story?.phase === 'asking' && story.wait !== null) enterPhase(draft, story.storyId, story.wait.phase, null);
}

function closeTaskQuestion(draft: RunDraft, { step }: OpenStep): void {
  for (const question of draft.openQuestions()) {
    if (question.kind === 'agent' && question.data['step_id'] === step.id) draft.closeQuestion(question);
  }
}
