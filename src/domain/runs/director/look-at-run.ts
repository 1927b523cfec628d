// One look at a run: reads its snapshot under its row lock, decides, and applies the effects, in one transaction. runs-7.
import { systemCaller } from '../../access/system-caller.ts';
import type { AuditIntent } from '../../model/audit-entry.ts';
import { isRunOver } from '../../model/run/run-state.ts';
import type { RunEffect } from '../../model/run/effect.ts';
import type { PrdRun } from '../../model/run/run.ts';
import type { DueRun } from '../../ports/store/cross-tenant-queries.ts';
import type { Rows } from '../../ports/store/store.ts';
import type { Wake } from '../../ports/wake.ts';
import { applyEffects } from './apply-effects.ts';
import type { DirectorDeps } from './director-deps.ts';
import { advanceRun, type AdvanceOptions } from './advance-run.ts';
import { refusalError, StepRefused } from './open-steps.ts';
import { withOwnerVerdict } from './owner-verdict.ts';
import { readSnapshot } from './read-snapshot.ts';

export type LookResult =
  /** Tasks of the steps that the look opened. */
  | { readonly outcome: 'changed'; readonly opened: readonly string[] }
  /** `held`: another transaction holds the run, or it does not exist. */
  | { readonly outcome: 'unchanged' | 'held' };

/** A run that nothing wakes although its time has come is looked at again after this long. */
const overdueSeconds = 60;

interface Look {
  readonly result: LookResult;
  readonly hints: readonly Wake[];
  /** The number of applied effects of each type. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Looks once. A look that changes nothing reads by two statements. A run that another transaction holds is left to it.
 * @throws what the decision or the builder of tasks throws, and DomainError unavailable; nothing has changed then
 */
export async function lookAtRun(deps: DirectorDeps, due: DueRun): Promise<LookResult> {
  const { tenantId, runId } = due;
  const about = { action: 'runs.advance', resource: `/v1/ralph/runs/${runId}` };
  const look = await deps.audit.change(systemCaller(tenantId, 'run_director'), about, async ({ intent }) => {
    const value = await withOwnerVerdict((ownerMayAct) => lookOnce(deps, due, intent, ownerMayAct));
    return { value, changed: value.result.outcome === 'changed' ? { effects: value.counts } : undefined };
  });
  for (const hint of look.hints) deps.wake.announce(hint);
  return look.result;
}

async function lookOnce(
  deps: DirectorDeps,
  due: DueRun,
  intent: AuditIntent | undefined,
  ownerMayAct: boolean | undefined,
): Promise<Look> {
  try {
    return await inTransaction(deps, due, intent, (rows, changing) =>
      advance(deps, rows, due, { changing, ownerMayAct }),
    );
  } catch (error) {
    if (!(error instanceof StepRefused)) throw error;
    return await inTransaction(deps, due, intent, (rows, mark) => failRun(deps, rows, due, error, mark));
  }
}

/** The audit intent is committed with a change: `mark` names it once there is one, because the row lock alone is none. */
function inTransaction(
  { store }: DirectorDeps,
  { tenantId }: DueRun,
  intent: AuditIntent | undefined,
  work: (rows: Rows, mark: () => void) => Promise<Look>,
): Promise<Look> {
  const scope: { tenantId: string; intent?: AuditIntent } = { tenantId };
  return store.within(scope, (rows) =>
    work(rows, () => {
      if (intent !== undefined) scope.intent = intent;
    }),
  );
}

const unchanged: Look = { result: { outcome: 'unchanged' }, hints: [], counts: {} };
const held: Look = { result: { outcome: 'held' }, hints: [], counts: {} };

async function advance(
  deps: DirectorDeps,
  rows: Rows,
  { tenantId, runId }: DueRun,
  options: AdvanceOptions,
): Promise<Look> {
  const run = await rows.runs.lockIfFree(runId);
  if (run === undefined) return held;
  if (run.dueAt !== null) deps.metrics.lagged(Math.max(0, deps.now() - Date.parse(run.dueAt)) / 1000);
  const { effects, opened, hints } = await advanceRun(deps, rows, tenantId, run, options);
  if (effects.length === 0) return leave(deps, rows, run);
  return { result: { outcome: 'changed', opened }, hints, counts: countTypes(effects) };
}

/** Nothing to do. A time that has passed would make the run due in each round, so it is moved. */
async function leave({ now }: DirectorDeps, rows: Rows, run: PrdRun): Promise<Look> {
  if (run.dueAt === null || Date.parse(run.dueAt) > now() || isRunOver(run.status)) return unchanged;
  await rows.runs.postpone(run.id, overdueSeconds);
  return unchanged;
}

/** Ends a run whose next step nobody can do, with all that is open in it. */
async function failRun(
  deps: DirectorDeps,
  rows: Rows,
  { tenantId, runId }: DueRun,
  cause: StepRefused,
  mark: () => void,
): Promise<Look> {
  const run = await rows.runs.lockIfFree(runId);
  if (run === undefined || isRunOver(run.status)) return held;
  mark();
  const error = refusalError(cause.refusal);
  // A paused run cannot fail.
  const status = run.status === 'paused' ? 'cancelled' : 'failed';
  // The end of a run creates nothing, so its owner does not matter.
  const snapshot = await readSnapshot(deps, rows, { tenantId, run, ownerMayAct: true });
  const ends: RunEffect[] = snapshot.openSteps.flatMap(({ step }) => [
    { type: 'cancelTask', taskId: step.taskId, reason: error.message },
    {
      type: 'closeStep',
      stepId: step.id,
      status: 'cancelled',
      code: null,
      result: null,
      workerId: null,
      bundleArtifactId: null,
    },
  ]);
  const open = snapshot.stories.filter((story) => story.status === 'pending' || story.status === 'running');
  const givenUp: RunEffect[] = open.map(({ storyId }) => ({
    type: 'setStory',
    storyId,
    change: { status: 'failed', phase: null, wait: null, result: error.message },
  }));
  const completedAt = new Date(deps.now()).toISOString();
  const change = { status, error, completedAt, activeSince: null, dueAt: null, waitingReason: null } as const;
  const data = { status, current_iteration: run.currentIteration, reason: error.code };
  const effects: RunEffect[] = [...ends, ...givenUp, { type: 'event', event: 'run', data }];
  const { hints, events } = await applyEffects(deps, rows, tenantId, snapshot, effects);
  await rows.runs.update(run, change);
  await rows.runRecords.appendEvents(runId, events);
  return {
    result: { outcome: 'changed', opened: [] },
    hints: [...hints, { kind: 'run', tenantId, runId }],
    counts: countTypes(effects),
  };
}

function countTypes(effects: readonly RunEffect[]): Record<string, number> {
  const groups = Object.groupBy(effects, ({ type }) => type);
  return Object.fromEntries(Object.entries(groups).map(([type, list]) => [type, list.length]));
}
