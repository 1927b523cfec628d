// The spent part of a run's budget, in words and as a share.
import type { Run } from '../../data/runs/runs.ts';
import { commonWords } from '../../words/en-common.ts';
import { runWords as words } from '../../words/runs/en-runs.ts';
import { durationText } from '../marks/duration.ts';

export interface SpentLine {
  readonly id: 'usd' | 'tokens' | 'seconds' | 'iterations';
  readonly text: string;
  /** Percent of the bound; undefined without one. */
  readonly share: number | undefined;
}

/** One line for each amount that is spent or bounded. An unknown price is "unpriced", never 0. */
export function spentLines({ spent, budget }: Pick<Run, 'spent' | 'budget'>): readonly SpentLine[] {
  const lines: readonly SpentLine[] = [
    {
      id: 'usd',
      text: bounded(usdText(spent), budget.usd === null ? null : words.usd(budget.usd)),
      share: shareOf(spent.usd ?? 0, budget.usd),
    },
    {
      id: 'tokens',
      text: bounded(words.tokens(spent.tokens), budget.tokens === null ? null : words.tokens(budget.tokens)),
      share: shareOf(spent.tokens, budget.tokens),
    },
    {
      id: 'seconds',
      text: bounded(time(spent.seconds), budget.seconds === null ? null : time(budget.seconds)),
      share: shareOf(spent.seconds, budget.seconds),
    },
    {
      id: 'iterations',
      text: bounded(
        words.iterations(spent.iterations),
        budget.iterations === null ? null : words.iterations(budget.iterations),
      ),
      share: shareOf(spent.iterations, budget.iterations),
    },
  ];
  return lines.filter(({ id }) => budget[id] !== null || id === 'usd' || (spent[id] ?? 0) > 0);
}

/** The price alone, with its bound: `$3.10 of $10.00`. */
export function spentOfBudget(run: Pick<Run, 'spent' | 'budget'>): string {
  return spentLines(run).find(({ id }) => id === 'usd')?.text ?? words.unpriced;
}

function time(seconds: number): string {
  return durationText(seconds * 1_000, commonWords);
}

function usdText({ usd, unpriced_steps }: Run['spent']): string {
  if (usd === null) return words.unpriced;
  return unpriced_steps > 0 ? words.atLeast(words.usd(usd)) : words.usd(usd);
}

function bounded(spent: string, bound: string | null): string {
  return bound === null ? spent : words.spentOf(spent, bound);
}

function shareOf(spent: number, bound: number | null): number | undefined {
  return bound === null || bound === 0 ? undefined : Math.min(100, Math.round((spent / bound) * 100));
}
