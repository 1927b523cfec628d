// Raises the budget of a run by what a person grants.
import type { RunAnswer, RunBudget } from '../../../model/run/run.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { budgetShareOf, spentNow } from '../plan/budget.ts';

/** A bound that the run does not have stays away, but the bound on its active time, which every run has. */
export function raiseBudget(draft: RunDraft, by: RunAnswer['raise']): void {
  const { budget, options } = draft.run;
  const raised: RunBudget = {
    usd: add(budget.usd, by.usd),
    tokens: add(budget.tokens, by.tokens),
    seconds: by.seconds === undefined ? budget.seconds : add(budget.seconds ?? options.maxRunSeconds, by.seconds),
    iterations: add(budget.iterations, by.iterations),
  };
  draft.setRun({ budget: raised });
  draft.setRun({ budgetShare: budgetShareOf(draft.run, spentNow(draft)) });
}

function add(limit: number | null, more: number | undefined): number | null {
  return limit === null || more === undefined ? limit : limit + Math.max(0, more);
}
