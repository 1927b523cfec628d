// The verb answer of runs: records a person's answer to an open question, which the director then applies. runs-5.
import type { Caller } from '../../model/access/caller.ts';
import { DomainError } from '../../model/errors.ts';
import type { RunView } from '../read/run-view.ts';
import { changeRun } from './change-run.ts';
import { checkAnswer, type PersonAnswer } from './check-answer.ts';
import type { RunDeps } from './run-deps.ts';

/**
 * @throws DomainError not_found; forbidden; conflict (`no_question`, `question_answered`); invalid as `checkAnswer`
 */
export async function answerRun(
  deps: Pick<RunDeps, 'store' | 'policy' | 'decisions'>,
  caller: Caller,
  runId: string,
  questionId: string,
  given: PersonAnswer,
): Promise<RunView> {
  const { view } = await changeRun(deps, caller, runId, {
    change: async (rows) => {
      const question = (await rows.runRecords.questions(runId)).find(({ id }) => id === questionId);
      if (question === undefined) throw noQuestion();
      if (question.answeredAt !== null) throw questionAnswered();
      const answer = checkAnswer(question, given);
      if (!(await rows.runRecords.answer(runId, questionId, answer, caller.subject))) throw questionAnswered();
      await rows.runRecords.appendEvents(runId, [
        { type: 'answer', data: { question_id: questionId, by: caller.subject } },
      ]);
    },
    wish: { wish: 'look' },
  });
  return view;
}

function noQuestion(): DomainError {
  return new DomainError(
    'conflict',
    'no_question',
    'This run has no such question. Its open questions are in `questions`.',
  );
}

function questionAnswered(): DomainError {
  return new DomainError('conflict', 'question_answered', 'This question was answered already, or became moot.');
}
