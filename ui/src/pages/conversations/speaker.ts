// The speaker of a message.
import type { Message } from '../../data/conversations.ts';
import { cleanTitle } from '../../text/clean.ts';
import { conversationWords as words } from '../../words/en-conversations.ts';

/** The kind of the speaker and, where it is known, the name. */
export function speakerOf({ role, agent_name }: Message): string {
  return agent_name === null ? words.roles[role] : words.said(words.roles[role], cleanTitle(agent_name));
}
