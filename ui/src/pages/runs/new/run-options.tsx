// The folded options of a new run: agent, mode, bounds, base.
import type { ReactNode } from 'react';
import { SelectField, TextField } from '../../../parts/controls/field.tsx';
import { runWords as words } from '../../../words/runs/en-runs.ts';
import { wrongNumbers, type RunDraft } from './new-run-draft.ts';

interface RunOptionsProps {
  readonly draft: RunDraft;
  readonly set: (change: Partial<RunDraft>) => void;
  readonly errorOf: (path: string) => string | undefined;
}

const numberPaths = {
  parallel: '/max_parallel',
  iterations: '/max_iterations',
  usd: '/budget/usd',
  hours: '/budget/seconds',
} as const;
const modes = ['', 'sequential', 'parallel'] as const;

export function RunOptions({ draft, set, errorOf }: RunOptionsProps): ReactNode {
  const wrong = wrongNumbers(draft);
  const number = (field: keyof typeof numberPaths): ReactNode => (
    <TextField
      label={words.newFields[field]}
      type="number"
      value={draft[field]}
      onChange={(value) => set({ [field]: value })}
      error={wrong.includes(field) ? words.numberWrong : errorOf(numberPaths[field])}
    />
  );
  return (
    <details className="rounded-sm border border-line p-3">
      <summary className="min-h-6 cursor-pointer font-semibold">{words.moreOptions}</summary>
      <div className="mt-3 grid gap-4 md:grid-cols-2">
        <TextField
          className="md:col-span-2"
          label={words.newFields.agent}
          hint={words.newHints.agent}
          value={draft.agent}
          onChange={(agent) => set({ agent })}
          error={errorOf('/agent')}
        />
        <SelectField
          label={words.newFields.mode}
          value={draft.mode}
          onChange={(mode) => set({ mode })}
          error={errorOf('/mode')}
          choices={modes.map((value) => ({ value, label: words.modeChoices[value] }))}
        />
        {number('parallel')}
        {number('usd')}
        {number('hours')}
        {number('iterations')}
        <TextField
          label={words.newFields.base}
          value={draft.base}
          onChange={(base) => set({ base })}
          error={errorOf('/base')}
          mono
        />
      </div>
    </details>
  );
}
