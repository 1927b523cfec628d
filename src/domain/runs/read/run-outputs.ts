// Verbs that read what a run made: its document with results, its diff and its bundle. runs-6.1.
import type { Caller } from '../../model/access/caller.ts';
import { DomainError } from '../../model/errors.ts';
import type { PrdRun, RunStep, RunStory } from '../../model/run/run.ts';
import type { Prd, PrdStory } from '../../model/prd/prd.ts';
import type { Rows, Store } from '../../ports/store/store.ts';
import { getArtifact, listArtifacts } from '../../tasks/artifacts.ts';
import { requireRun, requireStory } from './require-run.ts';

interface ReadDeps {
  readonly store: Store;
}

/** The document as it stands now, with `passes` and `notes` filled in. @throws DomainError not_found */
export function getRunDocument(deps: ReadDeps, caller: Caller, runId: string): Promise<Prd> {
  return deps.store.within(caller, async (rows) => {
    const run = await requireRun(rows, runId);
    return documentOf(run, await rows.runStories.list(runId));
  });
}

/** @param stories in the order of the document */
export function documentOf(run: PrdRun, stories: readonly RunStory[]): Prd {
  return { ...run.prd, branchName: run.branch, userStories: stories.map((story) => toDocumentStory(story, run.prd)) };
}

function toDocumentStory(story: RunStory, prd: Prd): PrdStory {
  const given = prd.userStories.find(({ id }) => id === story.storyId);
  return {
    id: story.storyId,
    title: story.title,
    description: story.description,
    acceptanceCriteria: story.criteria,
    priority: story.priority,
    dependsOn: story.dependsOn,
    passes: story.status === 'passed',
    notes: story.status === 'pending' ? (given?.notes ?? null) : story.result,
    checks: story.checks,
    allowTestChanges: story.allowTestChanges,
    agent: story.agent,
    model: story.model,
  };
}

/**
 * The unified diff of the run, or of one story: what its last attempt changed.
 * @throws DomainError not_found (run, story); conflict (`not_ready`) before there is one
 */
export async function getRunDiff(
  deps: ReadDeps,
  caller: Caller,
  runId: string,
  storyId: string | undefined,
): Promise<string> {
  if (storyId !== undefined) return getStoryDiff(deps, caller, runId, storyId);
  const content = await deps.store.within(caller, async (rows) => {
    await requireRun(rows, runId);
    return rows.runs.output(runId, 'diff');
  });
  if (content === undefined) throw notReady('diff');
  return new TextDecoder().decode(content);
}

/** The bundle `base..head` of git. @throws DomainError not_found; conflict (`not_ready`) before the last publish */
export async function getRunBundle(deps: ReadDeps, caller: Caller, runId: string): Promise<Uint8Array> {
  const content = await deps.store.within(caller, async (rows) => {
    await requireRun(rows, runId);
    return rows.runs.output(runId, 'bundle');
  });
  if (content === undefined) throw notReady('bundle');
  return content;
}

async function getStoryDiff(deps: ReadDeps, caller: Caller, runId: string, storyId: string): Promise<string> {
  const steps = await deps.store.within(caller, async (rows: Rows) => {
    await requireRun(rows, runId);
    requireStory(await rows.runStories.list(runId), storyId);
    return rows.runSteps.list(runId, storyId);
  });
  for (const step of steps.toReversed().filter(leavesDiff)) {
    const text = await findDiff(deps, caller, step.taskId);
    if (text !== undefined) return text;
  }
  throw notReady('diff');
}

/** Steps in which an agent changes files. */
function leavesDiff({ kind }: RunStep): boolean {
  return kind === 'implement' || kind === 'resolve';
}

/** The text of the task's newest diff; undefined: it left none, or the task was deleted. */
async function findDiff(deps: ReadDeps, caller: Caller, taskId: string): Promise<string | undefined> {
  const exists = await deps.store.within(caller, (rows) => rows.tasks.find(taskId));
  if (exists === undefined) return undefined;
  const summary = (await listArtifacts(deps, caller, taskId)).findLast(({ mimeType }) => mimeType === 'text/x-diff');
  return summary === undefined ? undefined : (await getArtifact(deps, caller, taskId, summary.artifactId)).text;
}

function notReady(what: string): DomainError {
  return new DomainError(
    'conflict',
    'not_ready',
    `This run has no ${what} yet. Read it again after its branch was published.`,
  );
}
