// The message that a task is born with, wherever it is kept: with the first event, or in the table of messages as the
// version before wrote it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHouse, type House } from '../house.ts';
import { rpc, sent } from './support.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house[Symbol.asyncDispose]());

const texts = async (id: string): Promise<string[]> => {
  const { body } = await rpc(house, 'tasks/get', { id });
  return body.result.history.map(({ parts }: { parts: { text: string }[] }) => parts[0]?.text);
};
const say = (taskId: string, text: string): Promise<unknown> =>
  rpc(house, 'message/send', {
    message: { kind: 'message', messageId: `say ${text}`, role: 'user', taskId, parts: [{ kind: 'text', text }] },
  });

describe('the first message of a task', () => {
  it('stands once, before those that come later', async () => {
    const { id } = await sent(house);
    const [first] = await texts(id);
    await say(id, 'two');
    await say(id, 'three');
    expect(await texts(id)).toEqual([first, 'two', 'three']);
    const rows = await house.db.query('select n from task_messages where task_id = $1 order by n', [id]);
    expect(rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('is found where the version before kept it', async () => {
    const { id } = await sent(house);
    const [first] = await texts(id);
    await house.db.query(
      `insert into later_messages (tenant_id, task_id, n, message_id, role, parts, metadata, at)
       select tenant_id, task_id, n, message_id, role, parts, metadata, at from task_messages where task_id = $1`,
      [id],
    );
    await house.db.query('update task_events set message = null where task_id = $1', [id]);
    await say(id, 'two');
    expect(await texts(id)).toEqual([first, 'two']);
  });
});
