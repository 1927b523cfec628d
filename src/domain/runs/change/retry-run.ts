// The verb retry of runs: a new run that begins at the old head and takes over what has passed. runs-5, runs-6.1.
import { permitOwner } from '../../access/permit.ts';
import type { Caller } from '../../model/access/caller.ts';
import { DomainError } from '../../model/errors.ts';
import type { PrdRun, RunOptions, RunStory } from '../../model/run/run.ts';
import { assertRunsEnabled } from '../../model/run/runs-enabled.ts';
import type { BundleSource } from '../../model/run/step.ts';
import type { IdempotencyKey } from '../../ports/store/queue.ts';
import type { Rows } from '../../ports/store/store.ts';
import { requireCodebase } from '../../codebases/manage.ts';
import { requireRun } from '../read/require-run.ts';
import { documentOf } from '../read/run-outputs.ts';
import { assertRunIsOver } from './change-run.ts';
import { newRunFields } from './create-run.ts';
import { insertRun, type CreatedRun, type NewRunFields } from './insert-run.ts';
import { resolveBudget, type BudgetChoice } from './run-choices.ts';
import type { RunDeps } from './run-deps.ts';

/** Undefined: as the old run. */
export interface RetryChoices {
  readonly maxIterations: number | undefined;
  readonly budget: BudgetChoice | undefined;
  readonly model: string | undefined;
  readonly agents: readonly string[] | undefined;
}

interface OldRun {
  readonly run: PrdRun;
  readonly stories: readonly RunStory[];
  readonly bundles: readonly BundleSource[];
}

/**
 * @throws DomainError not_found; forbidden (another's, and the caller is no operator); conflict (`ralph_disabled`,
 *   `run_not_finished`, `base_gone`); key_reused; unavailable
 */
export async function retryRun(
  deps: RunDeps,
  caller: Caller,
  runId: string,
  choices: RetryChoices,
  idempotency?: IdempotencyKey,
): Promise<CreatedRun> {
  assertRunsEnabled(deps.settings);
  const old = await deps.store.within({ tenantId: caller.tenantId }, (rows) => readOldRun(rows, runId));
  await permitOwner(deps.policy, caller, old.run.createdBy);
  assertRunIsOver(old.run, 'Only a run that is over can be retried.');
  const run = toRetry(deps, caller, old, choices);
  const stories = old.stories.map((story) => toRetriedStory(story, old.run, new Date(deps.now())));
  const check = async (rows: Rows): Promise<void> => {
    await requireCodebase(rows, run.codebaseId);
    await assertBaseExists(rows, old);
  };
  return insertRun(deps, caller, { run, stories, idempotency }, check, (rows) => carryBundles(rows, run.id, old));
}

async function readOldRun(rows: Rows, runId: string): Promise<OldRun> {
  const run = await requireRun(rows, runId);
  return { run, stories: await rows.runStories.list(runId), bundles: await rows.runStories.landedBundles(runId) };
}

function toRetry(deps: RunDeps, caller: Caller, { run, stories }: OldRun, choices: RetryChoices): NewRunFields {
  return {
    ...newRunFields(deps, caller, {
      mode: run.mode,
      maxParallel: run.maxParallel,
      maxIterations: choices.maxIterations ?? run.maxIterations,
      priority: run.priority,
      webhookUrl: run.webhookUrl ?? undefined,
      conversationId: run.conversationId ?? undefined,
    }),
    budget: choices.budget === undefined ? run.budget : resolveBudget(choices.budget),
    codebaseId: run.codebaseId,
    project: run.project,
    description: run.description,
    branch: run.branch,
    prd: { ...documentOf(run, stories), branchName: run.prd.branchName },
    options: toRetryOptions(run, choices),
    warnings: [],
    retryOf: run.id,
    prdSessionId: run.prdSessionId,
    prdVersion: run.prdVersion,
  };
}

/** The branch of the old run exists where it was published, so the new run continues it. */
function toRetryOptions(run: PrdRun, choices: RetryChoices): RunOptions {
  return {
    ...run.options,
    base: run.headCommit ?? run.options.base,
    branchPolicy: run.publishedCommit === null ? run.options.branchPolicy : 'continue',
    agents: choices.agents ?? run.options.agents,
    model: choices.model ?? run.options.model,
  };
}

function toRetriedStory(story: RunStory, old: PrdRun, now: Date): RunStory {
  const fresh = { ...story, phase: null, wait: null, iteration: 0, extraIterations: 0, conflicts: 0, diagnoses: 0 };
  if (story.status === 'passed') {
    return { ...fresh, passedAt: story.passedAt ?? now.toISOString(), carriedFrom: story.carriedFrom ?? old.id };
  }
  return { ...fresh, status: 'pending', commit: null, passedAt: null, result: 'waits for the run to begin' };
}

/** The carried stories name the bundles of the old run, so the new run's steps fetch the same chain of commits. */
async function carryBundles(rows: Rows, runId: string, { stories, bundles }: OldRun): Promise<void> {
  for (const { task_id: taskId, artifact_id: artifactId, commit } of bundles) {
    const carried = stories.find((story) => story.commit === commit);
    if (carried !== undefined) await rows.runStories.setLanded(runId, carried.storyId, { taskId, artifactId });
  }
}

/** What has landed is in the user's branch, in the bundle of the old run, or in the artifacts of its steps. runs-18. */
async function assertBaseExists(rows: Rows, { run, bundles }: OldRun): Promise<void> {
  if (run.headCommit === null || run.headCommit === run.baseCommit || run.publishedCommit === run.headCommit) return;
  if ((await rows.runs.output(run.id, 'bundle')) !== undefined) return;
  const tasks = await Promise.all(bundles.map(({ task_id }) => rows.tasks.find(task_id)));
  if (bundles.length > 0 && tasks.every((task) => task !== undefined)) return;
  throw new DomainError(
    'conflict',
    'base_gone',
    'The commits of this run are not kept any more. Create a new run from its document instead.',
  );
}
