// Limits of PRD chats. runs-13.

/** Questions that one turn may ask. */
export const maxQuestions = 5;
export const maxReplyChars = 20_000;
/** Characters of the earlier turns in a prompt. */
export const maxHistoryChars = 30_000;
/** Characters of the attachments in a prompt. */
export const maxAttachmentChars = 60_000;
