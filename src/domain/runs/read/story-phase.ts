// Questions about the state of a story that several readers ask.
import type { RunStory } from '../../model/run/run.ts';
import { storyMovesFrom } from '../../model/run/run-state.ts';

/** True for a story that has passed or failed: it has no next state. */
export function isOverStory({ status }: RunStory): boolean {
  return storyMovesFrom(status).length === 0;
}
