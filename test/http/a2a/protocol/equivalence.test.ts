// The same operation comes to the same over every version and binding: result, error and authorisation. a2a v0.3 §3.4.1
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService, type TestUser } from '../../../support/service.ts';
import { claimed, message, rpc, sent } from '../../../support/a2a/client.ts';
import {
  bindings,
  type OperationInput,
  type OperationName,
  type BindingOutcome,
} from '../../../support/a2a/bindings.ts';

let service: TestService;
/** Tasks in every state, and one that is not there. */
const tasks: Record<string, string> = {};
beforeAll(async () => {
  service = await openService({ config: { egressAllow: ['127.0.0.1'] } });
  const worker = await service.worker({ slots: 10 });
  const make = async (name: string): Promise<string> => (tasks[name] = (await sent(service, { contextId: name })).id);
  await make('pending');
  await claimed(worker, await make('running'));
  await worker.release(await claimed(worker, await make('asking')), {
    status: 'needs_input',
    message: { text: 'which?' },
  });
  await worker.release(await claimed(worker, await make('done')), {
    status: 'completed',
    result: 'done',
    artifacts: [{ name: 'notes', text: 'n' }],
  });
  await rpc(service, 'tasks/cancel', { id: await make('cancelled') });
  tasks['missing'] = '01a1fe54-4a4a-7000-89aa-ee8f27cb4186';
  tasks['impossible'] = 'no-such-id';
});
afterAll(() => service[Symbol.asyncDispose]());

/** The outcome of each way; if the versions differ by the protocol's own words, v1.0's error is named as v0.3's. */
async function callEveryBinding(
  operation: OperationName,
  input: () => OperationInput,
  as: TestUser,
): Promise<Map<string, BindingOutcome>> {
  const outcomes = new Map<string, BindingOutcome>();
  for (const way of bindings) outcomes.set(way.name, await way.call(service, operation, input(), as));
  return outcomes;
}

function expectAlike(outcomes: ReadonlyMap<string, BindingOutcome>, what: unknown): void {
  const [first] = outcomes.values();
  for (const [name, outcome] of outcomes) expect({ what, name, outcome }).toEqual({ what, name, outcome: first });
}

const readers: TestUser[] = ['editor', 'viewer', 'editor2', 'agent', 'other', 'otheradmin'];
const named = fc.constantFrom('pending', 'running', 'asking', 'done', 'cancelled', 'missing', 'impossible');
const numRuns = process.env['SCALE'] === 'full' ? 500 : 30;

