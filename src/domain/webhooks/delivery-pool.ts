// Slots for concurrent deliveries: bounds the requests in flight, and queues claimed deliveries until a slot is free.
import type { DeliveryCapacity, DueDelivery } from '../ports/store/deliveries.ts';
import type { Signer } from './sign.ts';

/** A delivery that this process has claimed. */
export interface ClaimedDelivery {
  readonly tenantId: string;
  /** Host and port of the receiver. */
  readonly host: string;
  readonly due: DueDelivery & { readonly body: string };
  readonly sign: Signer;
}

/** Maximum requests in flight from this process: in total, per tenant, and per receiver of a tenant. */
const limits = { all: 128, perTenant: 64, perHost: 16 };
/**
 * How many deliveries may be claimed beyond the limits, so that a burst to a fast receiver needs few claims. Slow
 * receivers get no prefetch, because no other replica can send what is queued here.
 */
const prefetch = { all: 256, perTenant: 128, perHost: 48 };
/**
 * A receiver whose oldest request has had no response for this long gets no prefetch. Deliveries that waited this long
 * for a slot are released.
 */
const staleMs = 1_000;

interface Receiver {
  readonly key: string;
  readonly tenantId: string;
  readonly host: string;
  /** Start time of each request by delivery id, oldest first. */
  readonly inFlight: Map<string, number>;
  readonly waiting: { readonly claimed: ClaimedDelivery; readonly at: number }[];
}

export interface DeliveryPoolDeps {
  readonly now: () => number;
  /** Never rejects. */
  readonly send: (claimed: ClaimedDelivery) => Promise<void>;
}

export class DeliveryPool {
  readonly #deps: DeliveryPoolDeps;
  readonly #receivers = new Map<string, Receiver>();
  /** Requests in flight, by tenant. */
  readonly #inFlightByTenant = new Map<string, number>();
  #inFlight = 0;
  #waiting = 0;
  /** Resolves when the last request in flight has ended; undefined while no caller waits for that. */
  #whenIdle: PromiseWithResolvers<void> | undefined;

  constructor(deps: DeliveryPoolDeps) {
    this.#deps = deps;
  }

  /** Sends the delivery as soon as a slot is free, immediately if one is. */
  add(claimed: ClaimedDelivery): void {
    const receiver = this.#findReceiver(claimed);
    receiver.waiting.push({ claimed, at: this.#deps.now() });
    this.#waiting += 1;
    this.#startNext(receiver);
  }

  /** How many more deliveries may be claimed. */
  get freeSlots(): number {
    return Math.max(0, limits.all + prefetch.all - this.#inFlight - this.#waiting);
  }

  get hasWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** The limits of a poll for due deliveries, and how much of them each receiver already uses. */
  get snapshot(): { perHost: number; perTenant: number; busy: { tenant: string; host: string; n: number }[] } {
    const staleBefore = this.#deps.now() - staleMs;
    const busy = [...this.#receivers.values()].map((receiver) => {
      const withheld = limits.perHost + prefetch.perHost - maxClaimsFor(receiver, staleBefore);
      return { tenant: receiver.tenantId, host: receiver.host, n: claimCountOf(receiver) + withheld };
    });
    return { perHost: limits.perHost + prefetch.perHost, perTenant: limits.perTenant + prefetch.perTenant, busy };
  }

  /** How many of a tenant's webhooks the commit that writes them may claim; undefined: none. */
  capacity(tenantId: string): Omit<DeliveryCapacity, 'leaseSeconds'> | undefined {
    const receivers = [...this.#receivers.values()].filter((receiver) => receiver.tenantId === tenantId);
    const held = receivers.reduce((sum, receiver) => sum + claimCountOf(receiver), 0);
    const limit = Math.min(this.freeSlots, limits.perTenant + prefetch.perTenant - held);
    if (limit <= 0) return undefined;
    const staleBefore = this.#deps.now() - staleMs;
    const hosts = receivers.map((receiver) => {
      return [receiver.host, Math.max(0, maxClaimsFor(receiver, staleBefore) - claimCountOf(receiver))] as const;
    });
    return { limit, perHost: limits.perHost + prefetch.perHost, hosts: Object.fromEntries(hosts) };
  }

  /** Removes and returns deliveries that waited too long for a slot, or all that wait. */
  takeStale(which: 'stale' | 'all'): ClaimedDelivery[] {
    if (this.#waiting === 0) return [];
    const staleBefore = which === 'all' ? Number.POSITIVE_INFINITY : this.#deps.now() - staleMs;
    return [...this.#receivers.values()].flatMap((receiver) => {
      const kept = receiver.waiting.findIndex(({ at }) => at > staleBefore);
      const taken = receiver.waiting.splice(0, kept < 0 ? receiver.waiting.length : kept);
      this.#waiting -= taken.length;
      this.#forgetIdle(receiver);
      return taken.map(({ claimed }) => claimed);
    });
  }

  /** Resolves when no request is in flight. */
  async waitUntilIdle(): Promise<void> {
    if (this.#inFlight === 0) return;
    this.#whenIdle ??= Promise.withResolvers();
    await this.#whenIdle.promise;
  }

  #findReceiver({ tenantId, host }: ClaimedDelivery): Receiver {
    const key = `${tenantId}\n${host}`;
    const known = this.#receivers.get(key);
    if (known !== undefined) return known;
    const receiver: Receiver = { key, tenantId, host, inFlight: new Map(), waiting: [] };
    this.#receivers.set(key, receiver);
    return receiver;
  }

  #startNext(receiver: Receiver): void {
    while (
      receiver.inFlight.size < limits.perHost &&
      this.#inFlight < limits.all &&
      (this.#inFlightByTenant.get(receiver.tenantId) ?? 0) < limits.perTenant
    ) {
      const next = receiver.waiting.shift();
      if (next === undefined) return;
      this.#waiting -= 1;
      // Owned by the count of requests in flight: it never rejects.
      void this.#send(receiver, next.claimed);
    }
  }

  async #send(receiver: Receiver, claimed: ClaimedDelivery): Promise<void> {
    const { tenantId, due } = claimed;
    receiver.inFlight.set(due.deliveryId, this.#deps.now());
    this.#inFlightByTenant.set(tenantId, (this.#inFlightByTenant.get(tenantId) ?? 0) + 1);
    this.#inFlight += 1;
    await this.#deps.send(claimed);
    this.#inFlight -= 1;
    receiver.inFlight.delete(due.deliveryId);
    const remaining = (this.#inFlightByTenant.get(tenantId) ?? 1) - 1;
    if (remaining === 0) this.#inFlightByTenant.delete(tenantId);
    else this.#inFlightByTenant.set(tenantId, remaining);
    this.#startNext(receiver);
    this.#forgetIdle(receiver);
    // Deliveries to other receivers may wait for the slot that is free now.
    if (this.#waiting > 0) for (const other of this.#receivers.values()) this.#startNext(other);
    if (this.#inFlight === 0) this.#whenIdle?.resolve();
  }

  #forgetIdle(receiver: Receiver): void {
    if (claimCountOf(receiver) === 0) this.#receivers.delete(receiver.key);
  }
}

/** How many deliveries to one receiver may be claimed at once. */
function maxClaimsFor({ inFlight }: Receiver, staleBefore: number): number {
  const [oldest = staleBefore] = inFlight.values();
  return oldest < staleBefore ? limits.perHost : limits.perHost + prefetch.perHost;
}

function claimCountOf({ inFlight, waiting }: Receiver): number {
  return inFlight.size + waiting.length;
}
