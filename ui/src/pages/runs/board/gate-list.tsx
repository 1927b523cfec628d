// The gates of a run, and how each ended at the base.
import type { ReactNode } from 'react';
import type { Run } from '../../../data/runs/runs.ts';
import { FreeText } from '../../../parts/marks/free-text.tsx';
import { CriterionMark } from '../../../parts/run/run-mark.tsx';
import { runWords as words } from '../../../words/runs/en-runs.ts';

type Gate = Run['gates'][number];

export function GateList({ gates }: { readonly gates: readonly Gate[] }): ReactNode {
  return (
    <section aria-labelledby="run-gates" className="min-w-0">
      <h2 id="run-gates" className="mb-1 font-semibold">
        {words.gates}
      </h2>
      {gates.length === 0 ? <p className="text-sm text-soft">{words.noGates}</p> : null}
      <ul className="grid gap-1 text-sm">
        {gates.map((gate) => (
          <li key={gate.id} className="flex items-start gap-2">
            <span className="mt-0.5">
              <CriterionMark status={stateOf(gate)} />
            </span>
            <span className="min-w-0">
              <span className="font-semibold">
                <FreeText text={gate.id} />
              </span>{' '}
              <span className="text-soft">{factsOf(gate)}</span>
              <code className="line-clamp-2 font-mono text-xs text-soft">
                <FreeText text={gate.command} />
              </code>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function stateOf({ baseline }: Gate): 'passed' | 'failed' | 'pending' {
  if (baseline === null) return 'pending';
  return baseline.passed ? 'passed' : 'failed';
}

function factsOf({ baseline, required }: Gate): string {
  const facts =
    baseline === null
      ? [words.gateStates.open]
      : baseline.passed
        ? [words.gateStates.passed, words.secondsOf(baseline.seconds)]
        : [words.gateStates.failed, words.exitCode(baseline.exit_code), words.secondsOf(baseline.seconds)];
  return [...facts, ...(required ? [] : [words.advisory])].join(' · ');
}
