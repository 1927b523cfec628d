// The beginning and the end of an output of any length, in bounded memory.

export interface BoundedText {
  take(text: string): void;
  /** The kept text; a line between the two parts says how much is missing. */
  text(): string;
}

/** @param keptChars characters kept of the beginning, and as many of the end */
export function createBoundedText(keptChars: number): BoundedText {
  let [head, tail, dropped] = ['', '', 0];
  return {
    take(text) {
      const remaining = Math.max(0, keptChars - head.length);
      head += text.slice(0, remaining);
      tail += text.slice(remaining);
      const over = Math.max(0, tail.length - keptChars);
      dropped += over;
      tail = tail.slice(over);
    },
    text: () => (dropped === 0 ? head + tail : `${head}\n… ${dropped} characters left out …\n${tail}`),
  };
}
