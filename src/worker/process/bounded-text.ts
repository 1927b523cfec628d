// The beginning and the end of an output of any length, in bounded memory.

export class BoundedText {
  readonly #keptChars: number;
  #head = '';
  #tail = '';
  #dropped = 0;

  /** @param keptChars characters kept of the beginning, and as many of the end */
  constructor(keptChars: number) {
    this.#keptChars = keptChars;
  }

  take(text: string): void {
    const remaining = Math.max(0, this.#keptChars - this.#head.length);
    this.#head += text.slice(0, remaining);
    this.#tail += text.slice(remaining);
    const over = Math.max(0, this.#tail.length - this.#keptChars);
    this.#dropped += over;
    this.#tail = this.#tail.slice(over);
  }

  /** The kept text; a line between the two parts says how much is missing. */
  text(): string {
    if (this.#dropped === 0) return this.#head + this.#tail;
    return `${this.#head}\n… ${this.#dropped} characters left out …\n${this.#tail}`;
  }
}
