// The noun PRD: the document that a run implements, in one normalised form. runs-13.
// Every optional member of the document is present here: an absent one has its default.

/** A command that has to succeed on every candidate of a run. */
export interface PrdGate {
  readonly id: string;
  readonly command: string;
  /** Null: the worker's own limit. */
  readonly timeoutSeconds: number | null;
  /** False: its failure is shown and rejects nothing. */
  readonly required: boolean;
  /** Whether it reaches the network; null: the worker's own setting. */
  readonly network: boolean | null;
}

/** A command that checks a story. */
export interface PrdCheck {
  /** Index of the criterion that it shows, from 0; null: the story as a whole. */
  readonly criterion: number | null;
  readonly command: string;
}

/** Whether a story may change existing tests: all of them, none, or those that match one of these globs. */
export type AllowTestChanges = boolean | readonly string[];

export interface PrdStory {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly acceptanceCriteria: readonly string[];
  /** Lower is earlier; null: after all that have one, in the document's order. */
  readonly priority: number | null;
  /** Null: the document does not name any, so the mode of the run decides. */
  readonly dependsOn: readonly string[] | null;
  readonly passes: boolean;
  readonly notes: string | null;
  readonly checks: readonly PrdCheck[];
  readonly allowTestChanges: AllowTestChanges;
  readonly agent: string | null;
  readonly model: string | null;
}

export interface Prd {
  readonly project: string;
  readonly branchName: string;
  readonly description: string;
  readonly userStories: readonly PrdStory[];
  /** Null: they are detected in the repository. Empty: there are none. */
  readonly gates: readonly PrdGate[] | null;
  /** Null: the commands are detected in the repository. */
  readonly setup: readonly string[] | null;
  /** Ignored files that work places take over, as paths inside the repository. */
  readonly copy: readonly string[];
  /** Globs of further files that no story may change. */
  readonly protect: readonly string[];
  readonly nonGoals: readonly string[];
  readonly openQuestions: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** One finding about a document. `path` names a member: `userStories.0.id`. */
export interface PrdFinding {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}
