// Limits concurrent tool runs: a total, and one less per tenant, so that no tenant can hold every slot.
import { unavailable } from '../../domain/model/errors.ts';

export class SlotPool {
  readonly #free: number[];
  readonly #count: number;
  readonly #byTenant = new Map<string, number>();

  constructor(count: number) {
    this.#count = count;
    this.#free = Array.from({ length: count }, (_, i) => count - 1 - i);
  }

  /** @returns the number of the slot, and its release function. @throws DomainError unavailable tools_busy */
  take(tenantId: string): { slot: number; release: () => void } {
    const held = this.#byTenant.get(tenantId) ?? 0;
    const slot = held < Math.max(1, this.#count - 1) ? this.#free.pop() : undefined;
    if (slot === undefined) {
      throw unavailable('tools_busy', 'The limit of concurrent tool runs is reached. Try again after Retry-After.', 2);
    }
    this.#byTenant.set(tenantId, held + 1);
    let isHeld = true;
    return {
      slot,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#free.push(slot);
        const left = (this.#byTenant.get(tenantId) ?? 1) - 1;
        if (left === 0) this.#byTenant.delete(tenantId);
        else this.#byTenant.set(tenantId, left);
      },
    };
  }
}
