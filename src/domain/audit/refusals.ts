// Refusals of calls without a valid credential: folded to one entry a minute and address, with a count. choices §3.
import { systemTenantId, type AuditEntry } from '../model/audit-entry.ts';
import type { AuditTrail } from '../ports/audit.ts';
import type { MakeId } from '../../lib/uuid7.ts';

const foldMs = 60_000;
/** Addresses that are counted apart; a flood from more is counted as one. */
const maxAddresses = 10_000;

interface Fold {
  readonly since: number;
  /** How often, by the refusal's code. */
  readonly counts: Map<string, number>;
}

export class RefusalFolds {
  readonly #deps: { readonly trail: AuditTrail; readonly makeId: MakeId; readonly now: () => number };
  readonly #folds = new Map<string, Fold>();

  constructor(deps: { readonly trail: AuditTrail; readonly makeId: MakeId; readonly now: () => number }) {
    this.#deps = deps;
  }

  add(address: string, code: string): void {
    const key = this.#folds.size < maxAddresses || this.#folds.has(address) ? address : '';
    let fold = this.#folds.get(key);
    if (fold === undefined) {
      fold = { since: this.#deps.now(), counts: new Map() };
      this.#folds.set(key, fold);
    }
    fold.counts.set(code, (fold.counts.get(code) ?? 0) + 1);
  }

  /** Writes the folds whose minute is over. @param all true: every one, for the service stops */
  flush(all = false): void {
    const now = this.#deps.now();
    for (const [address, fold] of this.#folds) {
      if (!all && now - fold.since < foldMs) continue;
      this.#folds.delete(address);
      this.#deps.trail.note(this.#entry(address, fold, now));
    }
  }

  #entry(address: string, { since, counts }: Fold, now: number): AuditEntry {
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
