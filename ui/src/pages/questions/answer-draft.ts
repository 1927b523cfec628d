// Answers that are being written: kept in sessionStorage, one for each question.
import { useState } from 'react';

const prefix = 'switchyard_answer:';

/** The draft of the answer to a question, and its setter. An empty draft is not kept. */
export function useAnswerDraft(questionId: string): readonly [string, (text: string) => void] {
  const key = prefix + questionId;
  const [draft, setDraft] = useState(() => sessionStorage.getItem(key) ?? '');
  return [
    draft,
    (text) => {
      setDraft(text);
      if (text === '') sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, text);
    },
  ];
}

export function hasDraft(questionId: string): boolean {
  return sessionStorage.getItem(prefix + questionId) !== null;
}
