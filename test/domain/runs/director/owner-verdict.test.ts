// The verdict on the owner of a run: at once where the policy is in this process, else outside the transaction. choices-4.
import { beforeEach, describe, expect, it } from 'vitest';
import type { PolicyQuery } from '../../../../src/domain/ports/policy.ts';
import { lookAtRun } from '../../../../src/domain/runs/director/look-at-run.ts';
import { useQueueFixture } from '../../../support/queue/queue-fixture.ts';
import { openDirectorFixture, type DirectorFixture } from '../../../support/runs/director-fixture.ts';

const fixture = useQueueFixture();
let asked: PolicyQuery[];
beforeEach(() => {
  asked = [];
});

/** A director whose policy answers like this. */
function open(answer: (query: PolicyQuery) => boolean | Promise<boolean>): Promise<DirectorFixture> {
  const { db, verbs } = fixture();
  const allows = (query: PolicyQuery): boolean | Promise<boolean> => {
    asked.push(query);
    return answer(query);
  };
  return openDirectorFixture(verbs, db, { policy: { allows } });
}

async function look(
  director: DirectorFixture,
  run: Parameters<DirectorFixture['createRun']>[0] = {},
): Promise<unknown> {
  const runId = await director.createRun(run);
  await lookAtRun(director.deps, { tenantId: 'default', runId });
  return director.seen.map(({ ownerActive }) => ownerActive);
}

describe('the owner of a run', () => {
  const actsAs = { homeTenantId: 'default', roles: ['viewer'], scopes: ['ralph:*'], keyId: null } as const;

  it.each([
    ['a policy in this process', (allowed: boolean) => allowed],
    ['a policy server, asked while the run is not locked', (allowed: boolean) => Promise.resolve(allowed)],
  ])('is judged by %s, with its present roles and the scopes it was made with [choices-4.66]', async (_, answer) => {
    for (const allowed of [true, false]) {
      expect(await look(await open(() => answer(allowed)), { actsAs })).toEqual([allowed]);
    }
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatchObject({
      subject: 'token:test',
      roles: ['editor'],
      scopes: ['ralph:*'],
      permissions: ['tasks:write'],
    });
  });

  it('of another tenant is looked up there [choices-4.66]', async () => {
    const director = await open(() => true);
    expect(await look(director, { actsAs: { ...actsAs, homeTenantId: 'other' } })).toEqual([true]);
    expect(asked).toMatchObject([{ tenantId: 'other', resourceTenantId: 'default' }]);
  });

  it('is no reason to act where the policy server does not answer: the look fails and nothing changes', async () => {
    const director = await open(() => Promise.reject(new Error('no decision')));
    await expect(look(director)).rejects.toThrow('no decision');
    expect(director.seen).toEqual([]);
  });
});
