// Whether mails, conversions and publish steps have to wait, for everyone who is about to send one.
import type { Restores } from '../ports/recovery/restores.ts';

/**
 * Asked before each send that cannot be taken back. Webhooks and push notifications do not ask: their receivers know a
 * repeat by its id.
 */
export interface HeldSends {
  /** @throws DomainError unavailable: then nothing is sent either */
  areHeld(): Promise<boolean>;
}

/** A release is noticed after this long. */
const staleMs = 2_000;

/** Answers from memory for two seconds: a restore happens while no service runs, so only a release can be missed. */
export class HeldSendsMemory implements HeldSends {
  readonly #restores: Pick<Restores, 'areSendsHeld'>;
  readonly #elapsedMs: () => number;
  #last: { readonly held: boolean; readonly atMs: number } | undefined;
  #reading: Promise<boolean> | undefined;

  /** @param elapsedMs milliseconds by a clock that is never set back */
  constructor(restores: Pick<Restores, 'areSendsHeld'>, elapsedMs: () => number) {
    this.#restores = restores;
    this.#elapsedMs = elapsedMs;
  }

  /** The last answer, for readers that must not wait for the database. */
  get last(): boolean {
    return this.#last?.held ?? false;
  }

  async areHeld(): Promise<boolean> {
    if (this.#last !== undefined && this.#elapsedMs() - this.#last.atMs < staleMs) return this.#last.held;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Makes the next answer a fresh one. */
  forget(): void {
    this.#last = undefined;
  }

  async #read(): Promise<boolean> {
    const held = await this.#restores.areSendsHeld();
    this.#last = { held, atMs: this.#elapsedMs() };
    return held;
  }
}
