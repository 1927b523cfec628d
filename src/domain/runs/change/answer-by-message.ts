// The verb that answers a run's open question by a message to its conversation. runs-6.3.
import { requirePerson } from '../../access/require-person.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { PrdRun, RunQuestion } from '../../model/run/run.ts';
import { isRunOver } from '../../model/run/run-state.ts';
import type { Rows } from '../../ports/store/store.ts';
import { isUuid } from '../../../lib/uuid7.ts';
import { answerRun } from './answer-run.ts';
import { findOption, takesFreeText } from './check-answer.ts';
import type { RunDeps } from './run-deps.ts';

export type RunMessageDeps = Pick<RunDeps, 'store' | 'policy' | 'decisions'>;

export interface RunReply {
  readonly run: PrdRun;
  /** True: the message answered the open question. False: nothing changed. */
  readonly answered: boolean;
  /** The text for the sender. */
  readonly text: string;
}

/** The most runs of one conversation that are searched, newest first. */
const maxRuns = 20;

/**
 * Answers the question of the unfinished run that has this id or this conversation, if exactly one question is open and the text is one
 * of its options, in any letter case, or its kind takes free text. Otherwise the reply lists the open questions.
 * @returns undefined when no unfinished run of this conversation has an open question: the message is an ordinary one
 * @throws DomainError forbidden (another's run, and the caller is no operator; `needs_person`); invalid for an option that
 *   needs more fields
 */
export async function answerRunByMessage(
  deps: RunMessageDeps,
  caller: Caller,
  conversationId: string | undefined,
  text: string,
): Promise<RunReply | undefined> {
  if (conversationId === undefined || conversationId.includes('\0')) return undefined;
  const found = await deps.store.within({ tenantId: caller.tenantId }, async (rows) => {
    const run = await findUnfinished(rows, conversationId);
    return run && { run, open: (await rows.runRecords.questions(run.id)).filter((one) => one.answeredAt === null) };
  });
  // Without an open question the message is for the agents of the conversation, as any other.
  if (found === undefined || found.open.length === 0) return undefined;
  const { run, open } = found;
  const [question] = open;
  const answer = question !== undefined && open.length === 1 ? plainAnswer(question, text) : undefined;
  if (question === undefined || answer === undefined)
    return { run, answered: false, text: describeQuestions(run, open) };
  requirePerson(caller);
  const view = await answerRun(deps, caller, run.id, question.id, answer);
  return { run: view.run, answered: true, text: `The run has your answer to: ${question.text}` };
}

/** The run with this id, else the newest of the conversation. */
async function findUnfinished(rows: Rows, conversationId: string): Promise<PrdRun | undefined> {
  const named = isUuid(conversationId) ? await rows.runs.find(conversationId) : undefined;
  const runs = await rows.runs.list({ conversationId }, { limit: maxRuns, before: undefined });
  return [...(named === undefined ? [] : [named]), ...runs].find(({ status }) => !isRunOver(status));
}

type PlainAnswer = Parameters<typeof answerRun>[4];

/** Undefined: the text answers nothing. */
function plainAnswer(question: RunQuestion, text: string): PlainAnswer | undefined {
  const rest = { choices: undefined, agent: undefined, commit: undefined, branch: undefined, raise: {} };
  const choice = findOption(question.options, text);
  if (choice !== undefined) return { ...rest, choice, text: undefined };
  return takesFreeText(question) ? { ...rest, choice: undefined, text } : undefined;
}

function describeQuestions({ id }: PrdRun, open: readonly RunQuestion[]): string {
  const lines = open.map(({ text, options, storyId }) => {
    const about = storyId === null ? '' : `${storyId}: `;
    return `- ${about}${text}${options.length === 0 ? '' : `\n  Options: ${options.join(', ')}`}`;
  });
  const remedy = open.length === 1 ? 'Answer with one of its options.' : 'Answer one by its question_id.';
  return [`Nothing was changed. Run ${id} asks:`, ...lines, remedy].join('\n');
}
