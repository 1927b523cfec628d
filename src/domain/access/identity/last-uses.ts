// Records when keys and sessions were last used: collected in memory and written by a loop, never by a request.
import type { Credentials, UsedCredential } from '../../ports/store/credentials.ts';

const maxPending = 10_000;

export class LastUses {
  readonly #credentials: Pick<Credentials, 'used'>;
  #pending = new Map<string, UsedCredential>();

  constructor(credentials: Pick<Credentials, 'used'>) {
    this.#credentials = credentials;
  }

  note(used: UsedCredential): void {
    if (this.#pending.size < maxPending) this.#pending.set(used.id, used);
  }

  /** One round of the loop. A use that cannot be written now is written at the credential's next use. */
  async write(): Promise<void> {
    if (this.#pending.size === 0) return;
    const pending = [...this.#pending.values()];
    this.#pending = new Map();
    await this.#credentials.used(pending);
  }
}
