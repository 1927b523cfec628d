// The mirror of records between instances that have no database in common: each has its own rows, tells the shelf what
// changed in them, and takes over what others told. The newest version of a record wins. document 1 §2.7, choices §5.
import { systemTenantId } from '../model/audit-entry.ts';
import { recordKinds, recordName, type RecordShelf, type SharedRecord } from '../ports/store/shared-records.ts';
import type { Crossings } from '../ports/store/crossings.ts';
import type { Store } from '../ports/store/store.ts';
import type { WakeBus } from '../ports/wake.ts';

export interface MirrorDeps {
  readonly shelf: RecordShelf;
  readonly store: Store;
  readonly crossings: Pick<Crossings, 'tenants'>;
  readonly wake: WakeBus;
  readonly now: () => number;
  /** What nobody changed for so long is told again, before the shelf forgets it. */
  readonly renewMs: number;
  readonly log: (line: string, details?: unknown) => void;
}

/** A version as this instance last had it; null: removed. */
interface Known {
  readonly version: number;
  readonly body: string | null;
}

/** A version further ahead than any clock is worth nothing: it would outlast every later change. */
const farAheadMs = 86_400_000;

export class RecordMirror {
  readonly #deps: MirrorDeps;
  readonly #known = new Map<string, Known>();
  /** Records that could not be taken over, with the version that could not. */
  readonly #refused = new Map<string, number>();

  constructor(deps: MirrorDeps) {
    this.#deps = deps;
  }

  /** Takes over what is newer on the shelf, then tells what is newer here. @throws when the shelf or the store is away */
  async tick(): Promise<void> {
    const { shelf, crossings } = this.#deps;
    if (!shelf.isUp) return;
    const tenants = (await crossings.tenants()).filter((tenantId) => tenantId !== systemTenantId);
    const listed = await shelf.versions();
    const taken = await this.#takeOver(listed, new Set(tenants));
    const here = await this.#local(tenants);
    for (const record of taken) {
      // As the row is, not as it was told: what a row cannot hold is no change of ours.
      this.#known.set(recordName(record), {
        version: record.version,
        body: here.get(recordName(record))?.body ?? null,
      });
    }
    await this.#tell(listed, here);
    this.#announce(taken);
  }

  async #takeOver(listed: ReadonlyMap<string, number>, tenants: ReadonlySet<string>): Promise<SharedRecord[]> {
    const { shelf, now } = this.#deps;
    const limit = now() + farAheadMs;
    const newer = [...listed].filter(([name, version]) => {
      const isOurs = tenants.has(name.slice(0, name.indexOf(':')));
      return isOurs && version > (this.#known.get(name)?.version ?? 0) && this.#refused.get(name) !== version;
    });
    const read = await shelf.read(newer.map(([name]) => name));
    const genuine = new Map(read.map((record) => [recordName(record), record]));
    const taken: SharedRecord[] = [];
    for (const [name, version] of newer.toSorted((a, b) => orderOf(a[0]) - orderOf(b[0]))) {
      const record = genuine.get(name);
      const isNews = record !== undefined && record.version > (this.#known.get(name)?.version ?? 0);
      if (isNews && record.version < limit && tenants.has(record.tenantId) && (await this.#apply(record)))
        taken.push(record);
      else this.#refused.set(name, version);
    }
    return taken;
  }

  async #apply(record: SharedRecord): Promise<boolean> {
    try {
      await this.#deps.store.within(record, (rows) => rows.shared.apply(record));
      return true;
    } catch (error) {
      // A worker of the same name that registered here is the one case that is no fault: here it stays what it is.
      this.#deps.log('a shared record could not be taken over', { name: recordName(record), error });
      return false;
    }
  }

  async #local(tenants: readonly string[]): Promise<Map<string, Omit<SharedRecord, 'version'>>> {
    const here = new Map<string, Omit<SharedRecord, 'version'>>();
    for (const tenantId of tenants) {
      const records = await this.#deps.store.within({ tenantId }, (rows) => rows.shared.all());
      for (const record of records) here.set(recordName({ tenantId, ...record }), { tenantId, ...record });
    }
    return here;
  }

  async #tell(
    listed: ReadonlyMap<string, number>,
    here: ReadonlyMap<string, Omit<SharedRecord, 'version'>>,
  ): Promise<void> {
    const { shelf, now, renewMs } = this.#deps;
    const at = now();
    const news: SharedRecord[] = [];
    for (const [name, record] of here) {
      const known = this.#known.get(name);
      const there = listed.get(name) ?? 0;
      const isChanged = known === undefined || known.body !== record.body || at - known.version > renewMs;
      // Never below what is listed, so that a listing which nothing genuine stands behind is overwritten.
      const floor = Math.max(known?.version ?? 0, there < at + farAheadMs ? there : 0);
      if (isChanged) news.push({ ...record, version: Math.max(floor + 1, at) });
      // Somebody put an older one back, or the shelf was emptied.
      else if (there !== known.version) news.push({ ...record, version: known.version });
    }
    for (const [name, known] of this.#known) {
      if (known.body === null || here.has(name)) continue;
      news.push({ ...namedBy(name), version: Math.max(known.version + 1, at), body: null });
    }
    await shelf.write(news);
    for (const record of news) this.#known.set(recordName(record), { version: record.version, body: record.body });
  }

  /** Who waits for workers looks again. */
  #announce(taken: readonly SharedRecord[]): void {
    for (const tenantId of new Set(taken.map((record) => record.tenantId))) {
      this.#deps.wake.announce({ kind: 'workers', tenantId });
    }
  }
}

function namedBy(name: string): Omit<SharedRecord, 'version' | 'body'> {
  const [tenantId = '', kindText = '', id = ''] = name.split(':');
  const kind = recordKinds.find((known) => known === kindText);
  if (kind === undefined) throw new Error(`no kind of record is in the name ${name}`);
  return { tenantId, kind, id: decodeURIComponent(id) };
}

/** What others refer to comes first. */
function orderOf(name: string): number {
  return recordKinds.findIndex((kind) => name.includes(`:${kind}:`));
}
