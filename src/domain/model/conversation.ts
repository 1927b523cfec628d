// The noun conversation: what was said in the tasks that share a conversation id, which is A2A's context id.

/** One thing that was said: a prompt, an answer, a question, an agent's word, what came out. */
export interface ConversationMessage {
  /** The sender's own id where it gave one. */
  readonly id: string;
  readonly taskId: string;
  /** The task's own id where it belongs to no other conversation, as A2A's context id. */
  readonly conversationId: string;
  /** `system` tells why no answer came: the task failed or was cancelled. */
  readonly role: 'user' | 'agent' | 'system';
  /** Of an agent's: whom the task was addressed to, else the worker. */
  readonly agentName?: string | undefined;
  readonly text: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}
