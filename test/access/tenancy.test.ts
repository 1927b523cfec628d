// Another tenant learns nothing and changes nothing: over every operation there is, generated from the tables.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonSchema } from '../../src/http/schema.ts';
import type { Operation } from '../../src/http/operation.ts';
import { openHouse, type CallOptions, type House, type Reply } from '../house.ts';

/** Ids of things that tenant `default` has, by what they name. */
interface Ids {
  task: string;
  worker: string;
  codebase: string;
  session: string;
  artifact: string;
  lease: string;
  conversation: string;
}

const missing: Ids = {
  task: '01a1fe3a-a67c-7000-bbb2-66e11402a1f1',
  worker: '01a1fe3a-a67c-7000-bbb2-66e11402a1f2',
  codebase: '01a1fe3a-a67c-7000-bbb2-66e11402a1f3',
  session: 'no-such-session',
  artifact: 'no-such-artifact',
  lease: '01a1fe3a-a67c-7000-bbb2-66e11402a1f4',
  conversation: 'no-such-conversation',
};

let house: House;
let theirs: Ids;
beforeAll(async () => {
  house = await openHouse({ config: { automationCallsPerMinute: 1_000_000 } });
  theirs = await furnish();
});
afterAll(() => house[Symbol.asyncDispose]());

/** Tenant `default` has a worker that holds a codebase with a session, and runs a task that left an artifact. */
async function furnish(): Promise<Ids> {
  const worker = await house.worker({ name: 'theirs', codebases: [{ name: 'c', path: '/secret-path' }] });
  const codebase = worker.registered.codebases[0]?.codebase_id ?? '';
  const task = await house.task({ codebase_id: codebase, prompt: 'secret-prompt', conversation_id: 'theirs' });
  const [held] = await worker.claim();
  if (held === undefined) throw new Error('nothing claimed');
  await worker.report(held, [{ type: 'artifact', n: 1, name: 'their-artifact', text: 'secret-text' }]);
  const sessions = [{ session_id: 'theirs', title: 'secret-title' }];
  await house.call('POST', `/v1/agent/codebases/${codebase}/sessions/sync`, {
    as: 'agent',
    body: { worker_id: worker.id, sessions },
  });
  return {
    task: task.id,
    worker: worker.id,
    codebase,
    session: 'theirs',
    artifact: 'their-artifact',
    lease: held.lease_token,
    conversation: 'theirs',
  };
}

function isNoun(word: string): word is keyof Ids {
  return Object.hasOwn(missing, word);
}

/** The path with these ids in its slots. */
function pathOf(row: Operation, ids: Ids): string {
  const first = row.names === 'session' ? 'codebase' : (row.names ?? 'task');
  const noun = isNoun(first) && first !== 'artifact' ? first : 'task';
  return row.path.replace(':artifact_id', ids.artifact).replace(':sid', ids.session).replace(':id', ids[noun]);
}

const slots: Record<string, keyof Ids> = {
  worker_id: 'worker',
  target_worker_id: 'worker',
  task_id: 'task',
  codebase_id: 'codebase',
  lease_token: 'lease',
  conversation_id: 'conversation',
};

/** The smallest body that the schema takes, with these ids in every slot that could name something. */
function bodyOf(row: Operation, ids: Ids): unknown {
  return row.body === undefined ? undefined : exampleOf(jsonSchema(row.body), ids, '');
}

interface Schema {
  readonly type?: string;
  readonly properties?: Record<string, Schema>;
  readonly required?: string[];
  readonly items?: Schema;
  readonly enum?: unknown[];
  readonly const?: unknown;
  readonly anyOf?: Schema[];
  readonly oneOf?: Schema[];
  readonly minimum?: number;
}

function exampleOf(schema: Schema, ids: Ids, name: string): unknown {
  const slot = slots[name];
  if (slot !== undefined) return ids[slot];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (choice !== undefined) return exampleOf(choice, ids, name);
  switch (schema.type) {
    case 'object': {
      const wanted = Object.entries(schema.properties ?? {}).filter(
        ([key]) => slots[key] !== undefined || schema.required?.includes(key) === true,
      );
      return Object.fromEntries(wanted.map(([key, value]) => [key, exampleOf(value, ids, key)]));
    }
    case 'array':
      return [exampleOf(schema.items ?? {}, ids, name)];
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return false;
    default:
      return 'text';
  }
}

