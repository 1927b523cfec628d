// The open dialog of a task: any page may open one, the frame shows it.
import type { Task } from '../../data/tasks/tasks.ts';
import { createStore, useStore } from '../../store.ts';

export interface OpenedTaskDialog {
  readonly kind: 'cancel' | 'tell' | 'follow-up';
  readonly task: Pick<Task, 'id' | 'title' | 'status'>;
}

const opened = createStore<OpenedTaskDialog | undefined>(undefined);

export function openTaskDialog(dialog: OpenedTaskDialog): void {
  opened.set(dialog);
}

export function closeTaskDialog(): void {
  opened.set(undefined);
}

export function useOpenedTaskDialog(): OpenedTaskDialog | undefined {
  return useStore(opened);
}
