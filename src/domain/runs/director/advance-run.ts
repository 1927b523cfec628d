// Decides about a locked run and applies the effects, in the transaction that holds its row lock. runs-7.
import { runMovesFrom } from '../../model/run/run-state.ts';
import type { RunEffect } from '../../model/run/effect.ts';
import type { PrdRun } from '../../model/run/run.ts';
import type { RunEventDraft } from '../../ports/store/runs.ts';
import type { Rows } from '../../ports/store/store.ts';
import type { Wake } from '../../ports/wake.ts';
import { applyEffects } from './apply-effects.ts';
import type { DirectorDeps } from './director-deps.ts';
import { openSteps } from './open-steps.ts';
import { readSnapshot } from './read-snapshot.ts';
import { statesBetween } from './status-path.ts';
import { pendingWake } from '../../tasks/routing/pending-wake.ts';

export interface Advance {
  /** Empty: nothing has changed. */
  readonly effects: readonly RunEffect[];
  /** Tasks of the steps that were opened. */
  readonly opened: readonly string[];
  /** To be announced after the commit. */
  readonly hints: readonly Wake[];
}

export interface AdvanceOptions {
  /** Instead of the director's own decision: what a person wants of the run. */
  readonly decide?: DirectorDeps['decide'];
  /** The verdict on the owner; undefined: it is found here. */
  readonly ownerMayAct?: boolean | undefined;
  /** Called before the first change, if there is one. */
  readonly changing?: () => void;
}

/**
 * Verbs call it too, so that what a person wants is decided and applied as every other change.
 * @param run locked by the transaction of `rows`
 * @throws StepRefused, OwnerUndecided, DomainError conflict `version_conflict`, and what the decision throws; roll the
 *   transaction back
 */
export async function advanceRun(
  deps: DirectorDeps,
  rows: Rows,
  tenantId: string,
  run: PrdRun,
  { decide = deps.decide, ownerMayAct, changing }: AdvanceOptions = {},
): Promise<Advance> {
  const snapshot = await readSnapshot(deps, rows, { tenantId, run, ownerMayAct });
  const effects = decide(snapshot, new Date(deps.now()));
  if (effects.length === 0) return { effects, opened: [], hints: [] };
  changing?.();
  const applied = await applyEffects(deps, rows, tenantId, snapshot, effects);
  let current = run;
  for (const status of statesBetween(run.status, applied.runChange.status ?? run.status, runMovesFrom)) {
    current = await rows.runs.update(current, { status });
  }
  const changed = await rows.runs.update(current, clearedDue(run, applied.runChange, deps.now()));
  const hints: Wake[] = [...applied.hints];
  let { events }: { events: readonly RunEventDraft[] } = applied;
  let opened: readonly string[] = [];
  if (applied.plans.length > 0) {
    const after = { tenantId, run: changed, ownerMayAct: snapshot.ownerActive };
    const steps = await openSteps(deps, rows, await readSnapshot(deps, rows, after), applied.plans);
    events = insertBeforeStates(events, steps.events);
    hints.push(...steps.submissions.map(({ id, draft }) => pendingWake(tenantId, { ...draft, id })));
    opened = steps.submissions.map(({ id }) => id);
  }
  if (events.length > 0) await rows.runRecords.appendEvents(run.id, events);
  hints.push({ kind: 'run', tenantId, runId: run.id });
  return { effects, opened, hints };
}

/** A decision that sets no new time has used up the old one. */
function clearedDue(run: PrdRun, change: Partial<PrdRun>, nowMs: number): Partial<PrdRun> {
  const isPast = run.dueAt !== null && Date.parse(run.dueAt) <= nowMs;
  return isPast && change.dueAt === undefined ? { ...change, dueAt: null } : change;
}

/** Events of opened steps come before the states of stories and of the run, which end a decision. */
function insertBeforeStates(events: readonly RunEventDraft[], added: readonly RunEventDraft[]): RunEventDraft[] {
  const first = events.findIndex(({ type }) => type === 'story' || type === 'run');
  return first === -1 ? [...events, ...added] : events.toSpliced(first, 0, ...added);
}
