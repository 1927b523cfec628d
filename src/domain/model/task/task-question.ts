// The noun question: a text of an agent, and the answers that a person may choose from.

export interface QuestionOption {
  readonly value: string;
  /** The text of an answer by this option. */
  readonly label: string;
}

/** The part of a question beside its text. `permission`: the agent asks to be allowed something. */
export interface QuestionChoice {
  readonly kind: 'question' | 'permission';
  readonly options: readonly QuestionOption[];
  /** Details for a person to decide by, in the agent's own form. */
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

/** The choice of a question that is text alone. */
export const plainQuestion: QuestionChoice = { kind: 'question', options: [], context: null };
