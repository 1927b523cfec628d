// Keeps the pages live. It is loaded after the first paint, with the reader of streams.
import { useAnnouncedQuestions } from './announce-questions.ts';
import { useLive } from './use-live.ts';

/** Draws nothing. For the frame, once. */
export function LiveUpdates(): null {
  useLive();
  useAnnouncedQuestions();
  return null;
}
