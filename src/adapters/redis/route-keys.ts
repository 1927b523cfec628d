// Route keys: the broker messages that mean "a task is pending in this codebase of this tenant".
import { createHmac } from 'node:crypto';
import type { RouteKeys } from '../../domain/ports/route-keys.ts';

/** Known keys; beyond this the oldest is evicted. Hints with an evicted key are ignored, and the sweep finds the task. */
const maxKnown = 200_000;

export interface Route {
  readonly tenantId: string;
  readonly codebaseId: string;
}

/** Keeps the keys it computed, since a keyed hash cannot be reversed. Keys computed elsewhere alone are unknown. */
export class KnownRoutes implements RouteKeys {
  readonly #secret: Uint8Array;
  readonly #keys = new Map<string, string>();
  readonly #routes = new Map<string, Route>();

  /** @param secret shared by all replicas of one database, and by no others */
  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  routeKeyOf(tenantId: string, codebaseId: string): string {
    const name = JSON.stringify([tenantId, codebaseId]);
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const digest = createHmac('sha256', this.#secret).update(`route ${name}`).digest();
    const key = digest.subarray(0, 16).toString('base64url');
    if (this.#keys.size >= maxKnown) this.#forgetOldest();
    this.#keys.set(name, key);
    this.#routes.set(key, { tenantId, codebaseId });
    return key;
  }

  routeOf(key: string): Route | undefined {
    return this.#routes.get(key);
  }

  #forgetOldest(): void {
    for (const [name, key] of this.#keys) {
      this.#keys.delete(name);
      this.#routes.delete(key);
      return;
    }
  }
}
