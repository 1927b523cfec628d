// Limits of PRD chats. runs-13.

/** A turn that no worker has answered by then has failed, so that its session takes the next message. */
export const turnDeadlineMs = 30 * 60_000;
/** Questions that one turn may ask. */
export const maxQuestions = 5;
export const maxReplyChars = 20_000;
/** Characters of the earlier turns in a prompt. */
export const maxHistoryChars = 30_000;
/** Characters of the attachments in a prompt. */
export const maxAttachmentChars = 60_000;
