// The verb create of runs: checks the document and the choices, and stores a run that the director then begins. runs-6.1.
import { requirePerson } from '../../access/require-person.ts';
import type { Caller } from '../../model/access/caller.ts';
import { globalCodebaseId, pendingCodebaseId } from '../../model/codebase.ts';
import { DomainError } from '../../model/errors.ts';
import type { Prd, PrdFinding, PrdStory } from '../../model/prd/prd.ts';
import type { RunStory } from '../../model/run/run.ts';
import { assertRunsEnabled } from '../../model/run/runs-enabled.ts';
import type { IdempotencyKey } from '../../ports/store/queue.ts';
import type { Rows } from '../../ports/store/store.ts';
import { requireCodebase } from '../../codebases/manage.ts';
import { withBranchPrefix } from '../../prd/branch-name.ts';
import { lintPrd } from '../../prd/lint.ts';
import { invalidPrd, requirePrd } from '../../prd/parse-prd.ts';
import { checkWebhookUrl } from '../../tasks/routing/target-url.ts';
import type { RunView } from '../read/run-view.ts';
import { resolveBudget, resolveOptions, withChosenGates, type RunChoices } from './run-choices.ts';
import type { RunDeps } from './run-deps.ts';
import { insertRun, type CreatedRun, type NewRunFields } from './insert-run.ts';

export interface NewRunRequest {
  /** Undefined: the caller's active codebase. */
  readonly codebaseId: string | undefined;
  /** An object in either spelling, or its text in YAML or JSON. */
  readonly prd: unknown;
  readonly choices: RunChoices;
  readonly idempotency?: IdempotencyKey | undefined;
  /** The version of a PRD chat that the document is. */
  readonly prdSession?: { readonly id: string; readonly version: number } | undefined;
}

/**
 * Creates a run, which is pending.
 * @throws DomainError conflict (`ralph_disabled`); forbidden (`needs_person`); invalid (`invalid_prd`, `bad_branch_name`, `no_codebase`, a rejected
 *   webhook); not_found (codebase); key_reused; unavailable
 */
export async function createRun(deps: RunDeps, caller: Caller, request: NewRunRequest): Promise<CreatedRun> {
  assertRunsEnabled(deps.settings);
  const { choices, idempotency } = request;
  // It answers the question `unverifiable` ahead, in the creator's name.
  if (choices.unverifiable === 'accept') requirePerson(caller);
  const { prd, warnings } = readRunnable(request.prd, choices);
  const options = resolveOptions(choices, deps.settings);
  checkWebhookUrl(deps.egress, choices.webhookUrl ?? null);
  const codebaseId = request.codebaseId ?? (await findActiveCodebaseId(deps, caller));
  assertServable(codebaseId);
  const stories = prd.userStories.map((story, position) => toRunStory(story, position, new Date(deps.now())));
  const run: NewRunFields = {
    ...newRunFields(deps, caller, choices),
    codebaseId,
    project: prd.project,
    description: prd.description,
    branch: withBranchPrefix(prd.branchName, deps.settings.branchPrefix),
    prd,
    options,
    warnings,
    prdSessionId: request.prdSession?.id ?? null,
    prdVersion: request.prdSession?.version ?? null,
  };
  return insertRun(deps, caller, { run, stories, idempotency }, async (rows) => {
    await requireCodebase(rows, codebaseId);
  });
}

/** The fields of a run that has not begun; the document's are the caller's to add. */
export function newRunFields(
  { makeId, settings, now }: Pick<RunDeps, 'makeId' | 'settings' | 'now'>,
  caller: Caller,
  choices: RunChoices,
): Omit<NewRunFields, 'codebaseId' | 'project' | 'description' | 'branch' | 'prd' | 'options' | 'warnings'> {
  return {
    id: makeId(),
    baseBundles: [],
    baseCommit: null,
    headCommit: null,
    publishedCommit: null,
    homeWorkerId: null,
    status: 'pending',
    pauseMode: null,
    mode: choices.mode ?? 'sequential',
    maxParallel: choices.maxParallel ?? settings.maxParallel,
    maxIterations: choices.maxIterations ?? settings.maxIterations,
    currentIteration: 0,
    baseline: null,
    budget: resolveBudget(choices.budget),
    spent: { usd: null, tokens: 0, seconds: 0, iterations: 0, unpricedSteps: 0 },
    budgetShare: 0,
    acceptsUnpriced: false,
    priority: choices.priority ?? 0,
    webhookUrl: choices.webhookUrl ?? null,
    conversationId: choices.conversationId ?? null,
    retryOf: null,
    prdSessionId: null,
    prdVersion: null,
    waitingReason: null,
    error: null,
    createdBy: caller.subject,
    startedAt: null,
    completedAt: null,
    activeSince: null,
    // The director looks at once.
    dueAt: new Date(now()).toISOString(),
  };
}

function readRunnable(input: unknown, choices: RunChoices): { prd: Prd; warnings: readonly PrdFinding[] } {
  const prd = withChosenGates(requirePrd(input), choices);
  const { errors, warnings } = lintPrd(prd);
  if (errors.length > 0) throw invalidPrd(errors);
  return { prd, warnings };
}

function findActiveCodebaseId(deps: Pick<RunDeps, 'store'>, caller: Caller): Promise<string | undefined> {
  return deps.store.within({ tenantId: caller.tenantId }, (rows: Rows) => rows.activeCodebases.find(caller.subject));
}

/** `global` is another folder on each worker, so no run can work on it. runs-18. */
function assertServable(codebaseId: string | undefined): asserts codebaseId is string {
  if (codebaseId !== undefined && codebaseId !== globalCodebaseId && codebaseId !== pendingCodebaseId) return;
  const message =
    'must name a registered codebase other than global: register the repository, or set an active codebase';
  throw new DomainError('invalid', 'no_codebase', `The request is not valid: /codebase_id ${message}.`, {
    errors: [{ path: '/codebase_id', message }],
  });
}

function toRunStory(story: PrdStory, position: number, now: Date): RunStory {
  return {
    storyId: story.id,
    position,
    title: story.title,
    description: story.description,
    criteria: story.acceptanceCriteria,
    priority: story.priority,
    dependsOn: story.dependsOn,
    checks: story.checks,
    allowTestChanges: story.allowTestChanges,
    agent: story.agent,
    model: story.model,
    status: story.passes ? 'passed' : 'pending',
    phase: null,
    iteration: 0,
    extraIterations: 0,
    commit: null,
    result: story.passes ? 'passed before this run' : 'waits for the run to begin',
    wait: null,
    conflicts: 0,
    diagnoses: 0,
    passedAt: story.passes ? now.toISOString() : null,
    carriedFrom: null,
  };
}

/** The sentence of the answer to a creation. runs-6.3. */
export function describeCreation({ run, stories }: RunView): string {
  const count = stories.length === 1 ? '1 story' : `${stories.length} stories`;
  const bound = run.maxIterations === 1 ? '1 iteration' : `${run.maxIterations} iterations`;
  return `Run created: ${count}, at most ${bound} each, on branch ${run.branch}.`;
}
