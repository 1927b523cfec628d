// The answers that each A2A REST row publishes, for every wire format of its base path.
import { z } from 'zod';
import { answers03, answers10, answersProto, restError } from '../../../contracts/a2a/a2a-answers.ts';
import type { Operation } from '../../pipeline/operation.ts';
import type { ActionName } from '../protocol/actions.ts';

/** The wire formats of a base path: v0.3's JSON and v1.0 side by side, or the JSON of v0.3's proto file alone. */
export type RestFormats = 'document and 1.0' | 'proto';

export function restAnswerSchemas(action: ActionName, formats: RestFormats): Operation['answers'] {
  // A row that answers with events publishes no JSON answer.
  if (action === 'stream' || action === 'subscribe') return {};
  if (formats === 'proto') return { [action === 'push_delete' ? 204 : 200]: answersProto[action] };
  if (action === 'push_delete') return { 200: answers10[action], 204: answers03[action] };
  return { 200: z.union([answers03[action], answers10[action]]) };
}

/** The bodies that `errorToRest` writes; every other status has the problem body. choices-3. */
export const restErrorSchemas: NonNullable<Operation['errorSchemas']> = {
  400: restError,
  404: restError,
  409: restError,
  500: restError,
};
