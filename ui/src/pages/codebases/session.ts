// A session of an agent, as its worker reports it.
import type { Schemas } from '../../../../src/client/client.ts';
import { cleanTitle } from '../../text/clean.ts';
import { codebaseWords as words } from '../../words/service/en-codebases.ts';

export type Session = Schemas['Session'];

export function sessionTitle({ title }: Session): string {
  return title === '' ? words.untitled : cleanTitle(title);
}
