// The answer to a question of a run: which fields its options take, and the body that they make.
import type { RunAnswerBody } from '../../data/run-deeds.ts';
import type { RunQuestion } from '../../data/runs.ts';

export type AnswerField = 'text' | 'agent' | 'commit' | 'branch' | 'usd' | 'tokens' | 'minutes' | 'iterations';

export type AnswerDraft = { readonly [Field in AnswerField]?: string | undefined } & {
  /** The choice for each criterion, by its index. */
  readonly choices?: Readonly<Record<number, string>>;
};

/** The fields that each option takes. */
const optionFields: Readonly<Record<string, readonly AnswerField[]>> = {
  hint: ['text'],
  reject: ['text'],
  other_agent: ['agent'],
  take: ['commit'],
  rename: ['branch'],
  raise: ['usd', 'tokens', 'minutes', 'iterations'],
};

/** The fields of all options of a question; a question without options takes a text. */
export function fieldsOf({ options }: Pick<RunQuestion, 'options'>): readonly AnswerField[] {
  return options.length === 0 ? ['text'] : [...new Set(options.flatMap((option) => optionFields[option] ?? []))];
}

/** `fix_first` is "Fix first". */
export function optionWords(option: string): string {
  const text = option.replaceAll('_', ' ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** The criteria that `unverifiable` asks about. */
export function askedCriteria({
  kind,
  data,
}: RunQuestion): readonly { readonly index: number; readonly text: string }[] {
  const asked: unknown = data['criteria'];
  if (kind !== 'unverifiable' || !Array.isArray(asked)) return [];
  return asked.flatMap((criterion: unknown) =>
    typeof criterion === 'object' &&
    criterion !== null &&
    'index' in criterion &&
    typeof criterion.index === 'number' &&
    'text' in criterion &&
    typeof criterion.text === 'string'
      ? [{ index: criterion.index, text: criterion.text }]
      : [],
  );
}

/** @param choice the option; undefined: a plain text, or a choice for each criterion */
export function answerBody(question: RunQuestion, choice: string | undefined, draft: AnswerDraft): RunAnswerBody {
  const base = { question_id: question.question_id };
  if (choice === undefined) {
    const text = textOf(draft.text);
    const [first = ''] = question.options;
    const criteria = askedCriteria(question);
    const choices = Object.fromEntries(criteria.map(({ index }) => [String(index), draft.choices?.[index] ?? first]));
    return { ...base, ...(criteria.length > 0 && { choices }), ...(text !== undefined && { text }) };
  }
  const taken = optionFields[choice] ?? [];
  const given = (field: AnswerField): string | undefined => (taken.includes(field) ? textOf(draft[field]) : undefined);
  const minutes = numberOf(given('minutes'));
  return {
    ...base,
    choice,
    ...textFields(given),
    ...numberFields(given),
    ...(minutes !== undefined && { seconds: minutes * 60 }),
  };
}

function textFields(given: (field: AnswerField) => string | undefined): Partial<RunAnswerBody> {
  return Object.fromEntries(
    (['text', 'agent', 'commit', 'branch'] as const).flatMap((field) => {
      const text = given(field);
      return text === undefined ? [] : [[field, text]];
    }),
  );
}

function numberFields(given: (field: AnswerField) => string | undefined): Partial<RunAnswerBody> {
  return Object.fromEntries(
    (['usd', 'tokens', 'iterations'] as const).flatMap((field) => {
      const value = numberOf(given(field));
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

function textOf(value: string | undefined): string | undefined {
  const text = value?.trim() ?? '';
  return text === '' ? undefined : text;
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || Number.isNaN(Number(text)) ? undefined : Number(text);
}
