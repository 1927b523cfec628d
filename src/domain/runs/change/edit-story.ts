// The verbs that change a story which has not started, and that take one out of its run. runs-6.1.
import type { Caller } from '../../model/access/caller.ts';
import { DomainError } from '../../model/errors.ts';
import type { StoryChange } from '../../model/run/effect.ts';
import type { PrdRun, RunStory } from '../../model/run/run.ts';
import type { Rows } from '../../ports/store/store.ts';
import { lintPrd } from '../../prd/lint.ts';
import { invalidPrd, requirePrd } from '../../prd/parse-prd.ts';
import { toPrdDocument } from '../../prd/render.ts';
import { requireStory } from '../read/require-run.ts';
import { documentOf } from '../read/run-outputs.ts';
import { getStory, type StoryDetails } from '../read/read-stories.ts';
import { assertRunGoesOn, changeRun } from './change-run.ts';
import type { RunDeps } from './run-deps.ts';

/** An absent field stays. */
export type StoryEdit = Partial<
  Pick<
    RunStory,
    'title' | 'description' | 'criteria' | 'priority' | 'dependsOn' | 'checks' | 'allowTestChanges' | 'agent' | 'model'
  >
>;

type Deps = Pick<RunDeps, 'store' | 'policy' | 'decisions'>;

/**
 * Changes a pending story.
 * @throws DomainError not_found (run, story); forbidden; conflict (`run_finished`, `story_started`); invalid
 *   (`invalid_prd`) for a document that would not be valid, such as one with a cycle
 */
export async function editStory(
  deps: Deps,
  caller: Caller,
  runId: string,
  storyId: string,
  edit: StoryEdit,
): Promise<StoryDetails> {
  await changeRun(deps, caller, runId, {
    change: async (rows, run) => {
      const { stories, story } = await requirePendingStory(rows, run, storyId);
      const changed = stories.map((each) => (each.storyId === storyId ? { ...each, ...edit } : each));
      const checked = checkedStory(run, changed, storyId);
      const change: StoryChange = { ...checked };
      await rows.runStories.update(runId, storyId, change);
      await rows.runRecords.appendEvents(runId, [storyEvent(story)]);
    },
    wish: { wish: 'look' },
  });
  return getStory(deps, caller, runId, storyId);
}

/**
 * Takes a pending story out of its run.
 * @throws DomainError not_found (run, story); forbidden; conflict (`run_finished`, `story_started`; `story_needed` while
 *   another story depends on it, or when it is the last one)
 */
export async function removeStory(deps: Deps, caller: Caller, runId: string, storyId: string): Promise<void> {
  await changeRun(deps, caller, runId, {
    change: async (rows, run) => {
      const { stories } = await requirePendingStory(rows, run, storyId);
      const dependents = stories.filter(({ dependsOn }) => dependsOn?.includes(storyId) === true);
      if (dependents.length > 0) {
        const names = dependents.map((each) => each.storyId).join(', ');
        throw storyNeeded(`Other stories depend on this one: ${names}. Change their dependsOn first.`);
      }
      if (stories.length === 1) throw storyNeeded('This is the last story of the run. Cancel the run instead.');
      await rows.runStories.delete(runId, storyId);
    },
    wish: { wish: 'look' },
  });
}

async function requirePendingStory(
  rows: Rows,
  run: PrdRun,
  storyId: string,
): Promise<{ stories: readonly RunStory[]; story: RunStory }> {
  const stories = await rows.runStories.list(run.id);
  const story = requireStory(stories, storyId);
  assertRunGoesOn(run);
  if (story.status === 'pending') return { stories, story };
  const message = `This story is ${story.status}. Only a pending story can be changed; send guidance to a running one.`;
  throw new DomainError('conflict', 'story_started', message);
}

/** The members of the changed story as the rules of documents leave them. @throws DomainError invalid */
function checkedStory(run: PrdRun, stories: readonly RunStory[], storyId: string): StoryEdit {
  const prd = requirePrd(toPrdDocument(documentOf({ ...run, branch: run.prd.branchName }, stories)));
  const { errors } = lintPrd(prd);
  if (errors.length > 0) throw invalidPrd(errors);
  const story = prd.userStories.find(({ id }) => id === storyId);
  if (story === undefined) throw new Error(`the document of run ${run.id} lost its story ${storyId}`);
  const { title, description, acceptanceCriteria, priority, dependsOn, checks, allowTestChanges, agent, model } = story;
  return {
    title,
    description,
    criteria: acceptanceCriteria,
    priority,
    dependsOn,
    checks,
    allowTestChanges,
    agent,
    model,
  };
}

function storyEvent({ storyId, status, phase, iteration, result }: RunStory): {
  type: 'story';
  data: Record<string, unknown>;
} {
  return { type: 'story', data: { story_id: storyId, status, phase, iteration, result } };
}

function storyNeeded(message: string): DomainError {
  return new DomainError('conflict', 'story_needed', message);
}
