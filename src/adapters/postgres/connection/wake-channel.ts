// Hints between replicas over LISTEN/NOTIFY, on a connection of its own.
//
// NOTIFY inside the inserting transaction takes a database-wide lock, so hints are sent after the commit, coalesced:
// all hints announced during one notify share the next message. Nothing is sent while there is no other replica. A lost
// connection costs latency only: it is opened again, and `onGap` lets the listeners read the log themselves.
import pg from 'pg';
import type { Wake, WakeBus } from '../../../domain/ports/wake.ts';
import { clientConfig, type DatabaseAddress } from './connections.ts';

const channel = 'switchyard_wake';
/** NOTIFY takes at most 7999 bytes. */
const maxPayload = 7_500;
const reconnectMs = 1_000;
/** Milliseconds between heartbeats. */
const heartbeatMs = 15_000;

/** Beside hints, replicas send heartbeats. A new replica asks the others to answer. */
interface Presence {
  readonly kind: 'here';
  readonly requestsReply: boolean;
}

export interface WakeChannelOptions {
  readonly address: DatabaseAddress;
  readonly role: 'a2a_app' | 'a2a_admin';
  /** Distinguishes this replica's messages from others'. */
  readonly replicaId: string;
  readonly log: (line: string, error?: unknown) => void;
  /** Called when hints of others may have been missed. */
  readonly onGap: () => void;
}

export class WakeChannel implements WakeBus, AsyncDisposable {
  readonly #options: WakeChannelOptions;
  readonly #listeners = new Set<(wake: Wake) => void>();
  readonly #others = new OtherReplicas();
  #outbox = new Set<string>();
  #client: pg.Client | undefined;
  #sending = false;
  #closed = false;
  #reconnect: NodeJS.Timeout | undefined;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(options: WakeChannelOptions) {
    this.#options = options;
    this.#heartbeat = setInterval(() => {
      this.#others.tick();
      this.#enqueue({ kind: 'here', requestsReply: false });
    }, heartbeatMs);
    this.#heartbeat.unref();
  }

  /** Opens the connection; a failure is retried in the background. */
  async open(): Promise<void> {
    if (this.#closed) return;
    const client = new pg.Client(clientConfig(this.#options.address, this.#options.role, asyncCommit));
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', (message) => this.#receive(message.payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      this.#client = client;
      this.#options.onGap();
      this.#enqueue({ kind: 'here', requestsReply: true });
    } catch (error) {
      this.#options.log('could not open the wake channel; will retry', error);
      this.#lost(client);
    }
  }

  announce(wake: Wake): void {
    for (const listener of this.#listeners) listener(wake);
    if (this.#others.any) this.#enqueue(wake);
  }

  /** Equal messages that wait together are sent once. */
  #enqueue(message: Wake | Presence): void {
    this.#outbox.add(JSON.stringify(message));
    this.#send();
  }

  listen(listener: (wake: Wake) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #receive(payload: string): void {
    const [replicaId, ...messages] = parsePayload(payload);
    if (replicaId === this.#options.replicaId) return;
    const isNew = this.#others.markSeen(replicaId);
    for (const message of messages) {
      if (message.kind !== 'here') for (const listener of this.#listeners) listener(message);
      // The sender was away: its hints of that time did not arrive.
      else if (message.requestsReply) this.#enqueue({ kind: 'here', requestsReply: false });
    }
    if (isNew || messages.some((message) => message.kind === 'here' && message.requestsReply)) this.#options.onGap();
  }

  /** One notify at a time; hints that gather meanwhile share the next one. */
  #send(): void {
    const client = this.#client;
    if (this.#sending || client === undefined || this.#outbox.size === 0) return;
    this.#sending = true;
    setImmediate(() => {
      const payload = this.#takePayload();
      // Owned: #notify never rejects.
      void this.#notify(client, payload).then(() => this.#send());
    });
  }

  async #notify(client: pg.Client, payload: string): Promise<void> {
    try {
      await client.query({ name: 'notify', text: 'select pg_notify($1, $2)', values: [channel, payload] });
    } catch (error) {
      // The connection is gone: its 'end' event opens it again, and onGap makes up for the lost hints.
      this.#options.log('lost hints to other replicas; their sweeps find the changes', error);
    } finally {
      this.#sending = false;
    }
  }

  #takePayload(): string {
    const parts = [JSON.stringify(this.#options.replicaId)];
    let size = parts[0]?.length ?? 0;
    for (const key of this.#outbox) {
      const bytes = Buffer.byteLength(key) + 1;
      // A hint too large for a message is dropped: the sweep finds its task.
      if (bytes > maxPayload) this.#outbox.delete(key);
      else if (size + bytes > maxPayload) break;
      else {
        parts.push(key);
        size += bytes;
        this.#outbox.delete(key);
      }
    }
    return `[${parts.join(',')}]`;
  }

  #lost(client: pg.Client): void {
    if (this.#closed || (this.#client !== undefined && this.#client !== client)) return;
    this.#client = undefined;
    this.#outbox = new Set();
    this.#others.forgetAll();
    if (this.#reconnect !== undefined) return;
    this.#reconnect = setTimeout(() => {
      this.#reconnect = undefined;
      // Owned: open never rejects, it retries.
      void this.open();
    }, reconnectMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#reconnect);
    clearInterval(this.#heartbeat);
    await this.#client?.end();
  }
}

/** Hints may be lost, so their commits need not wait for the disk. */
const asyncCommit = { synchronous_commit: 'off' };

/** The payload of a message: the sending replica, then the content. */
function parsePayload(payload: string): [string, ...(Wake | Presence)[]] {
  return JSON.parse(payload);
}

/** Missed heartbeats after which a replica counts as gone. */
const maxMissedHeartbeats = 4;

class OtherReplicas {
  readonly #missedHeartbeats = new Map<string, number>();

  get any(): boolean {
    return this.#missedHeartbeats.size > 0;
  }

  /** Records a heartbeat. @returns true for an unknown replica: both sides may have missed hints */
  markSeen(replicaId: string): boolean {
    const isNew = !this.#missedHeartbeats.has(replicaId);
    this.#missedHeartbeats.set(replicaId, 0);
    return isNew;
  }

  /** Called at each heartbeat of this replica. */
  tick(): void {
    for (const [replicaId, missed] of this.#missedHeartbeats) {
      if (missed >= maxMissedHeartbeats) this.#missedHeartbeats.delete(replicaId);
      else this.#missedHeartbeats.set(replicaId, missed + 1);
    }
  }

  forgetAll(): void {
    this.#missedHeartbeats.clear();
  }
}
