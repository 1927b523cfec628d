// Aggregates refused calls without a valid credential: one entry per minute and address, with a count. choices-3.
import { systemTenantId, type AuditEntry } from '../model/audit-entry.ts';
import type { AuditTrail } from '../ports/audit.ts';
import type { MakeId } from '../../lib/uuid7.ts';

const windowMs = 60_000;
/** Addresses that are counted separately; a flood from more is counted as one. */
const maxAddresses = 10_000;

interface RefusalGroup {
  readonly since: number;
  /** Number of refusals by error code. */
  readonly counts: Map<string, number>;
}

export class RefusalAggregator {
  readonly #deps: { readonly trail: AuditTrail; readonly makeId: MakeId; readonly now: () => number };
  readonly #groups = new Map<string, RefusalGroup>();

  constructor(deps: { readonly trail: AuditTrail; readonly makeId: MakeId; readonly now: () => number }) {
    this.#deps = deps;
  }

  add(address: string, code: string): void {
    const key = this.#groups.size < maxAddresses || this.#groups.has(address) ? address : '';
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { since: this.#deps.now(), counts: new Map() };
      this.#groups.set(key, group);
    }
    group.counts.set(code, (group.counts.get(code) ?? 0) + 1);
  }

  /** Writes the aggregates of minutes that are over. @param all true: every aggregate, at shutdown */
  flush(all = false): void {
    const now = this.#deps.now();
    for (const [address, group] of this.#groups) {
      if (!all && now - group.since < windowMs) continue;
      this.#groups.delete(address);
      this.#deps.trail.note(this.#entry(address, group, now));
    }
  }

  #entry(address: string, { since, counts }: RefusalGroup, now: number): AuditEntry {
    const count = [...counts.values()].reduce((sum, n) => sum + n, 0);
    return {
      id: this.#deps.makeId(),
      at: since,
      tenantId: systemTenantId,
      actor: 'anonymous',
      action: 'auth.refused',
      resource: 'http',
      metadata: { count, until: new Date(now).toISOString(), ...Object.fromEntries(counts) },
      ip: address === '' ? null : address,
      sessionId: null,
      chain: this.#deps.trail.chain,
      trace: { rows: [] },
      outcome: 'denied',
    };
  }
}
