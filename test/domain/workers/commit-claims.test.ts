// Claims that the dispatcher adds to the commit of a submit.
import { expect, it, vi } from 'vitest';
import { openPushChannel } from '../../../src/domain/workers/push.ts';
import { agent } from '../../support/queue/queue-driver.ts';
import { useQueueFixture } from '../../support/queue/queue-fixture.ts';
import { until } from '../../support/until.ts';

const fixture = useQueueFixture();

it('a task submitted for a connected worker with a free slot runs when the submit resolves, and is counted', async () => {
  const { verbs, driver } = fixture();
  const { workerId, codebaseId } = await driver.worker();
  const channel = await openPushChannel(verbs, agent, workerId, 1, 15_000);
  // Until then the slot is reserved for the claim of the connect.
  await until('the slot is free', () => channel.freeSlots === 1);
  const claimed = vi.spyOn(verbs.metrics, 'claimed');
  const { id } = await driver.submit(codebaseId);
  expect(await driver.currentTask(id)).toMatchObject({ status: 'running', workerId });
  // The queue of the fixture counts nothing, so this is the dispatcher's count.
  expect(claimed.mock.calls.flatMap(([assignments]) => assignments.map(({ task }) => task.id))).toEqual([id]);
  verbs.dispatcher.disconnect(channel);
});
