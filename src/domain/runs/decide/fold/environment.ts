// A gate that is red on a worker at the run's base too is no evidence about a candidate there. runs-10.
import { askInfra } from '../../outcome/question.ts';
import { hasWorkerForGates } from '../story/choices.ts';
import { factsOf, phaseOfStep } from '../story/infra.ts';
import { askAboutStory, enterPhase } from '../story/story-moves.ts';
import { closeUnanswered, type StoryFold } from './context.ts';

/**
 * Puts a check or a landing back for a worker on which these gates were green at the base; without one a person is asked.
 * No iteration is spent.
 * @returns whether it did
 */
export function putBackElsewhere(fold: StoryFold, gates: readonly string[], kind: 'check' | 'land'): boolean {
  if (gates.length === 0) return false;
  const { draft, story, step, attempt } = fold;
  const { storyId } = story;
  closeUnanswered(fold, 'infra', 'environment_differs');
  draft.event('environment_differs', { story_id: storyId, n: attempt.n, gates: [...gates] });
  const phase = phaseOfStep[kind];
  if (hasWorkerForGates(draft)) {
    enterPhase(draft, storyId, phase, null);
    return true;
  }
  const message = `${gates.join(', ')} fail at the base of the run on every worker that is online. Mend the worker, then retry.`;
  askAboutStory(
    draft,
    storyId,
    askInfra(factsOf(step, { code: 'environment_differs', message, retryAt: null }, 1)),
    phase,
  );
  return true;
}
