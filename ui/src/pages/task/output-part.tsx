// The output of a task.
import type { ReactNode } from 'react';
import type { Task } from '../../data/tasks.ts';

export function OutputPart(_props: { readonly task: Task }): ReactNode {
  return null;
}
