// The message that a task is created with: stored with the task's first event, and listed before all later messages.
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
  it('is listed once, before all later messages', async () => {
    const { id } = await sent(service);
    const [first] = await texts(id);
    await sendText(id, 'two');
    await sendText(id, 'three');
    expect(await texts(id)).toEqual([first, 'two', 'three']);
    const rows = await service.db.query('select n from task_messages where task_id = $1 order by n', [id]);
    expect(rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });
});
