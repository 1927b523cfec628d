// Writes the one sentence that describes the state of a story. runs-6.1.
import type { CriterionEvidence, RunStory } from '../../model/run/run.ts';
import type { StoryPhase } from '../../model/run/run-state.ts';

/** A story that has not begun; `unmet` are the ids of the stories that it waits for. */
export function describePending(unmet: readonly string[]): string {
  return unmet.length === 0 ? 'waits for its turn' : `waits for ${unmet.join(', ')}`;
}

/** A story at work: `iteration 2: checking`. */
export function describeRunning(n: number, phase: StoryPhase, reason: string | null): string {
  return `iteration ${n}: ${phase}${reason === null ? '' : ` (${reason})`}`;
}

/**
 * A passed story: `commit 1a2b3c4: 3 of 3 criteria (2 by test, 1 by reviewer)`.
 * @param evidence the last of each criterion
 * @param waitsForCommit its commit is not on the branch before somebody asks for it
 */
export function describePassed(
  story: Pick<RunStory, 'commit' | 'criteria'>,
  evidence: readonly (CriterionEvidence | undefined)[],
  waitsForCommit: boolean,
): string {
  const passed = evidence.filter((row) => row?.status === 'passed');
  const by = (...kinds: string[]): number => passed.filter((row) => kinds.includes(row?.by ?? '')).length;
  const parts = [
    [by('gate', 'check'), 'by test'],
    [by('judge'), 'by reviewer'],
    [by('human'), 'by a person'],
  ] as const;
  const shares = parts.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`);
  const head = story.commit === null ? 'already met' : `commit ${story.commit.slice(0, 7)}`;
  const tail = shares.length === 0 ? '' : ` (${shares.join(', ')})`;
  return `${head}: ${passed.length} of ${story.criteria.length} criteria${tail}${waitsForCommit ? ', waits for commit' : ''}`;
}

/** A story without an iteration left. */
export function describeExhausted(iterations: number, sentence: string): string {
  return `${iterations} ${iterations === 1 ? 'iteration' : 'iterations'}: ${sentence}`;
}

/** A story that a failed dependency keeps from beginning. */
export function describeHeldUp(failed: readonly string[]): string {
  return `not started: it depends on ${failed.join(', ')}, which failed`;
}
