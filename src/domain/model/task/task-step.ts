// The part of a run's step that a task shows. The row has the whole descriptor (model/run/step.ts).

export interface TaskStep {
  readonly kind: 'prepare' | 'implement' | 'check' | 'judge' | 'land' | 'resolve' | 'diagnose' | 'publish';
  readonly run_id: string;
  /** Null for steps of the run as a whole. */
  readonly story_id: string | null;
  /** The attempt, from 1; 0 for steps of the run as a whole. */
  readonly n: number;
}
