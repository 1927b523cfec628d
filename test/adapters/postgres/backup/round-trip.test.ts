// placeholder
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { expect, it } from 'vitest';
import { packArchive, writeWhole } from '../../../../src/adapters/postgres/backup/archive/archive-file.ts';
import { writeArchive } from '../../../../src/adapters/postgres/backup/archive/archive-writer.ts';
import { openSnapshot } from '../../../../src/adapters/postgres/backup/tables/dump-tables.ts';
import { verifyArchive } from '../../../../src/adapters/postgres/backup/restore/verify-archive.ts';
import { restoreOwn } from '../../../../src/adapters/postgres/backup/restore/restore-own.ts';
import { restoreEmbedded } from '../../../../src/adapters/postgres/backup/restore/restore-embedded.ts';
import { makeRows } from '../../../../src/adapters/postgres/isolation/isolation-scratch.ts';
import { tenantTables } from '../../../../src/adapters/postgres/isolation/isolation-tables.ts';
import { databaseUrl } from '../../../support/database/database-url.ts';
import { cloneDatabase } from '../../../support/database/database.ts';

it('goes round', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'backup-'));
  const db = await cloneDatabase();
  const client = new pg.Client(db.superuser);
  await client.connect();
  await client.query('begin');
  await client.query('set local role a2a_admin');
  const rows = await makeRows(client, await tenantTables(client), 'acme');
  await client.query('commit');
  await client.end();
  console.log([...rows.keys()].length);
  const file = path.join(dir, 'a.archive');
  {
    await using snapshot = await openSnapshot(db.service, 'switchyard 1.2.0');
    const archive = writeArchive({
      header: snapshot.header,
      rows: (t, p) => snapshot.rows(t, p),
      auditFiles: async function* () {},
    });
    console.log(await writeWhole(file, await packArchive(archive, [])));
  }
  const location = { file, identities: [] };
  const summary = await verifyArchive(location);
  console.log(summary.rows, summary.bytes);
  const su = inject('superuser');
  const name = 'restored_1';
  const url = new URL('postgresql://x/');
  url.username = su.user;
  url.password = su.password;
  url.pathname = `/${name}`;
  url.searchParams.set('host', su.host);
  url.searchParams.set('port', String(su.port));
  const started = performance.now();
  const r = await restoreOwn({
    ...location,
    summary,
    asClone: false,
    findChain: async () => undefined,
    ownerUrl: databaseUrl({ service: { ...su, database: name } }, su),
  });
  console.log(r, performance.now() - started);
  const t2 = performance.now();
  await restoreEmbedded({
    ...location,
    summary,
    asClone: false,
    dataDir: path.join(dir, 'data'),
    env: process.env,
    log: (l) => console.log(l),
    audit: () => ({ findChain: async () => undefined }),
  });
  console.log(performance.now() - t2);
  await rm(dir, { recursive: true });
  expect(1).toBe(1);
});
