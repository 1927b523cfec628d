// The type of an operation's answer, by the operation's name.
import type { operations } from '../../../src/client/api.ts';

/** Body of the answer 200 or 201 of an operation. */
export type AnswerOf<Name extends keyof operations> = operations[Name] extends {
  responses: { 200: { content: { 'application/json': infer T } } };
}
  ? T
  : operations[Name] extends { responses: { 201: { content: { 'application/json': infer T } } } }
    ? T
    : never;
