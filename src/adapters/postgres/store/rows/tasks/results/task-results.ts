// Rows of what attempts leave: their output, and the attempts themselves.
import type { TaskResultRows } from '../../../../../../domain/ports/task-results.ts';
import type { Scope } from '../../scope.ts';
import { attemptRows } from './attempt-rows.ts';
import { outputRows } from './output-rows.ts';

export function taskResults(scope: Scope): TaskResultRows {
  return { ...outputRows(scope), ...attemptRows(scope) };
}
