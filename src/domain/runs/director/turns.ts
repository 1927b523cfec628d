// Work of one key is done one after the other, work of different keys at once.

export class Turns {
  /** The last work of each key; these promises never reject. */
  readonly #last = new Map<string, Promise<void>>();

  /** Does the work when all earlier work of the key has ended. @throws what the work throws */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const { promise: end, resolve } = Promise.withResolvers<void>();
    this.#last.set(key, end);
    try {
      await before;
      return await work();
    } finally {
      if (this.#last.get(key) === end) this.#last.delete(key);
      resolve();
    }
  }
}
