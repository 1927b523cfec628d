// Retention of credentials: dead keys and expired sessions are deleted, usable ones stay.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { retainCredentials } from '../../../src/domain/access/retain-credentials.ts';
import { openService, type TestService } from '../../support/service.ts';
import { collectLoopAudit } from '../../support/request-pipeline.ts';
import { openVerbs, type Verbs } from '../../support/verbs.ts';
import { makeKey, me, signIn } from '../../support/client/credentials.ts';

let service: TestService;
let verbs: Verbs;
beforeAll(async () => {
  service = await openService();
  verbs = await openVerbs(service.db);
});
afterAll(async () => {
  await verbs[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

it('drops keys that were revoked or expired before RETENTION_DAYS and expired sessions, in every tenant', async () => {
  const ids = new Map<string, string>();
  const tokens = new Map<string, string>();
  const aged = {
    living: 'last_used_at = null',
    'revoked long ago': `revoked_at = now() - interval '31 days'`,
    'revoked lately': `revoked_at = now() - interval '29 days'`,
    'expired long ago': `expires_at = now() - interval '31 days'`,
    'expired lately': `expires_at = now() - interval '29 days'`,
    'expires some day': `expires_at = now() + interval '1 day'`,
  };
  for (const [name, set] of Object.entries(aged)) {
    const { id, key } = await makeKey(service, name === 'expired long ago' ? 'other' : 'editor', { name });
    await service.db.query(`update api_keys set ${set} where key_id = $1`, [id]);
    ids.set(id, name);
    tokens.set(name, key);
  }
  const over = await signIn(service, service.token('viewer'));
  const open = await signIn(service, service.token('viewer'));
  await service.db.query(`update sign_in_sessions set expires_at = now() - interval '1 s' where session_id = $1`, [
    over.id,
  ]);
  const changes: unknown[] = [];
  await retainCredentials({ ...verbs, audit: collectLoopAudit(changes) }, 30, new AbortController().signal);
  const left = await service.db.query<{ key_id: string }>('select key_id from api_keys order by key_id');
  expect(left.map(({ key_id: id }) => ids.get(id))).toEqual([
    'living',
    'revoked lately',
    'expired lately',
    'expires some day',
  ]);
  const sessions = await service.db.query<{ session_id: string }>('select session_id from sign_in_sessions');
  expect(sessions.map(({ session_id: id }) => id)).toEqual([open.id]);
  expect(changes).toEqual([
    ['default', 'credentials.retain', { keys: 1, sessions: 1 }],
    ['other', 'credentials.retain', { keys: 1, sessions: 0 }],
  ]);
  for (const name of ['living', 'expires some day']) {
    expect((await me(service, tokens.get(name) ?? '')).status).toBe(200);
  }
});
