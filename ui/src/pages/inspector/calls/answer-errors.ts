// Errors of an answer about single values of its request, in every protocol.
import type { RawAnswer } from '../../../api/raw-call.ts';
import { listOf, objectOf, parseJson, textOrEmpty, valueAt } from './json.ts';

/** Places where the service lists wrong values: problems, tool results, JSON-RPC errors of A2A v0.3. */
const lists = [
  ['errors'],
  ['result', '_meta', 'error', 'errors'],
  ['error', 'data', 'errors'],
  ['_meta', 'error', 'errors'],
] as const;
/** A2A v1.0 lists them as `google.rpc.BadRequest`. */
const details = [
  ['error', 'data'],
  ['error', 'details'],
] as const;

export function errorsOf(
  answer: RawAnswer | undefined,
): readonly { readonly path: string; readonly message: string }[] {
  const body = parseJson(answer?.text === '' ? (answer.frames.at(-1)?.data ?? '') : (answer?.text ?? ''))?.value;
  const named = lists.flatMap((pointer) => listOf(valueAt(body, pointer)).map(objectOf));
  const violations = details
    .flatMap((pointer) => listOf(valueAt(body, pointer)))
    .flatMap((detail) => listOf(objectOf(detail)['fieldViolations']).map(objectOf));
  return [
    ...named.map(({ path, message }) => ({ path: textOrEmpty(path), message: textOrEmpty(message) })),
    ...violations.map(({ field, description }) => ({ path: textOrEmpty(field), message: textOrEmpty(description) })),
  ].filter(({ message }) => message !== '');
}
