// Warnings of a run: what a person should know, and what stops nothing.
import type { RunWarning } from '../../../model/run/run.ts';
import type { RunDraft } from './run-draft.ts';

/** The most warnings of one run: later ones are left out. */
const most = 200;
const maxMessageChars = 2_000;

/** Adds those that the run does not have yet. */
export function addWarnings(draft: RunDraft, found: readonly RunWarning[]): void {
  const { warnings } = draft.run;
  const added = found
    .map((warning) => ({ ...warning, message: warning.message.slice(0, maxMessageChars) }))
    .filter((warning) => !warnings.some(({ code, message }) => code === warning.code && message === warning.message));
  if (added.length > 0) draft.setRun({ warnings: [...warnings, ...added].slice(0, most) });
}

/** The last warning of this code stands. */
export function replaceWarning(draft: RunDraft, code: string, message: string): void {
  dropWarning(draft, code);
  addWarnings(draft, [{ code, message }]);
}

export function dropWarning(draft: RunDraft, code: string): void {
  draft.setRun({ warnings: draft.run.warnings.filter((warning) => warning.code !== code) });
}