/** Asks with these ids in every slot, as an operator of the other tenant; a stream is left at once. */
async function ask(row: Operation, ids: Ids): Promise<Reply> {
  const query = row.path.endsWith('/stream') ? `?worker_id=${ids.worker}` : '';
  const options: CallOptions = { as: 'otheradmin', body: bodyOf(row, ids) };
  return house.call(row.method, `${pathOf(row, ids)}${query}`, options);
}

/** Everything tenant `default` has, as one hash. */
async function everything(): Promise<unknown> {
  const tables = await house.db.query<{ t: string }>(
    `select c.relname as t from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  const hashes = tables.map(async ({ t }) => {
    const where = `where tenant_id = 'default'`;
    const text = t === 'workers' ? `(to_jsonb(x) - 'last_heartbeat_at')::text` : 'x::text';
    const [row] = await house.db.query<{ h: string }>(
      `select md5(coalesce(string_agg(${text}, '' order by x::text), '')) as h from ${t} x ${where}`,
    );
    return [t, row?.h];
  });
  return Promise.all(hashes);
}

const named = (row: Operation): boolean => /:id/.test(row.path) || row.path.startsWith('/v1/worker/');
/** A user that is put is made where there is none: its id names nothing of ours. */
const makesWhatItNames = (row: Operation): boolean => row.name === 'users.put';

describe('another tenant', () => {
  it('gets for every thing of ours exactly what it gets for a missing one, and changes nothing [core-5.6.2, choices-3.7]', async () => {
    const before = await everything();
    const rows = house.service.operations.filter((row) => named(row) && !makesWhatItNames(row));
    expect(rows.length).toBeGreaterThan(15);
    for (const row of rows) {
      const foreign = await ask(row, theirs);
      const absent = await ask(row, missing);
      const plain = ({ status, body }: Reply): unknown => ({
        row: row.name,
        status,
        body: { ...body, request_id: '' },
      });
      expect(plain(foreign)).toEqual(plain(absent));
      expect(foreign.status).toBeGreaterThanOrEqual(400);
      expect(foreign.status).toBeLessThan(500);
    }
    expect(await everything()).toEqual(before);
  });

  it('finds nothing of ours in any list, and names nothing of ours in what it makes', async () => {
    const before = await everything();
    for (const row of house.service.operations.filter((operation) => !named(operation))) {
      const reply = await ask(row, theirs);
      const text = JSON.stringify(reply.body);
      expect(text).not.toContain('secret');
      if (reply.status < 300) for (const id of [theirs.task, theirs.codebase]) expect(text).not.toContain(id);
    }
    const filters = [
      `codebase_id=${theirs.codebase}`,
      `worker_id=${theirs.worker}`,
      'conversation_id=theirs',
      'q=secret',
    ];
    for (const filter of filters) {
      const list = await house.call('GET', `/v1/agent/tasks?${filter}`, { as: 'otheradmin' });
      expect(JSON.stringify(list.body)).not.toContain('secret');
    }
    expect(await everything()).toEqual(before);
  });

  it('may use the same keys, names and paths as we do, and gets things of its own', async () => {
    const headers = { 'idempotency-key': 'the same key' };
    const body = { title: 't', prompt: 'p' };
    const ours = await house.call('POST', '/v1/agent/tasks', { as: 'editor', body, headers });
    const their = await house.call('POST', '/v1/agent/tasks', { as: 'other', body, headers });
    expect(their.headers.get('idempotency-replayed')).toBeNull();
    expect(their.body.task.id).not.toBe(ours.body.task.id);
    const [mine, others] = [await house.worker({ name: 'same' }), await house.worker({ name: 'same' }, 'other')];
    expect(others.id).not.toBe(mine.id);
    await house.task({}, 'other');
    expect((await mine.claim(50)).filter(({ task }) => task.created_by === 'token:other')).toEqual([]);
    expect(await others.claim(50)).toHaveLength(1);
  });
});
