// Components of the service learn that their tasks came to rest: whichever way, at least once, over failures.
import { describe, expect, it } from 'vitest';
import { deliverTopicMessages } from '../../../src/domain/events/topic-subscribers.ts';
import type { TopicMessage } from '../../../src/domain/ports/topics.ts';
import { cancelTask } from '../../../src/domain/tasks/cancel.ts';
import { reap } from '../../../src/domain/tasks/reap.ts';
import { createQueueDriver, editor } from '../../support/queue/queue-driver.ts';
import { useQueueFixture } from '../../support/queue/queue-fixture.ts';

describe('a subscriber of a topic', () => {
  const fixture = useQueueFixture();

  /** A round with a subscriber of `runs` that collects messages, and fails for the tasks in `failing`. */
  async function round(failing: readonly string[] = []): Promise<{ handled: TopicMessage[]; logged: string[] }> {
    const { verbs } = fixture();
    const handled: TopicMessage[] = [];
    const logged: string[] = [];
    const subscriber = {
      topic: 'runs',
      handle: async (message: TopicMessage): Promise<void> => {
        if (failing.includes(message.taskId)) throw new Error('no luck');
        handled.push(message);
      },
    };
    const log = (line: string): void => void logged.push(line);
    await deliverTopicMessages({ ...verbs, subscribers: [subscriber], log });
    return { handled, logged };
  }

  const outcomes = (handled: readonly TopicMessage[]): string[] =>
    handled.map(({ taskId, status }) => `${taskId} ${status}`).toSorted();

  it('receives one message for each task of its topic that came to rest, whatever ended it', async () => {
    const { db, verbs } = fixture();
    const driver = createQueueDriver(verbs, db);
    const { workerId, codebaseId } = await driver.worker(undefined, { slots: 4 });
    const topic = { topic: 'runs' };
    const completed = await driver.submit(codebaseId, topic);
    const asking = await driver.submit(codebaseId, topic);
    await driver.submit(codebaseId);
    for (const held of await driver.claim(workerId, 3)) {
      const status = held.task.id === asking.id ? 'needs_input' : 'completed';
      await driver.release(held, status === 'needs_input' ? { status, question: 'which?' } : { status });
    }
    const cancelled = await driver.submit(codebaseId, topic);
    await cancelTask(verbs, editor, cancelled.id);
    const late = await driver.submit(codebaseId, { ...topic, deadlineAt: '2100-01-01T00:00:00Z' });
    await db.query(`update tasks set deadline_at = now() - interval '1 s' where id = $1`, [late.id]);
    await reap(verbs);
    const expected = [
      `${completed.id} completed`,
      `${asking.id} needs_input`,
      `${cancelled.id} cancelled`,
      `${late.id} failed`,
    ].toSorted();
    const { handled } = await round();
    expect(outcomes(handled)).toEqual(expected);
    expect((await round()).handled).toEqual([]);
  });

  it('gets a message again until it has handled it, and others meanwhile', async () => {
    const { db, verbs } = fixture();
    const driver = createQueueDriver(verbs, db);
    const { codebaseId } = await driver.worker();
    const [first, second] = [
      await driver.submit(codebaseId, { topic: 'runs' }),
      await driver.submit(codebaseId, { topic: 'runs' }),
    ];
    for (const { id } of [first, second]) await cancelTask(verbs, editor, id);
    const failed = await round([first.id]);
    expect(outcomes(failed.handled)).toEqual([`${second.id} cancelled`]);
    expect(failed.logged).toEqual(['failed to handle a message of the topic runs; will retry in 2 s']);
    expect((await round()).handled).toEqual([]);
    const [kept] = await db.query('select tries, last_error from topic_messages');
    expect(kept).toEqual({ tries: 1, last_error: 'no luck' });
    await db.query('update topic_messages set due_at = now()');
    expect(outcomes((await round()).handled)).toEqual([`${first.id} cancelled`]);
    expect(await db.query('select from topic_messages')).toEqual([]);
  });

  it('receives nothing of other topics, which stay for their own subscribers', async () => {
    const { db, verbs } = fixture();
    const driver = createQueueDriver(verbs, db);
    const { codebaseId } = await driver.worker();
    const { id } = await driver.submit(codebaseId, { topic: 'another' });
    await cancelTask(verbs, editor, id);
    expect((await round()).handled).toEqual([]);
    expect(await db.query('select topic from topic_messages')).toEqual([{ topic: 'another' }]);
  });
});
