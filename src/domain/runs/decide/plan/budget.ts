// The amounts that a run has spent, held against its budget. runs-11.
import type { PrdRun, RunBudget, RunSpent } from '../../../model/run/run.ts';
import { askBudget, askUnpriced } from '../../outcome/question.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { addTaskUsage } from '../draft/usage.ts';

/** Active seconds up to now. */
export function activeSecondsOf(run: PrdRun, now: Date): number {
  if (run.activeSince === null) return run.spent.seconds;
  const more = Math.max(0, now.getTime() - Date.parse(run.activeSince));
  return Math.round(run.spent.seconds * 1000 + more) / 1000;
}

/** The amounts spent, with the usage that running tasks have reported so far, and the active time up to now. */
export function spentNow(draft: RunDraft): RunSpent {
  const spent = { ...draft.run.spent, seconds: activeSecondsOf(draft.run, draft.now) };
  return draft.openSteps.reduce(
    (sum, { step, task }) => (task === undefined ? sum : addTaskUsage(sum, step.kind, task)),
    spent,
  );
}

/** The bounds of a run: its budget, and the bound on its active time that every run has. */
function boundsOf({ budget, options }: PrdRun): RunBudget {
  return { ...budget, seconds: budget.seconds ?? options.maxRunSeconds };
}

function sharesOf(run: PrdRun, spent: RunSpent): readonly { readonly name: keyof RunBudget; readonly share: number }[] {
  const bounds = boundsOf(run);
  const names = ['usd', 'tokens', 'seconds', 'iterations'] as const;
  return names.flatMap((name) => {
    const limit = bounds[name];
    // A bound of 0 is reached from the start.
    return limit === null ? [] : [{ name, share: limit <= 0 ? 1 : (spent[name] ?? 0) / limit }];
  });
}

/** The highest announced share that any bound has reached. */
export function budgetShareOf(run: PrdRun, spent: RunSpent): PrdRun['budgetShare'] {
  const share = Math.max(0, ...sharesOf(run, spent).map((one) => one.share));
  return share >= 1 ? 100 : share >= 0.8 ? 80 : share >= 0.5 ? 50 : 0;
}

/** Announces shares, and asks where a bound is reached or a price is missing. */
export function checkBudget(draft: RunDraft): void {
  const spent = spentNow(draft);
  const share = budgetShareOf(draft.run, spent);
  if (share > draft.run.budgetShare) {
    draft.setRun({ budgetShare: share });
    draft.event('budget', { spent, budget: boundsOf(draft.run), share });
  }
  const reached = sharesOf(draft.run, spent).filter((one) => one.share >= 1);
  const isAtWork = draft.stories.some(({ status }) => status === 'pending' || status === 'running');
  if (reached.length > 0 && isAtWork && !draft.isAsked('budget')) {
    draft.ask(
      askBudget(
        spent,
        boundsOf(draft.run),
        reached.map(({ name }) => name),
      ),
    );
  }
  const { budget, acceptsUnpriced } = draft.run;
  if (budget.usd !== null && spent.unpricedSteps > 0 && !acceptsUnpriced && isAtWork && !draft.isAsked('unpriced')) {
    draft.ask(askUnpriced(spent, budget));
  }
}

/** The time at which the bound on active time, or an announced share of it, is reached; null: time stands still. */
export function nextTimeBound(run: PrdRun, now: Date): number | null {
  const limit = boundsOf(run).seconds ?? run.options.maxRunSeconds;
  if (run.activeSince === null) return null;
  const spent = activeSecondsOf(run, now);
  const next = [0.5, 0.8, 1].map((share) => share * limit).find((seconds) => seconds > spent);
  return next === undefined ? null : Math.ceil(now.getTime() + (next - spent) * 1000);
}
