// The noun conversation: the messages of the tasks that share a conversation id, which is A2A's context id.

/** One message: a prompt, an answer, a question, an agent's text, a result. */
export interface ConversationMessage {
  /** The sender's own id, if it gave one. */
  readonly id: string;
  readonly taskId: string;
  /** The task's own id when it belongs to no other conversation, as with A2A's context id. */
  readonly conversationId: string;
  /** `system` explains why there is no answer: the task failed or was cancelled. */
  readonly role: 'user' | 'agent' | 'system';
  /** The author of an agent's message: the agent that the task targets, else the worker. */
  readonly agentName?: string | undefined;
  readonly text: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}
