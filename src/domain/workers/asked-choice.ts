// The parts of a worker's question beside its text: options to choose from, kind, context. ui-6.3.
import { plainQuestion, type QuestionChoice } from '../model/task/task-question.ts';
import { invalidField } from '../tasks/routing/invalid-field.ts';

export interface AskedChoice {
  /** The label of an option is its value by default. */
  readonly options?: readonly { readonly value: string; readonly label?: string | undefined }[] | undefined;
  readonly kind?: QuestionChoice['kind'] | undefined;
  readonly context?: Readonly<Record<string, unknown>> | undefined;
}

const maxContextBytes = 16 * 1024;

/** @throws DomainError invalid: two options of one value, or a context of more than 16 KiB */
export function checkChoice({ options = [], context }: AskedChoice): void {
  const values = options.map(({ value }) => value);
  const repeated = values.findIndex((value, i) => values.indexOf(value) !== i);
  if (repeated >= 0) throw invalidField(`/message/options/${repeated}/value`, 'must differ from the values before it');
  if (context !== undefined && Buffer.byteLength(JSON.stringify(context)) > maxContextBytes) {
    throw invalidField('/message/context', 'may be at most 16 KiB as JSON');
  }
}

export function toQuestionChoice({ options = [], kind, context }: AskedChoice): QuestionChoice {
  return {
    kind: kind ?? plainQuestion.kind,
    options: options.map(({ value, label }) => ({ value, label: label ?? value })),
    context: context ?? null,
  };
}
