// The noun question: what an agent asks, and the answers that a person may choose from.

export interface QuestionOption {
  readonly value: string;
  /** What the answer says when it is chosen. */
  readonly label: string;
}

/** The part of a question beside its text. `permission`: the agent asks to be allowed something. */
export interface QuestionChoice {
  readonly kind: 'question' | 'permission';
  readonly options: readonly QuestionOption[];
  /** What the agent adds for a person to decide by, in its own form. */
  readonly context: Readonly<Record<string, unknown>> | null;
}

/** A question of a task that needs input. */
export interface TaskQuestion extends QuestionChoice {
  /** Id of its message in the exchange. */
  readonly questionId: string;
  readonly text: string;
  /** ISO 8601 UTC. */
  readonly askedAt: string;
}

/** What a question is that has a text alone. */
export const plainQuestion: QuestionChoice = { kind: 'question', options: [], context: null };
