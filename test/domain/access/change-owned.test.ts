// The policy is asked again when the owner of a thing changes while it decides.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { evaluate } from '../../../src/domain/access/evaluate.ts';
import type { Policy } from '../../../src/domain/ports/policy.ts';
import { cancelTask } from '../../../src/domain/tasks/cancel.ts';
import { openService, type TestService } from '../../support/service.ts';
import { callerOf, openVerbs, type Verbs } from '../../support/verbs.ts';

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

/** Decides as usual; runs `happens` before its first answer. */
function policyThat(happens: () => Promise<unknown>): { policy: Policy; owners: (string | null)[] } {
  const owners: (string | null)[] = [];
  const policy: Policy = {
    async allows(question) {
      owners.push(question.owner);
      if (owners.length === 1) await happens();
      return evaluate(question);
    },
  };
  return { policy, owners };
}

it('an agent that loses its lease meanwhile does not cancel the task of another [core-5.6.5, choices-4.32]', async () => {
  const worker = await service.worker();
  const task = await service.task({}, 'editor');
  const [held] = await worker.claim(1, task.id);
  if (held === undefined) throw new Error('nothing claimed');
  const { policy, owners } = policyThat(() => worker.release(held, { status: 'pending' }));
  const cancel = cancelTask({ ...verbs, policy }, callerOf('agent'), task.id);
  await expect(cancel).rejects.toMatchObject({ kind: 'forbidden', code: 'not_owner' });
  expect(owners).toEqual(['token:agent', 'token:editor']);
  expect((await service.call('GET', `/v1/agent/tasks/${task.id}`)).body.task.status).toBe('pending');
});

it('the policy is asked once about an agent that keeps its lease', async () => {
  const worker = await service.worker();
  const task = await service.task({}, 'editor');
  await worker.claim(1, task.id);
  const { policy, owners } = policyThat(() => Promise.resolve());
  expect((await cancelTask({ ...verbs, policy }, callerOf('agent'), task.id)).status).toBe('cancelled');
  expect(owners).toEqual(['token:agent']);
});
