// Nobody sees or touches what is another tenant's: tried on every operation there is, in every place for an id.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/http/operation.ts';
import { openHouse, type House, type Reply, type Who } from '../house.ts';
import { fingerprint } from '../support/fingerprint.ts';
import { mustBeWhole } from '../support/invariants.ts';
import { pathOf, placesOf, sampleOf, withAt, type Place, type Sample } from '../support/samples.ts';
import { buildWorld, idsOf, type World } from '../support/world.ts';

let house: House;
let theirs: World;
let ours: World;
/** Stands in every text of the tenant `default`. */
const mark = 'seldom-seen-word';

beforeAll(async () => {
  house = await openHouse({ config: { automationCallsPerMinute: 1_000_000 } });
  theirs = await buildWorld(house, 'operator', mark);
  ours = await buildWorld(house, 'other', 'our-own-word');
});
afterAll(async () => {
  await mustBeWhole(house.db);
  await house[Symbol.asyncDispose]();
});

/** A request of ours in which one place, and nothing else, names what is theirs; or what is nowhere. */
interface Probe {
  readonly operation: Operation;
  readonly place: Place;
  readonly request: (id: unknown) => Sample;
  readonly foreign: unknown;
  readonly missing: unknown;
}

function probes(operation: Operation): Probe[] {
  const own = idsOf(ours, operation.names);
  const foreign = idsOf(theirs, operation.names);
  const sample = sampleOf(operation, own);
  // A conversation's id is a word of the caller's own choice: to write it names nothing of anybody's.
  const places = placesOf(sample, new Set(Object.keys(own))).filter(
    (place) => place.join('.') !== 'body.conversation_id',
  );
  return places.map((place) => {
    const name = String(place.at(-1));
    const isText = name === 'sid' || name === 'artifact_id' || name === 'conversation_id';
    return {
      operation,
      place,
      request: (id) => withAt(sample, place, id) as Sample,
      foreign: foreign[name],
      missing: isText ? 'nowhere-at-all' : randomUUID(),
    };
  });
}

async function ask(probe: Probe, id: unknown, as: Who): Promise<Reply> {
  const request = probe.request(id);
  const { method } = probe.operation;
  const body = request.body === undefined ? {} : { body: request.body };
  // A stream that opens is closed: its first frames are enough.
  return house.call(method, pathOf(probe.operation, request), { as, ...body, signal: AbortSignal.timeout(20_000) });
}

/** An answer without what differs from one request to the next: its id, and the id that was asked for. */
function plain(reply: Reply, id: unknown): unknown {
  const text = JSON.stringify({ status: reply.status, body: reply.body });
  return text.replaceAll(String(id), '<id>').replaceAll(/"request_id":"[^"]*"/g, '');
}

describe('another tenant', () => {
  it('is told of a thing of ours exactly what it is told of nothing, by every operation in every place, and changes no row [choices-3.7]', async () => {
    const before = await fingerprint(house.db, 'default');
    const all = house.service.operations.flatMap(probes);
    // As many as there are operations with an id in them, and more.
    expect(all.length).toBeGreaterThan(30);
    for (const as of ['other', 'otheradmin'] as const) {
      for (const probe of all) {
        const what = `${as}: ${probe.operation.name} ${probe.place.join('.')}`;
        const answer = await ask(probe, probe.foreign, as);
        expect([what, JSON.stringify(answer.body).includes(mark) && probe.foreign !== mark]).toEqual([what, false]);
        expect([what, plain(answer, probe.foreign)]).toEqual([
          what,
          plain(await ask(probe, probe.missing, as), probe.missing),
        ]);
        expect([what, answer.status < 500]).toEqual([what, true]);
      }
    }
    expect(await fingerprint(house.db, 'default')).toEqual(before);
  });

  it('finds nothing of ours in any list, figure or stream', async () => {
    const before = await fingerprint(house.db, 'default');
    for (const operation of house.service.operations.filter((one) => one.method === 'GET')) {
      if (operation.params !== undefined || operation.name === 'workers.stream') continue;
      const { body } = await house.call('GET', operation.path, { as: 'other' });
      expect([operation.name, JSON.stringify(body).includes(mark)]).toEqual([operation.name, false]);
    }
    const own = await house.call('GET', '/v1/agent/tasks?limit=200', { as: 'other' });
    expect(own.body.tasks.map((task: { title: string }) => task.title)).toEqual(
      own.body.tasks.map(() => 'our-own-word'),
    );
    const { body: stats } = await house.call('GET', '/v1/monitor/stats', { as: 'other' });
    expect(stats).toMatchObject({ codebases: 1, workers: { active: 1 }, tasks: { completed: 1, running: 1 } });
    expect(await fingerprint(house.db, 'default')).toEqual(before);
  });
});

describe('the database itself, asked by the service’s role without the service', () => {
  const tables = ['tasks', 'workers', 'workspaces', 'sessions', 'task_runs', 'task_events', 'task_messages', 'routes'];

  async function asApp<T>(tenant: string | undefined, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ ...house.db.service, options: '-c role=a2a_app' });
    await client.connect();
    try {
      if (tenant !== undefined) await client.query(`select set_config('app.current_tenant_id', $1, false)`, [tenant]);
      return await work(client);
    } finally {
      await client.end();
    }
  }

  it.each([[undefined], [''], ['nobody'], ["default' or 'a'='a"], ['default,other'], ['*'], ['DEFAULT']])(
    'shows and changes no row for the tenant %j',
    async (tenant) => {
      await asApp(tenant, async (client) => {
        for (const table of tables) {
          expect([table, (await client.query(`select from ${table}`)).rowCount]).toEqual([table, 0]);
          expect([table, (await client.query(`delete from ${table}`)).rowCount]).toEqual([table, 0]);
        }
      });
    },
  );

  it('shows the rows of the tenant that is named, and takes none for another', async () => {
    await asApp('other', async (client) => {
      const { rows } = await client.query('select distinct tenant_id from tasks');
      expect(rows).toEqual([{ tenant_id: 'other' }]);
      const insert = `insert into workspaces (tenant_id, codebase_id, name, path, created_by) values ($1, 'x', 'x', '/', 'x')`;
      await expect(client.query(insert, ['default'])).rejects.toMatchObject({ code: '42501' });
      await expect(client.query(`update workspaces set tenant_id = 'default'`)).rejects.toMatchObject({
        code: '42501',
      });
      await expect(client.query(`insert into tenants (tenant_id, name) values ('mine', '')`)).rejects.toMatchObject({
        code: '42501',
      });
    });
  });

  it('lets its login see nothing before it takes a role', async () => {
    const client = new pg.Client(house.db.service);
    await client.connect();
    try {
      await expect(client.query('select from tasks')).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
    }
  });

  it('guards every table that there is', async () => {
    const rows = await house.db.query(
      `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
         and relname <> 'schema_migrations' and not (relrowsecurity and relforcerowsecurity)`,
    );
    expect(rows).toEqual([]);
  });
});
