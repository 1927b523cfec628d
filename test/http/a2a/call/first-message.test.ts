// The message that a task is born with, wherever it is kept: with the first event, or in the table of messages as the
// version before wrote it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';
import { rpc, sent } from '../../../support/a2a/client.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const texts = async (id: string): Promise<string[]> => {
  const { body } = await rpc(service, 'tasks/get', { id });
  return body.result.history.map(({ parts }: { parts: { text: string }[] }) => parts[0]?.text);
};
const sendText = (taskId: string, text: string): Promise<unknown> =>
  rpc(service, 'message/send', {
    message: { kind: 'message', messageId: `say ${text}`, role: 'user', taskId, parts: [{ kind: 'text', text }] },
  });

describe('the first message of a task', () => {
  it('stands once, before those that come later', async () => {
    const { id } = await sent(service);
    const [first] = await texts(id);
    await sendText(id, 'two');
    await sendText(id, 'three');
    expect(await texts(id)).toEqual([first, 'two', 'three']);
    const rows = await service.db.query('select n from task_messages where task_id = $1 order by n', [id]);
    expect(rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('is found where the version before kept it', async () => {
    const { id } = await sent(service);
    const [first] = await texts(id);
    await service.db.query(
      `insert into later_messages (tenant_id, task_id, n, message_id, role, parts, metadata, at)
       select tenant_id, task_id, n, message_id, role, parts, metadata, at from task_messages where task_id = $1`,
      [id],
    );
    await service.db.query('update task_events set message = null where task_id = $1', [id]);
    await sendText(id, 'two');
    expect(await texts(id)).toEqual([first, 'two']);
  });
});
