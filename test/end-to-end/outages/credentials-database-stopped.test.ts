// The database stops: a credential that is only stored there lets nobody in, and no valid key is called wrong.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../../src/adapters/postgres/embedded/server.ts';
import { migrate } from '../../../src/adapters/postgres/schema/migrate.ts';
import { ownerRole, prepareCluster } from '../../../src/adapters/postgres/setup/setup.ts';
import { openService } from '../../support/service.ts';
import type { TestDatabase } from '../../support/database/database.ts';
import { until } from '../../support/until.ts';
import { makeKey, me, signIn } from '../../support/client/credentials.ts';

it('a key or a session is 503 while the database is away, however often it comes, and good again when it is back', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-keys-'));
  await using folder = { path: dataDir, [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }) };
  const start = () =>
    startEmbeddedPostgres({ dataDir: folder.path, log: () => {}, env: process.env, settings: { fsync: 'off' } });
  let server = await start();
  try {
    const { service, migration } = await prepareCluster(server.superuser);
    await migrate({ address: migration, ownerRole, log: () => {} });
    if (!('host' in service)) throw new Error('the embedded cluster has no host');
    const db: TestDatabase = {
      // The server may come back under another address; its logins are the same.
      get service() {
        return { ...service, host: server.superuser.host, port: server.superuser.port };
      },
      get superuser() {
        return { ...this.service, user: 'postgres', password: server.superuser.password };
      },
      query: () => Promise.reject(new Error('not asked here')),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
    await using testService = await openService({ db });
    const { key } = await makeKey(testService, 'editor');
    const { token } = await signIn(testService, key);
    await server.stop();
    for (const bearer of [key, token]) {
      // Remembered from before for less than a second; after that nobody is let in unasked.
      await until('the refusal', async () => (await me(testService, bearer)).status === 503);
      for (let i = 0; i < 40; i += 1) {
        const reply = await me(testService, bearer);
        expect([reply.status, reply.body.code]).toEqual([503, 'store_unavailable']);
      }
    }
    expect((await me(testService, `ct_${'A'.repeat(43)}`)).status).toBe(503);
    // Configured credentials need no database.
    expect((await me(testService, testService.token('editor'))).status).toBe(200);
    server = await start();
    for (const bearer of [key, token]) {
      await until('the key again', async () => (await me(testService, bearer)).status === 200);
    }
  } finally {
    await server.stop();
  }
});
