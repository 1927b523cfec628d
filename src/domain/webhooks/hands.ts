// The hands of a sender: how many requests are under way at once, and what is claimed and waits for one of them.
import type { DeliveryRoom, DueDelivery } from '../ports/store/deliveries.ts';
import type { Signer } from './sign.ts';

/** A delivery that is this process's to send. */
export interface Claimed {
  readonly tenantId: string;
  /** Host and port of the receiver. */
  readonly host: string;
  readonly due: DueDelivery & { readonly body: string };
  readonly sign: Signer;
}

/** Requests under way from this process: in all, for one tenant, and to one of its receivers. */
const bounds = { all: 128, perTenant: 64, perHost: 16 };
/**
 * What may be claimed beyond them. A burst for a receiver that answers quickly costs few claims then; it is for no other,
 * since what waits here no other replica sends.
 */
const ahead = { all: 256, perTenant: 128, perHost: 48 };
/** A receiver that has not answered for so long gets what it has hands for; what waits for so long is given back. */
const quickMs = 1_000;

interface Receiver {
  readonly key: string;
  readonly tenantId: string;
  readonly host: string;
  /** When each request began, oldest first. */
  readonly underWay: Map<string, number>;
  readonly waiting: { readonly claimed: Claimed; readonly at: number }[];
}

export interface HandsDeps {
  readonly now: () => number;
  /** Never rejects. */
  readonly send: (claimed: Claimed) => Promise<void>;
}

export class Hands {
  readonly #deps: HandsDeps;
  readonly #receivers = new Map<string, Receiver>();
  /** Requests under way, by tenant. */
  readonly #tenants = new Map<string, number>();
  #underWay = 0;
  #waiting = 0;
  /** Somebody waits for the last request under way. */
  #atRest: PromiseWithResolvers<void> | undefined;

  constructor(deps: HandsDeps) {
    this.#deps = deps;
  }

  /** Sends as soon as a hand is free: at once, if one is. */
  take(claimed: Claimed): void {
    const receiver = this.#receiverOf(claimed);
    receiver.waiting.push({ claimed, at: this.#deps.now() });
    this.#waiting += 1;
    this.#begin(receiver);
  }

  /** How many more may be claimed. */
  get free(): number {
    return Math.max(0, bounds.all + ahead.all - this.#underWay - this.#waiting);
  }

  get isWaitedFor(): boolean {
    return this.#waiting > 0;
  }

  /** What a look asks for, beside what is held here already. */
  get look(): { perHost: number; perTenant: number; busy: { tenant: string; host: string; n: number }[] } {
    const late = this.#deps.now() - quickMs;
    const busy = [...this.#receivers.values()].map((receiver) => {
      const withheld = bounds.perHost + ahead.perHost - mostFor(receiver, late);
      return { tenant: receiver.tenantId, host: receiver.host, n: heldFor(receiver) + withheld };
    });
    return { perHost: bounds.perHost + ahead.perHost, perTenant: bounds.perTenant + ahead.perTenant, busy };
  }

  /** What of a tenant's webhooks may be claimed in the commit that writes them. */
  room(tenantId: string): Omit<DeliveryRoom, 'leaseSeconds'> | undefined {
    const own = [...this.#receivers.values()].filter((receiver) => receiver.tenantId === tenantId);
    const held = own.reduce((sum, receiver) => sum + heldFor(receiver), 0);
    const limit = Math.min(this.free, bounds.perTenant + ahead.perTenant - held);
    if (limit <= 0) return undefined;
    const late = this.#deps.now() - quickMs;
    const hosts = own.map((receiver) => {
      return [receiver.host, Math.max(0, mostFor(receiver, late) - heldFor(receiver))] as const;
    });
    return { limit, perHost: bounds.perHost + ahead.perHost, hosts: Object.fromEntries(hosts) };
  }

  /** Takes out what no hand came free for in good time, or all that waits. */
  tired(which: 'late' | 'all'): Claimed[] {
    if (this.#waiting === 0) return [];
    const late = which === 'all' ? Number.POSITIVE_INFINITY : this.#deps.now() - quickMs;
    return [...this.#receivers.values()].flatMap((receiver) => {
      const kept = receiver.waiting.findIndex(({ at }) => at > late);
      const gone = receiver.waiting.splice(0, kept < 0 ? receiver.waiting.length : kept);
      this.#waiting -= gone.length;
      this.#forgetIdle(receiver);
      return gone.map(({ claimed }) => claimed);
    });
  }

  /** When everything that is under way now has come to its end. */
  async rest(): Promise<void> {
    if (this.#underWay === 0) return;
    this.#atRest ??= Promise.withResolvers();
    await this.#atRest.promise;
  }

  #receiverOf({ tenantId, host }: Claimed): Receiver {
    const key = `${tenantId}\n${host}`;
    const known = this.#receivers.get(key);
    if (known !== undefined) return known;
    const receiver: Receiver = { key, tenantId, host, underWay: new Map(), waiting: [] };
    this.#receivers.set(key, receiver);
    return receiver;
  }

  #begin(receiver: Receiver): void {
    while (
      receiver.underWay.size < bounds.perHost &&
      this.#underWay < bounds.all &&
      (this.#tenants.get(receiver.tenantId) ?? 0) < bounds.perTenant
    ) {
      const next = receiver.waiting.shift();
      if (next === undefined) return;
      this.#waiting -= 1;
      // Owned by the count of what is under way: it never rejects.
      void this.#send(receiver, next.claimed);
    }
  }

  async #send(receiver: Receiver, claimed: Claimed): Promise<void> {
    const { tenantId, due } = claimed;
    receiver.underWay.set(due.deliveryId, this.#deps.now());
    this.#tenants.set(tenantId, (this.#tenants.get(tenantId) ?? 0) + 1);
    this.#underWay += 1;
    await this.#deps.send(claimed);
    this.#underWay -= 1;
    receiver.underWay.delete(due.deliveryId);
    const left = (this.#tenants.get(tenantId) ?? 1) - 1;
    if (left === 0) this.#tenants.delete(tenantId);
    else this.#tenants.set(tenantId, left);
    this.#begin(receiver);
    this.#forgetIdle(receiver);
    // The hand may be what another receiver's wait for.
    if (this.#waiting > 0) for (const other of this.#receivers.values()) this.#begin(other);
    if (this.#underWay === 0) this.#atRest?.resolve();
  }

  #forgetIdle(receiver: Receiver): void {
    if (heldFor(receiver) === 0) this.#receivers.delete(receiver.key);
  }
}

/** What one receiver may have claimed here at once. */
function mostFor({ underWay }: Receiver, late: number): number {
  const [oldest = late] = underWay.values();
  return oldest < late ? bounds.perHost : bounds.perHost + ahead.perHost;
}

function heldFor({ underWay, waiting }: Receiver): number {
  return underWay.size + waiting.length;
}
