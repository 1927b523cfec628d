// The address of the conversations.
import { textOf, type RawSearch } from '../../search.ts';

export interface ConversationsSearch {
  /** Words that messages hold. */
  readonly q?: string | undefined;
  /** The id of the message that was jumped to. */
  readonly message?: string | undefined;
}

export function conversationsSearch(raw: RawSearch): ConversationsSearch {
  return { q: textOf(raw['q']), message: textOf(raw['message']) };
}
