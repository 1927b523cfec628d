// Replicates records between instances without a common database. Each instance publishes changes of its own rows to
// the shared store and applies changes of others. The newest version of a record wins. core-2.7, choices-5.
import { systemTenantId } from '../model/audit-entry.ts';
import { recordKinds, recordName, type SharedRecordStore, type SharedRecord } from '../ports/shared-records.ts';
import type { CrossTenantQueries } from '../ports/store/cross-tenant-queries.ts';
import type { Store } from '../ports/store/store.ts';
import type { WakeBus } from '../ports/wake.ts';

export interface RecordReplicatorDeps {
  readonly sharedStore: SharedRecordStore;
  readonly store: Store;
  readonly crossTenant: Pick<CrossTenantQueries, 'tenants'>;
  readonly wake: WakeBus;
  readonly now: () => number;
  /** Unchanged records are published again after this long, before the shared store expires them. */
  readonly renewMs: number;
  readonly log: (line: string, details?: unknown) => void;
}

/** The version of a record that this instance last had; `body` is null when it was removed. */
interface KnownVersion {
  readonly version: number;
  readonly body: string | null;
}

/** Versions further in the future than this are ignored: they would win over every later change. */
const maxFutureMs = 86_400_000;

export class RecordReplicator {
  readonly #deps: RecordReplicatorDeps;
  readonly #known = new Map<string, KnownVersion>();
  /** Records that could not be applied, with the version that failed. */
  readonly #refused = new Map<string, number>();

  constructor(deps: RecordReplicatorDeps) {
    this.#deps = deps;
  }

  /** Applies newer records of the shared store, then publishes newer rows. @throws when either store is unavailable */
  async tick(): Promise<void> {
    const { sharedStore, crossTenant } = this.#deps;
    if (!sharedStore.isUp) return;
    const tenants = (await crossTenant.tenants()).filter((tenantId) => tenantId !== systemTenantId);
    const listed = await sharedStore.versions();
    const applied = await this.#pull(listed, new Set(tenants));
    const local = await this.#readLocal(tenants);
    for (const record of applied) {
      // Remember the row, not the record: content that a row cannot hold must not look like a local change.
      this.#known.set(recordName(record), {
        version: record.version,
        body: local.get(recordName(record))?.body ?? null,
      });
    }
    await this.#publish(listed, local);
    this.#announce(applied);
  }

  async #pull(listed: ReadonlyMap<string, number>, tenants: ReadonlySet<string>): Promise<SharedRecord[]> {
    const { sharedStore, now } = this.#deps;
    const limit = now() + maxFutureMs;
    const newer = [...listed].filter(([name, version]) => {
      const isKnownTenant = tenants.has(name.slice(0, name.indexOf(':')));
      return isKnownTenant && version > (this.#known.get(name)?.version ?? 0) && this.#refused.get(name) !== version;
    });
    const read = await sharedStore.read(newer.map(([name]) => name));
    const genuine = new Map(read.map((record) => [recordName(record), record]));
    const applied: SharedRecord[] = [];
    for (const [name, version] of newer.toSorted((a, b) => kindOrderOf(a[0]) - kindOrderOf(b[0]))) {
      const record = genuine.get(name);
      const isNewer = record !== undefined && record.version > (this.#known.get(name)?.version ?? 0);
      if (isNewer && record.version < limit && tenants.has(record.tenantId) && (await this.#apply(record)))
        applied.push(record);
      else this.#refused.set(name, version);
    }
    return applied;
  }

  async #apply(record: SharedRecord): Promise<boolean> {
    try {
      await this.#deps.store.within(record, (rows) => rows.shared.apply(record));
      return true;
    } catch (error) {
      // One cause is expected: a worker of the same name is registered here. The local row stays.
      this.#deps.log('could not apply a shared record; the local row stays as it is', {
        name: recordName(record),
        error,
      });
      return false;
    }
  }

  async #readLocal(tenants: readonly string[]): Promise<Map<string, Omit<SharedRecord, 'version'>>> {
    const local = new Map<string, Omit<SharedRecord, 'version'>>();
    for (const tenantId of tenants) {
      const records = await this.#deps.store.within({ tenantId }, (rows) => rows.shared.all());
      for (const record of records) local.set(recordName({ tenantId, ...record }), { tenantId, ...record });
    }
    return local;
  }

  async #publish(
    listed: ReadonlyMap<string, number>,
    local: ReadonlyMap<string, Omit<SharedRecord, 'version'>>,
  ): Promise<void> {
    const { sharedStore, now, renewMs } = this.#deps;
    const at = now();
    const changes: SharedRecord[] = [];
    for (const [name, record] of local) {
      const known = this.#known.get(name);
      const listedVersion = listed.get(name) ?? 0;
      const isChanged = known === undefined || known.body !== record.body || at - known.version > renewMs;
      // Exceed the listed version, so that a listing without an authentic record is overwritten.
      const floor = Math.max(known?.version ?? 0, listedVersion < at + maxFutureMs ? listedVersion : 0);
      if (isChanged) changes.push({ ...record, version: Math.max(floor + 1, at) });
      // An older record was restored, or the shared store was emptied.
      else if (listedVersion !== known.version) changes.push({ ...record, version: known.version });
    }
    for (const [name, known] of this.#known) {
      if (known.body === null || local.has(name)) continue;
      changes.push({ ...parseRecordName(name), version: Math.max(known.version + 1, at), body: null });
    }
    await sharedStore.write(changes);
    for (const record of changes) this.#known.set(recordName(record), { version: record.version, body: record.body });
  }

  /** Hints that workers may have changed, in each tenant with applied records. */
  #announce(applied: readonly SharedRecord[]): void {
    for (const tenantId of new Set(applied.map((record) => record.tenantId))) {
      this.#deps.wake.announce({ kind: 'workers', tenantId });
    }
  }
}

function parseRecordName(name: string): Omit<SharedRecord, 'version' | 'body'> {
  const [tenantId = '', kindText = '', id = ''] = name.split(':');
  const kind = recordKinds.find((known) => known === kindText);
  if (kind === undefined) throw new Error(`record name ${name} has an unknown kind`);
  return { tenantId, kind, id: decodeURIComponent(id) };
}

/** Codebases sort first, because other records refer to them. */
function kindOrderOf(name: string): number {
  return recordKinds.findIndex((kind) => name.includes(`:${kind}:`));
}
