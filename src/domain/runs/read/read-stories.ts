// Verbs that read the stories of a run, with evidence, steps and attempts. runs-6.1.
import type { Caller } from '../../model/access/caller.ts';
import { notFound } from '../../model/errors.ts';
import type { CriterionEvidence, RunStep, StoryAttempt } from '../../model/run/run.ts';
import type { Usage } from '../../model/task/task.ts';
import type { Rows, Store } from '../../ports/store/store.ts';
import { requireRun, requireStory } from './require-run.ts';
import { viewStories, type StoryView } from './run-view.ts';

interface ReadDeps {
  readonly store: Store;
}

export interface StoryDetails extends StoryView {
  /** The evidence of all attempts, oldest first. */
  readonly evidence: readonly CriterionEvidence[];
  readonly steps: readonly RunStep[];
}

export interface AttemptDetails {
  readonly attempt: StoryAttempt;
  readonly evidence: readonly CriterionEvidence[];
  readonly steps: readonly RunStep[];
  /** The sum over its steps; null: none of them has reported it. */
  readonly usage: Usage | null;
}

/** In the order of the document. @throws DomainError not_found */
export function listStories(deps: ReadDeps, caller: Caller, runId: string): Promise<StoryDetails[]> {
  return deps.store.within(caller, async (rows) => {
    await requireRun(rows, runId);
    return readStories(rows, runId);
  });
}

/** @throws DomainError not_found (run, story) */
export function getStory(deps: ReadDeps, caller: Caller, runId: string, storyId: string): Promise<StoryDetails> {
  return deps.store.within(caller, async (rows) => {
    await requireRun(rows, runId);
    const found = (await readStories(rows, runId)).find(({ story }) => story.storyId === storyId);
    if (found === undefined) throw notFound('story');
    return found;
  });
}

/** Every story with its details, within a transaction that found the run. */
async function readStories(rows: Rows, runId: string): Promise<StoryDetails[]> {
  const stories = await rows.runStories.list(runId);
  const evidence = await rows.runRecords.evidence(runId);
  const steps = await rows.runSteps.list(runId);
  const views = await viewStories(rows, stories, evidence, steps);
  return views.map((view) => ({
    ...view,
    evidence: evidence.filter(({ storyId }) => storyId === view.story.storyId),
    steps: steps.filter(({ storyId }) => storyId === view.story.storyId),
  }));
}

/** Every try of every iteration, oldest first. @throws DomainError not_found (run, story) */
export function listAttempts(
  deps: ReadDeps,
  caller: Caller,
  runId: string,
  storyId: string,
): Promise<AttemptDetails[]> {
  return deps.store.within(caller, async (rows) => {
    await requireRun(rows, runId);
    requireStory(await rows.runStories.list(runId), storyId);
    const attempts = await rows.runStories.attempts(runId, storyId);
    const evidence = await rows.runRecords.evidence(runId, storyId);
    const steps = await rows.runSteps.list(runId, storyId);
    const details: AttemptDetails[] = [];
    for (const attempt of attempts) details.push(await detailAttempt(rows, attempt, evidence, steps));
    return details;
  });
}

/** The last try of that iteration. @throws DomainError not_found (run, story, attempt) */
export async function getAttempt(
  deps: ReadDeps,
  caller: Caller,
  runId: string,
  storyId: string,
  n: number,
): Promise<AttemptDetails> {
  const found = (await listAttempts(deps, caller, runId, storyId)).findLast(({ attempt }) => attempt.n === n);
  if (found === undefined) throw notFound('attempt');
  return found;
}

async function detailAttempt(
  rows: Rows,
  attempt: StoryAttempt,
  evidence: readonly CriterionEvidence[],
  steps: readonly RunStep[],
): Promise<AttemptDetails> {
  const ownSteps = steps.filter((step) => step.n === attempt.n && step.try === attempt.try);
  const taskIds = new Set(ownSteps.map(({ taskId }) => taskId));
  const usages: Usage[] = [];
  for (const { taskId } of ownSteps) {
    const usage = (await rows.tasks.find(taskId))?.usage;
    if (usage !== undefined && usage !== null) usages.push(usage);
  }
  return {
    attempt,
    // Evidence of a person has no task: it belongs to the last try, which asked.
    evidence: evidence.filter(
      ({ n, taskId }) => n === attempt.n && (taskId === null ? attempt.status !== 'void' : taskIds.has(taskId)),
    ),
    steps: ownSteps,
    usage: sumUsages(usages),
  };
}

type Counted = 'input_tokens' | 'output_tokens' | 'cached_tokens' | 'cost_usd' | 'duration_ms';

function sumUsages(usages: readonly Usage[]): Usage | null {
  if (usages.length === 0) return null;
  const total = (member: Counted): Partial<Usage> => {
    const amounts = usages.flatMap((usage) => usage[member] ?? []);
    return amounts.length === 0 ? {} : { [member]: amounts.reduce((sum, each) => sum + each, 0) };
  };
  return {
    ...total('input_tokens'),
    ...total('output_tokens'),
    ...total('cached_tokens'),
    ...total('cost_usd'),
    ...total('duration_ms'),
  };
}
