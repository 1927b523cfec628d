// The shared record store in the broker: one document per record, tenant-scoped, under an HMAC with
// BROKER_SHARED_SECRET. Documents without a valid HMAC are ignored. choices-5.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import {
  recordKinds,
  recordName,
  type SharedRecordStore,
  type SharedRecord,
} from '../../domain/ports/shared-records.ts';
import { RedisConnection, redactRedisUrl, withTimeout, type RedisClient } from './connection.ts';
import { tryParseJson } from '../../lib/json/json-text.ts';

export interface RedisSharedRecordStoreOptions {
  readonly url: string;
  readonly secret: string;
  /** How long a record lives after its last write. */
  readonly ttlMs: number;
  readonly now: () => number;
  readonly random: () => number;
  readonly elapsedMs: () => number;
  readonly log: (line: string, details?: unknown) => void;
}

const answerMs = 5_000;
const startMs = 2_000;
const maxNamesPerCall = 200;
/** More records than this cannot be ours. */
const maxRecords = 200_000;
const maxDocument = 2 * 1024 * 1024;

const envelope = z.strictObject({ mac: z.string(), payload: z.string() });
const statement = z.strictObject({
  tenant_id: z.string(),
  kind: z.enum(recordKinds),
  id: z.string(),
  version: z.int().min(1),
  expires_ms: z.int(),
  body: z.string().nullable(),
});

export class RedisSharedRecordStore implements SharedRecordStore, AsyncDisposable {
  readonly #options: RedisSharedRecordStoreOptions;
  readonly #key: Uint8Array;
  readonly #connection: RedisConnection;
  /** Name of the hash of record names and versions. It is not authenticated: a hint of what to read. */
  readonly #index: string;
  readonly #prefix: string;
  #refused = 0;

  constructor(options: RedisSharedRecordStoreOptions) {
    const { url, random, elapsedMs, log, secret } = options;
    this.#options = options;
    this.#key = createHmac('sha256', secret).update('switchyard records 1').digest();
    // The namespace lets installations with different secrets share a broker.
    const namespace = createHmac('sha256', this.#key).update('shared-records').digest('base64url').slice(0, 12);
    this.#index = `switchyard:records:${namespace}`;
    this.#prefix = `switchyard:record:${namespace}:`;
    const onDown = (why: string): void =>
      log(`broker ${redactRedisUrl(url)} unavailable: records are not shared until it is back`, { why });
    this.#connection = new RedisConnection({ url, random, elapsedMs, onUp: () => undefined, onDown });
  }

  /** Resolves when the broker is connected, or after two seconds: start-up does not depend on it. */
  async open(): Promise<void> {
    await withTimeout(startMs, this.#connection.firstAttempt).catch(() => undefined);
  }

  get isUp(): boolean {
    return this.#connection.client !== undefined;
  }

  async versions(): Promise<Map<string, number>> {
    const count = await this.#withClient((client) => client.hLen(this.#index));
    if (count > maxRecords) throw new Error(`the broker lists ${count} records, more than the limit of ${maxRecords}`);
    const fields = await this.#withClient((client) => client.hGetAll(this.#index));
    return new Map(Object.entries(fields).map(([name, version]) => [name, Number(version)]));
  }

  async read(names: readonly string[]): Promise<SharedRecord[]> {
    const found: SharedRecord[] = [];
    for (let i = 0; i < names.length; i += maxNamesPerCall) {
      const some = names.slice(i, i + maxNamesPerCall);
      const documents = await this.#withClient((client) => client.mGet(some.map((name) => this.#prefix + name)));
      const missing = some.filter((_, n) => documents[n] === null);
      if (missing.length > 0) await this.#withClient((client) => client.hDel(this.#index, missing));
      for (const [n, document] of documents.entries()) {
        const record = document === null ? undefined : this.#genuine(some[n] ?? '', document);
        if (record !== undefined) found.push(record);
      }
    }
    return found;
  }

  async write(records: readonly SharedRecord[]): Promise<void> {
    const { ttlMs, now } = this.#options;
    for (let i = 0; i < records.length; i += maxNamesPerCall) {
      await this.#withClient((client) => {
        const all = client.multi();
        for (const record of records.slice(i, i + maxNamesPerCall)) {
          const name = recordName(record);
          all.set(this.#prefix + name, this.#document(record, now() + ttlMs), {
            expiration: { type: 'PX', value: ttlMs },
          });
          all.hSet(this.#index, name, record.version);
        }
        return all.exec();
      });
    }
  }

  #document({ tenantId, kind, id, version, body }: SharedRecord, expiresMs: number): string {
    const fields = { tenant_id: tenantId, kind, id, version, expires_ms: expiresMs, body };
    const payload = JSON.stringify(fields satisfies z.input<typeof statement>);
    return JSON.stringify({ mac: this.#mac(payload).toString('base64url'), payload });
  }

  /** The record of a document with a valid HMAC and this name; undefined for any other document. */
  #genuine(name: string, document: string): SharedRecord | undefined {
    const record = document.length > maxDocument ? undefined : this.#opened(document);
    if (record !== undefined && recordName(record) === name) return record;
    // Logged once: an attacker who can write there can write often.
    if (this.#refused++ === 0)
      this.#options.log('the broker holds records without a valid HMAC: ignoring them', { name });
    return undefined;
  }

  #opened(document: string): SharedRecord | undefined {
    const outer = envelope.safeParse(tryParseJson(document)).data;
    if (outer === undefined) return undefined;
    const mac = Buffer.from(outer.mac, 'base64url');
    const expected = this.#mac(outer.payload);
    if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return undefined;
    const inner = statement.safeParse(tryParseJson(outer.payload)).data;
    if (inner === undefined || inner.expires_ms < this.#options.now()) return undefined;
    const { tenant_id: tenantId, kind, id, version, body } = inner;
    return { tenantId, kind, id, version, body };
  }

  #mac(payload: string): Buffer {
    return createHmac('sha256', this.#key).update(payload).digest();
  }

  async #withClient<T>(command: (client: RedisClient) => Promise<T>): Promise<T> {
    const { client } = this.#connection;
    if (client === undefined) throw new Error('the broker is unavailable');
    return withTimeout(answerMs, command(client));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#connection[Symbol.asyncDispose]();
  }
}
