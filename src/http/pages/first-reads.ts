// Tells the first read of a credential in a minute from the later ones, which the audit folds into it. ui-7.5.

const foldMs = 60_000;
const maxCredentials = 10_000;

export class FirstReads {
  readonly #elapsedMs: () => number;
  /** When the fold of each credential began, oldest first. */
  readonly #since = new Map<string, number>();

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  /** True once a minute for each credential. */
  isFirst(credentialId: string): boolean {
    const now = this.#elapsedMs();
    const since = this.#since.get(credentialId);
    if (since !== undefined && now - since < foldMs) return false;
    this.#since.delete(credentialId);
    this.#since.set(credentialId, now);
    const [oldest] = this.#since.keys();
    if (this.#since.size > maxCredentials && oldest !== undefined) this.#since.delete(oldest);
    return true;
  }
}
