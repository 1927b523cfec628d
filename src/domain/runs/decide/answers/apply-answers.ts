// Applies the answers of people to the questions of a run, each once. runs-5.
import { isRunOver } from '../../../model/run/run-state.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { makeAdvisory, demandFix } from '../fold/fold-prepare.ts';
import { cancelWholeRun } from '../plan/cancel-run.ts';
import { answerAboutStory, type AnsweredQuestion } from './story-answers.ts';
import { raiseBudget } from './raise-budget.ts';
import { failRun } from '../story/story-moves.ts';

export function applyAnswers(draft: RunDraft): void {
  for (const question of draft.questions) {
    const { answer, settled, answeredBy } = question;
    if (settled || question.answeredAt === null) continue;
    draft.settleQuestion(question);
    // A cancellation by an earlier answer leaves nothing to apply.
    if (answer !== null && !isRunOver(draft.run.status)) {
      applyAnswer(draft, { question, answer, subject: answeredBy ?? draft.run.createdBy });
    }
  }
}

function applyAnswer(draft: RunDraft, given: AnsweredQuestion): void {
  const { question, answer } = given;
  if (answer.choice === 'cancel' && question.kind !== 'agent') {
    const code = question.data['code'];
    const error = typeof code === 'string' ? { code, message: question.text } : null;
    cancelWholeRun(draft, `answer to the question ${question.kind}`, error);
    return;
  }
  switch (question.kind) {
    case 'baseline_red':
      answerBaseline(draft, given);
      return;
    case 'budget':
    case 'unpriced':
      answerBudget(draft, given);
      return;
    case 'branch_moved':
      answerBranch(draft, given);
      return;
    case 'agent':
    case 'infra':
    case 'agent_setup':
    case 'approve_tests':
    case 'unverifiable':
    case 'blocked':
    case 'stuck':
    case 'conflict':
      answerAboutStory(draft, given);
  }
}

/** `continue` on commits of a person is read from the question itself, when nothing else is at work on the head (plan/rebase). */
function answerBranch(draft: RunDraft, { question, answer }: AnsweredQuestion): void {
  const isDeleted = question.data['reason'] === 'moved' && question.data['found'] === null;
  if (answer.choice === 'rename' && answer.branch !== null) {
    draft.setRun({ branch: answer.branch, publishedCommit: null });
  } else if (answer.choice === 'continue' && isDeleted) {
    // It is made anew.
    draft.setRun({ publishedCommit: null });
  }
}

function answerBaseline(draft: RunDraft, { question, answer }: AnsweredQuestion): void {
  const gates = question.data['gates'];
  const ids = (Array.isArray(gates) ? gates : []).flatMap((gate: unknown) => {
    const id = typeof gate === 'object' && gate !== null && 'gate_id' in gate ? gate.gate_id : null;
    return typeof id === 'string' ? [id] : [];
  });
  if (answer.choice === 'ignore') makeAdvisory(draft, ids);
  else demandFix(draft, ids);
}

function answerBudget(draft: RunDraft, { question, answer }: AnsweredQuestion): void {
  if (answer.choice === 'finish') {
    failRun(draft, { code: 'stories_failed', message: 'The budget is used up, and a person finished the run.' });
    return;
  }
  raiseBudget(draft, answer.raise);
  // A person who answers the question about missing prices has accepted them.
  if (question.kind === 'unpriced') draft.setRun({ acceptsUnpriced: true });
}
