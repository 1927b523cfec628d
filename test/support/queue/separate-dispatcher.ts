// Verbs with a dispatcher of their own, on a clock that the test moves.
import { Dispatcher } from '../../../src/domain/workers/dispatcher.ts';
import type { Verbs } from '../verbs.ts';

export interface ClockedVerbs extends Disposable {
  readonly on: Verbs;
}

/** @param clock milliseconds, never set back @param silentAfterMs who says nothing for so long may be gone */
export function openClocked(verbs: Verbs, clock: { readonly ms: number }, silentAfterMs: number): ClockedVerbs {
  const log = (line: string): void => void verbs.logged.push(line);
  const dispatcher = new Dispatcher({ ...verbs, elapsedMs: () => clock.ms, silentAfterMs, log });
  verbs.participants.claims = dispatcher;
  return { on: { ...verbs, dispatcher }, [Symbol.dispose]: () => dispatcher[Symbol.dispose]() };
}
