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
  /** The commits of the stories that landed in it. */
  readonly bundles: readonly BundleSource[];
  /** Its last publish has left its whole bundle. */
  readonly hasBundle: boolean;
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
  return insertRun(deps, caller, { run, stories, idempotency }, check);
}

async function readOldRun(rows: Rows, runId: string): Promise<OldRun> {
  const run = await requireRun(rows, runId);
  const stories = await rows.runStories.list(runId);
  const bundles = await rows.runStories.landedBundles(runId);
  return { run, stories, bundles, hasBundle: await rows.runs.hasBundle(runId) };
}

function toRetry(deps: RunDeps, caller: Caller, old: OldRun, choices: RetryChoices): NewRunFields {
  const { run, stories } = old;
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
    // It holds the branch for the user.
    homeWorkerId: run.homeWorkerId,
    baseBundles: [...run.baseBundles, ...ownBundles(old)],
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

/** From the base of the old run to its head: the whole bundle outlives the tasks of the steps. runs-18. */
function ownBundles({ run, bundles, hasBundle }: OldRun): readonly BundleSource[] {
  const { id, headCommit, publishedCommit } = run;
  return hasBundle && headCommit !== null && publishedCommit === headCommit
    ? [{ run_id: id, commit: headCommit }]
    : bundles;
}

/** Landed commits are in the user's branch, in the bundle of the old run, or in the artifacts of its steps. runs-18. */
async function assertBaseExists(rows: Rows, old: OldRun): Promise<void> {
  const { run, bundles } = old;
  if (run.headCommit === null || run.headCommit === run.baseCommit || run.publishedCommit === run.headCommit) return;
  const isKept = async (source: BundleSource): Promise<boolean> =>
    'run_id' in source || (await rows.tasks.find(source.task_id)) !== undefined;
  const kept = await Promise.all(bundles.map(isKept));
  if (bundles.length > 0 && kept.every(Boolean)) return;
  throw new DomainError(
    'conflict',
    'base_gone',
    'The commits of this run are not kept any more. Create a new run from its document instead.',
  );
}
