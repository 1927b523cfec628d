// The states of objectives, key results and runs as marks, and progress as a bar with its figure.
import type { ReactNode } from 'react';
import { StateMark, type MarkState } from '../../parts/marks/state-mark.tsx';
import { objectiveWords as words } from '../../words/en-objectives.ts';
import type { KeyResult, Objective, ObjectiveRun, RunItem } from './objective-data.ts';

const objectives: Readonly<Record<Objective['status'], MarkState>> = {
  draft: 'pending',
  approved: 'paused',
  running: 'running',
  completed: 'completed',
  denied: 'cancelled',
};

export function ObjectiveMark({ status }: { readonly status: Objective['status'] }): ReactNode {
  return <StateMark state={objectives[status]} word={words.statuses[status]} />;
}

const keyResults: Readonly<Record<KeyResult['status'], MarkState>> = {
  'not-started': 'pending',
  'in-progress': 'running',
  completed: 'completed',
  blocked: 'failed',
};

export function KeyResultMark({ status }: { readonly status: KeyResult['status'] }): ReactNode {
  return <StateMark state={keyResults[status]} word={words.keyResultStatuses[status]} />;
}

export function ObjectiveRunMark({ status }: { readonly status: ObjectiveRun['status'] }): ReactNode {
  return <StateMark state={status} word={words.runStatuses[status]} />;
}

export function ItemMark({ status }: { readonly status: RunItem['status'] }): ReactNode {
  return <StateMark state={status === 'unreported' ? 'needs_input' : status} word={words.itemStatuses[status]} />;
}

/** Its figure stands beside it, so the bar itself is for the eyes alone. */
export function ProgressBar({
  progress,
  wide = false,
}: {
  readonly progress: number;
  readonly wide?: boolean;
}): ReactNode {
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span className={`h-2 shrink-0 rounded-sm border border-edge bg-sunk ${wide ? 'w-40' : 'w-20'}`} aria-hidden>
        <span
          className={`block h-full ${progress === 100 ? 'bg-ok' : 'bg-accent'}`}
          style={{ width: `${Math.min(100, Math.max(0, progress))}%` }}
        />
      </span>
      <span className="min-w-11 text-sm tabular-nums">{words.percent(progress)}</span>
    </span>
  );
}