describe('every version and binding', () => {
  // The assertions are in what it calls.
  // oxlint-disable-next-line vitest/expect-expect
  it('reads alike: a task, a list, configs, the extended card, for every role', async () => {
    const operation = fc.constantFrom<OperationName[]>('get', 'list', 'push_get', 'push_list', 'extended_card');
    const historyLength = fc.constantFrom(undefined, 0, 1, 5, -1);
    await fc.assert(
      fc.asyncProperty(operation, named, historyLength, fc.constantFrom(...readers), async (op, name, n, as) => {
        const input = {
          id: tasks[name],
          contextId: name,
          configId: 'c',
          ...(n === undefined ? {} : { historyLength: n }),
        };
        expectAlike(await callEveryBinding(op, () => input, as), { op, name, n, as });
      }),
      { numRuns },
    );
  }, 600_000);

  it('rejects alike, and changes nothing', async () => {
    const cases: [OperationName, OperationInput, TestUser][] = [
      ['cancel', { id: tasks['done'] }, 'editor'],
      ['cancel', { id: tasks['missing'] }, 'editor'],
      ['cancel', { id: tasks['impossible'] }, 'editor'],
      ['cancel', { id: tasks['pending'] }, 'viewer'],
      ['cancel', { id: tasks['pending'] }, 'editor2'],
      ['cancel', { id: tasks['pending'] }, 'other'],
      ['subscribe', { id: tasks['missing'] }, 'editor'],
      ['subscribe', { id: tasks['pending'] }, 'other'],
      ['send', { message: message('x', { parts: [] }) }, 'editor'],
      ['send', { message: message('x', { role: undefined }) }, 'editor'],
      ['send', { message: message('x', { messageId: '' }) }, 'editor'],
      ['send', { message: message('x', { parts: [{ kind: 'text', text: 'a\0' }] }) }, 'editor'],
      ['send', { message: message('x', { taskId: tasks['missing'] }) }, 'editor'],
      ['send', { message: message('x', { taskId: tasks['running'], contextId: 'another' }) }, 'editor'],
      ['send', { message: message('x', { metadata: { priority: 101 } }) }, 'editor'],
      ['send', { message: message('x'), configuration: { historyLength: -1 } }, 'editor'],
      ['send', { message: message('x'), configuration: { acceptedOutputModes: ['video/mp4'] } }, 'editor'],
      ['send', { message: message('x') }, 'viewer'],
      ['stream', { message: message('x', { parts: [] }) }, 'editor'],
      ['push_set', { id: tasks['missing'], url: 'http://127.0.0.1:8099/', configId: 'c' }, 'editor'],
      ['push_set', { id: tasks['pending'], url: 'http://127.0.0.1:8099/', configId: 'c' }, 'other'],
      ['push_set', { id: tasks['pending'], url: 'http://10.0.0.1/', configId: 'c' }, 'editor'],
      ['push_set', { id: tasks['pending'], url: '', configId: 'c' }, 'editor'],
      ['push_delete', { id: tasks['missing'], configId: 'c' }, 'editor'],
    ];
    for (const [operation, input, as] of cases) {
      const outcomes = await callEveryBinding(operation, () => input, as);
      expectAlike(outcomes, { operation, given: input, as });
      for (const { code, http } of outcomes.values()) expect(code !== undefined || http !== 'ok').toBe(true);
    }
  });

  it('differs where the versions do: a finished task has other codes [choices-6.17]', async () => {
    for (const way of bindings) {
      const sentOutcome = await way.call(service, 'send', { message: message('more', { taskId: tasks['done'] }) });
      expect([way.name, sentOutcome.code]).toEqual([way.name, way.version === '1.0' ? -32004 : -32602]);
      const followed = await way.call(service, 'subscribe', { id: tasks['done'] });
      expect([way.name, followed.code]).toEqual([way.name, way.version === '1.0' ? -32004 : undefined]);
    }
  });

  it('writes alike: sends, adds a message, cancels, sets and deletes push configs', async () => {
    const worlds = [];
    for (const way of bindings) {
      const contextId = `does ${way.name}`;
      const parts = [
        { kind: 'text', text: 'look' },
        { kind: 'data', data: { a: 1 } },
      ];
      const made = await way.call(service, 'send', {
        message: message('x', { contextId, parts, metadata: { priority: 3 } }),
      });
      const list = await rpc(service, 'tasks/list', { contextId, historyLength: 5 });
      const { id } = list.body.result.tasks[0];
      const joined = await way.call(service, 'send', { message: message('more', { taskId: id, contextId }) });
      const set = await way.call(service, 'push_set', { id, url: 'http://127.0.0.1:8099/', configId: 'c' });
      const got = await way.call(service, 'push_get', { id, configId: 'c' });
      const ended = await way.call(service, 'push_delete', { id, configId: 'c' });
      const left = await way.call(service, 'push_list', { id });
      const cancelled = await way.call(service, 'cancel', { id });
      const { body } = await rpc(service, 'tasks/get', { id });
      const history = body.result.history.map(({ parts: sentOutcome }: { parts: unknown }) => sentOutcome);
      worlds.push([way.name, { made, joined, set, got, ended, left, cancelled, history }] as const);
    }
    const [, first] = worlds[0] ?? [];
    for (const [name, variant] of worlds) expect({ name, world: variant }).toEqual({ name, world: first });
    expect(first?.cancelled).toMatchObject({ result: { state: 'canceled', history: 2 } });
  });
});
