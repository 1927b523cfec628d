// Callers of the service's own components: exactly the permissions they were made with, and no credential leads to one.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerFromClaims } from '../../../src/adapters/oidc/claims.ts';
import { createApiKey } from '../../../src/domain/access/api-keys.ts';
import type { AccessDeps } from '../../../src/domain/access/deps.ts';
import { isPermitted, mayChangeOthers } from '../../../src/domain/access/permit.ts';
import { openSignIn } from '../../../src/domain/access/sign-in/sign-ins.ts';
import { configuredIdentities } from '../../../src/domain/access/identity/configured-tokens.ts';
import { configuredPrincipals } from '../../../src/domain/access/identity/owners.ts';
import { localPolicy } from '../../../src/domain/access/evaluate.ts';
import { systemCaller } from '../../../src/domain/access/system-caller.ts';
import { loopAudit } from '../../../src/domain/audit/loop-audit.ts';
import { allPermissions, permissionsOf } from '../../../src/domain/model/access/permission.ts';
import type { AuditEntry } from '../../../src/domain/model/audit-entry.ts';
import { cancelTask } from '../../../src/domain/tasks/cancel.ts';
import { submitTask } from '../../../src/domain/tasks/submit.ts';
import { makeKey, me } from '../../support/client/credentials.ts';
import { noTrail } from '../../support/request-pipeline.ts';
import { openService, type TestService } from '../../support/service.ts';
import { callerOf, draft, openVerbs, type Verbs } from '../../support/verbs.ts';

const runs = systemCaller('default', 'runs', ['tasks:read', 'tasks:write']);

describe('the permissions of a system caller', () => {
  it('are exactly those that it was made with, in its own tenant', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(allPermissions()), async (permissions) => {
        const caller = systemCaller('default', 'runs', permissions);
        expect(permissionsOf(caller.roles, caller.scopes)).toEqual(new Set(permissions));
        for (const permission of allPermissions()) {
          expect(await isPermitted(localPolicy, caller, permission)).toBe(permissions.includes(permission));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('include the change of what others own only where one of them takes an operator', async () => {
    expect(await mayChangeOthers(localPolicy, runs)).toBe(false);
    expect(await mayChangeOthers(localPolicy, systemCaller('default', 'cluster', ['workers:write']))).toBe(true);
  });
});

describe('with a database', () => {
  let service: TestService;
  let verbs: Verbs;
  let access: AccessDeps;
  beforeAll(async () => {
    service = await openService();
    verbs = await openVerbs(service.db);
    access = { ...verbs, principals: configuredPrincipals([]), stored: { forget: () => {} }, randomBytes };
  });
  afterAll(async () => {
    await verbs[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  it('a verb of a system caller is audited in its name, and it owns what it creates', async () => {
    const entries: AuditEntry[] = [];
    const trail = { ...noTrail, record: (entry: AuditEntry) => Promise.resolve(void entries.push(entry)) };
    const audit = loopAudit({ trail, makeId: verbs.makeId, now: Date.now });
    const about = { action: 'tasks.create', resource: '/v1/agent/tasks' };
    const task = await audit.change(runs, about, async (caller) => {
      const { task: submitted } = await submitTask(verbs, caller, draft());
      return { value: submitted, changed: { task_id: submitted.id } };
    });
    expect(task.createdBy).toBe('service:runs');
    expect(entries).toEqual([
      expect.objectContaining({ ...about, actor: 'service:runs', tenantId: 'default', outcome: 'success' }),
    ]);
    // The intent was committed with the task: a crash before the line is written does not lose the entry.
    expect(entries[0]?.trace).toMatchObject({ rows: [{ pending: 1 }] });
    expect(await cancelTask(verbs, runs, task.id)).toMatchObject({ status: 'cancelled' });
  });

  it('a system caller does not change the task of another subject', async () => {
    const { task } = await submitTask(verbs, callerOf('editor'), draft());
    await expect(cancelTask(verbs, runs, task.id)).rejects.toMatchObject({ code: 'not_owner' });
  });

  describe('no credential is identified as a system caller', () => {
    it('not a bearer that is its name, or a configured token of its name', async () => {
      for (const bearer of ['service:runs', 'system', 'service', runs.credentialId]) {
        expect((await me(service, bearer)).status).toBe(401);
      }
      const token = { token: 'secret', role: 'admin', tenantId: 'default', credential: 'shared_token' } as const;
      const identities = configuredIdentities([{ ...token, name: 'service:runs' }]);
      expect(identities.findConfigured('secret')).toMatchObject({
        subject: 'token:service:runs',
        credential: 'shared_token',
      });
      await expect(identities.lookUp('service:runs')).rejects.toMatchObject({ kind: 'unauthenticated' });
    });

    it('not an access token whose subject is its name', async () => {
      const claims = { sub: 'service:runs', tenant: 'default', roles: ['admin'] };
      const names = { tenantClaim: 'tenant', rolesClaim: 'roles' };
      const caller = await callerFromClaims(claims, names, () => Promise.resolve(true));
      expect(caller).toMatchObject({ subject: 'oidc:service:runs', credential: 'access_token' });
    });

    it('not a key: it cannot be given one, and a planted one is refused', async () => {
      const request = { name: 'k', scopes: undefined, expiresInDays: undefined, userId: undefined };
      const keys = systemCaller('default', 'runs', ['api_keys:write']);
      await expect(createApiKey(access, keys, request)).rejects.toMatchObject({ code: 'user_not_found' });

      const { id, key } = await makeKey(service, 'editor');
      await plantUser('service:runs');
      await service.db.query(`update api_keys set user_id = 'service:runs' where key_id = $1`, [id]);
      expect((await me(service, key)).status).toBe(401);
    });

    it('not a session: one that it opens is refused', async () => {
      await plantUser('service:runs');
      const { accessToken } = await openSignIn(access, runs);
      expect((await me(service, accessToken)).status).toBe(401);
    });
  });

  /** A row that the verbs refuse to write: `putUser` reserves these ids. */
  async function plantUser(userId: string): Promise<void> {
    await service.db.query(
      `insert into users (tenant_id, user_id, name, roles, status, source)
       values ('default', $1, $1, '{admin}', 'active', 'admin') on conflict do nothing`,
      [userId],
    );
  }
});
