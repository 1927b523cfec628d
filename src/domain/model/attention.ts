// Things that wait for a person: tasks and runs that ask, and what went wrong and nobody has seen to yet.

export const attentionKinds = [
  'task_question',
  'run_question',
  'approval',
  'dead_delivery',
  'run_failed',
  'worker_gone',
  'budget',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

/** Kinds that ask: their items go when they are answered, and not before. */
export const askingKinds = ['task_question', 'run_question', 'approval'] as const satisfies readonly AttentionKind[];

export interface AttentionItem {
  readonly kind: AttentionKind;
  /** Names the task, question, approval, delivery, run, worker or budget. */
  readonly id: string;
  /** The task or run that it belongs to. */
  readonly about: AttentionSubject | null;
  readonly title: string;
  /** The question, or what went wrong. */
  readonly text: string;
  /** Answers to choose from. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** ISO 8601 UTC. */
  readonly askedAt: string;
}

export interface AttentionSubject {
  readonly kind: 'task' | 'run';
  readonly id: string;
}
