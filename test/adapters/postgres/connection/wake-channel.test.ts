// Hints between replicas leave the process only while there is another replica.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { WakeChannel } from '../../../../src/adapters/postgres/connection/wake-channel.ts';
import type { Wake } from '../../../../src/domain/ports/wake.ts';
import { cloneDatabase, type TestDatabase } from '../../../support/database/database.ts';
import { until } from '../../../support/until.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await cloneDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

interface Replica extends AsyncDisposable {
  readonly channel: WakeChannel;
  readonly received: Wake[];
  gaps: number;
}

async function openReplica(): Promise<Replica> {
  const received: Wake[] = [];
  const replica: Replica = {
    received,
    gaps: 0,
    channel: new WakeChannel({
      address: db.service,
      role: 'a2a_app',
      replicaId: randomUUID(),
      log: () => {},
      onGap: () => {
        replica.gaps += 1;
      },
    }),
    [Symbol.asyncDispose]: () => replica.channel[Symbol.asyncDispose](),
  };
  replica.channel.listen((hint) => received.push(hint));
  await replica.channel.open();
  return replica;
}

const hint = (taskId: string): Wake => ({ kind: 'task', tenantId: 'default', taskId });

describe('hints between replicas', () => {
  it('stay in the process while it is alone, and reach the other as soon as there is one', async () => {
    await using wire = await listener();
    await using one = await openReplica();
    one.channel.announce(hint('unsent'));
    expect(one.received).toEqual([hint('unsent')]);
    await using other = await openReplica();
    await until('both know each other, and looked at the log', () => one.gaps >= 2 && other.gaps >= 2);
    one.channel.announce(hint('from one'));
    other.channel.announce(hint('from the other'));
    await until('both received them', () => one.received.length === 3 && other.received.length === 2);
    expect(one.received.at(-1)).toEqual(hint('from the other'));
    expect(new Set(other.received)).toEqual(new Set([hint('from one'), hint('from the other')]));
    expect(wire.payloads.join()).not.toContain('unsent');
  });

  it('arrive again after the connection broke', async () => {
    await using one = await openReplica();
    await using other = await openReplica();
    await until('both know each other', () => one.gaps >= 2 && other.gaps >= 2);
    const before = other.gaps;
    await db.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like '%pg_notify%' and pid <> pg_backend_pid()`);
    await until('the other is back', () => other.gaps > before);
    await until('a hint arrives', () => {
      one.channel.announce(hint('after'));
      return other.received.length > 0;
    });
    expect(other.received).toContainEqual(hint('after'));
  });
});

interface Listener extends AsyncDisposable {
  readonly payloads: string[];
}

/** A listener on the channel that is not a replica. */
async function listener(): Promise<Listener> {
  const client = new pg.Client(db.superuser);
  const payloads: string[] = [];
  client.on('notification', (message) => payloads.push(message.payload ?? ''));
  await client.connect();
  await client.query('listen switchyard_wake');
  return { payloads, [Symbol.asyncDispose]: () => client.end() };
}
