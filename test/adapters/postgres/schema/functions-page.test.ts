// The page about the database's functions names exactly the existing ones.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../support/database/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await cloneDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

async function functions(): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select distinct proname as name from pg_proc where pronamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name }) => name);
}

async function page(): Promise<string> {
  return readFile(new URL('../../../../src/adapters/postgres/schema/functions/README.md', import.meta.url), 'utf8');
}

it('names every function of the schema', async () => {
  const text = await page();
  // These belong to tables and are defined beside them in the schema.
  const ofTables = new Set(['make_tenant_table', 'keep_tool_manifest_immutable', 'cronjob_fire_at']);
  const missing = (await functions()).filter((name) => !ofTables.has(name) && !text.includes(name));
  expect(missing).toEqual([]);
});

it('has no function in its call tree that the schema does not have', async () => {
  const tree = /```\n([^]*?)```/.exec(await page())?.[1] ?? '';
  const drawn = tree.split('\n').flatMap((line) => /^[ │├└─]*([a-z_0-9]+)/.exec(line)?.[1] ?? []);
  expect(drawn.length).toBeGreaterThan(20);
  const known = new Set(await functions());
  expect(drawn.filter((name) => !known.has(name))).toEqual([]);
});
