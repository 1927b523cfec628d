// The answer to a question of a run: what each option takes, and the body that it becomes.
import type { operations } from '../../../../src/client/api.ts';
import type { RunQuestion } from '../../data/runs/runs.ts';

export type RunAnswerBody = NonNullable<operations['ralph.answer']['requestBody']>['content']['application/json'];
export type AnswerField =
  'text' | 'reason' | 'agent' | 'commit' | 'branch' | 'usd' | 'tokens' | 'seconds' | 'iterations';

const fieldsByOption: Readonly<Record<string, readonly AnswerField[]>> = {
  hint: ['text'],
  other_agent: ['agent'],
  take: ['commit'],
  rename: ['branch'],
  raise: ['usd', 'tokens', 'seconds', 'iterations'],
  accept: ['reason'],
  reject: ['reason'],
  allow: ['reason'],
};

/** The fields that stand beside an option. */
export function fieldsOf(option: string): readonly AnswerField[] {
  return fieldsByOption[option] ?? [];
}

/** `Fix first` for `fix_first`. */
export function optionLabel(option: string): string {
  const words = option.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** The texts beside the options, by option and field. */
export type AnswerFields = ReadonlyMap<string, string>;

export function fieldKey(option: string, field: AnswerField): string {
  return `${option}:${field}`;
}

/** Empty fields are left out: the service names the one that the option needs. */
export function bodyOfOption(question_id: string, option: string, written: AnswerFields): RunAnswerBody {
  const text = (field: AnswerField): string => (written.get(fieldKey(option, field)) ?? '').trim();
  const members = fieldsOf(option)
    .filter((field) => text(field) !== '')
    .map((field) => [field === 'reason' ? 'text' : field, isNumeric(field) ? Number(text(field)) : text(field)]);
  return { question_id, choice: option, ...Object.fromEntries(members) };
}

export function isNumeric(field: AnswerField): boolean {
  return field === 'usd' || field === 'tokens' || field === 'seconds' || field === 'iterations';
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
