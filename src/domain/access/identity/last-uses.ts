// When keys and sessions were last used: gathered here, written by a loop, never by a request.
import type { Credentials, UsedCredential } from '../../ports/store/credentials.ts';

const mostGathered = 10_000;

export class LastUses {
  readonly #credentials: Pick<Credentials, 'used'>;
  #gathered = new Map<string, UsedCredential>();

  constructor(credentials: Pick<Credentials, 'used'>) {
    this.#credentials = credentials;
  }

  note(used: UsedCredential): void {
    if (this.#gathered.size < mostGathered) this.#gathered.set(used.id, used);
  }

  /** One round of the loop. What cannot be written now is written at the next use. */
  async write(): Promise<void> {
    if (this.#gathered.size === 0) return;
    const gathered = [...this.#gathered.values()];
    this.#gathered = new Map();
    await this.#credentials.used(gathered);
  }
}
