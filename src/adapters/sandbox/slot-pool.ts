// How many tools run at once: so many for all, and one less for one tenant, so that no tenant holds every place.
import { unavailable } from '../../domain/model/errors.ts';

export class SlotPool {
  readonly #free: number[];
  readonly #count: number;
  readonly #byTenant = new Map<string, number>();

  constructor(count: number) {
    this.#count = count;
    this.#free = Array.from({ length: count }, (_, i) => count - 1 - i);
  }

  /** @returns the number of the place, and what gives it back. @throws DomainError unavailable tools_busy */
  take(tenantId: string): { slot: number; release: () => void } {
    const held = this.#byTenant.get(tenantId) ?? 0;
    const slot = held < Math.max(1, this.#count - 1) ? this.#free.pop() : undefined;
    if (slot === undefined) {
      throw unavailable('tools_busy', 'As many tools run as may at once. Try again when Retry-After is over.', 2);
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
