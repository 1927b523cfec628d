// Checks an answer against the options of its question, and the fields that each option takes. runs-5.
import { DomainError, type FieldError } from '../../model/errors.ts';
import type { RunAnswer, RunBudget, RunQuestion } from '../../model/run/run.ts';
import { invalidField } from '../../tasks/routing/invalid-field.ts';
import { assertBranchName } from './run-choices.ts';

/** An answer as a person gives it. */
export interface PersonAnswer {
  readonly choice: string | undefined;
  /** For `unverifiable`: the choice for each criterion, by its index. */
  readonly choices: Readonly<Record<string, string>> | undefined;
  readonly text: string | undefined;
  readonly agent: string | undefined;
  readonly commit: string | undefined;
  readonly branch: string | undefined;
  /** By how much each bound of the budget grows. */
  readonly raise: { readonly [Bound in keyof RunBudget]?: number | null | undefined };
}

type Fields = Pick<RunQuestion, 'kind' | 'options' | 'data'>;

/** The field that an option cannot do without. */
const neededFields = { hint: 'text', other_agent: 'agent', take: 'commit', rename: 'branch' } as const;

/**
 * The answer in the form in which the director applies it. A choice may be written in any letter case.
 * @throws DomainError invalid: a choice that is not among the options, or a field that the choice needs and does not have
 */
export function checkAnswer(question: Fields, given: PersonAnswer): RunAnswer {
  const choice = resolveChoice(question, given);
  if (choice !== null) checkFields(choice, given);
  return {
    choice,
    choices: resolveChoices(question, given, choice),
    text: given.text ?? '',
    agent: given.agent ?? null,
    commit: given.commit ?? null,
    branch: given.branch ?? null,
    raise: raisedBounds(given.raise),
  };
}

/** The option that a text names, in any letter case; undefined: it names none. */
export function findOption(options: readonly string[], text: string): string | undefined {
  const wanted = text.trim().toLowerCase();
  return options.find((option) => option.toLowerCase() === wanted);
}

/** True for a question that a plain text answers: every other kind takes a choice. runs-18. */
export function takesFreeText({ kind }: Pick<RunQuestion, 'kind'>): boolean {
  return kind === 'agent';
}

function resolveChoice(question: Fields, { choice, choices, text }: PersonAnswer): string | null {
  if (choice === undefined) {
    if (question.kind === 'unverifiable' && choices !== undefined) return null;
    if (!takesFreeText(question)) throw notAmong('/choice', question.options);
    if ((text ?? '').trim() === '') throw invalidField('/text', 'is required: the text goes to the agent that asks');
    return null;
  }
  const option = findOption(question.options, choice);
  if (option === undefined) throw notAmong('/choice', question.options);
  return option;
}

function checkFields(choice: string, given: PersonAnswer): void {
  const needed = neededFieldOf(choice);
  if (needed !== undefined && (given[needed] ?? '').trim() === '')
    throw invalidField(`/${needed}`, `is required with the choice ${choice}`);
  if (choice === 'rename' && given.branch !== undefined) assertBranchName('/branch', given.branch);
  if (choice === 'raise' && Object.keys(raisedBounds(given.raise)).length === 0)
    throw invalidField('/usd', 'or tokens, seconds or iterations is required with the choice raise');
}

function neededFieldOf(choice: string): 'text' | 'agent' | 'commit' | 'branch' | undefined {
  switch (choice) {
    case 'hint':
    case 'other_agent':
    case 'take':
    case 'rename':
      return neededFields[choice];
    default:
      return undefined;
  }
}

/** Each asked criterion needs a choice; one `choice` stands for all of them. */
function resolveChoices(
  question: Fields,
  given: PersonAnswer,
  choice: string | null,
): Readonly<Record<string, string>> {
  if (question.kind !== 'unverifiable') return {};
  const asked = askedCriteria(question.data);
  if (choice !== null) return Object.fromEntries(asked.map((index) => [index, choice]));
  const errors: FieldError[] = [];
  const resolved: [string, string][] = [];
  for (const [index, text] of Object.entries(given.choices ?? {})) {
    const option = findOption(question.options, text);
    if (option === undefined) errors.push({ path: `/choices/${index}`, message: optionsMessage(question.options) });
    else if (!asked.includes(index))
      errors.push({ path: `/choices/${index}`, message: 'is not a criterion of this question' });
    else resolved.push([index, option]);
  }
  const missing = asked.filter((index) => given.choices?.[index] === undefined);
  errors.push(...missing.map((index) => ({ path: `/choices/${index}`, message: 'is required' })));
  const [first] = errors;
  if (first === undefined) return Object.fromEntries(resolved);
  const message = `The request is not valid: ${first.path} ${first.message}.`;
  throw new DomainError('invalid', 'invalid_request', message, { errors });
}

/** The indexes of the criteria that a question is about: `criteria: [{index, …}]` in its data. */
function askedCriteria(data: RunQuestion['data']): string[] {
  const criteria: unknown = data['criteria'];
  if (!Array.isArray(criteria)) return [];
  return criteria.flatMap((criterion: unknown) => {
    if (typeof criterion === 'number') return [String(criterion)];
    if (typeof criterion !== 'object' || criterion === null || !('index' in criterion)) return [];
    return typeof criterion.index === 'number' ? [String(criterion.index)] : [];
  });
}

function raisedBounds(raise: PersonAnswer['raise']): RunAnswer['raise'] {
  const bounds = (['usd', 'tokens', 'seconds', 'iterations'] as const).flatMap((bound) => {
    const value = raise[bound];
    return value === undefined || value === null ? [] : [[bound, value] as const];
  });
  return Object.fromEntries(bounds);
}

function optionsMessage(options: readonly string[]): string {
  return `must be one of ${JSON.stringify(options)}`;
}

function notAmong(path: string, options: readonly string[]): DomainError {
  return invalidField(path, optionsMessage(options));
}
