// The same operation comes to the same over every version and binding: result, error and authorisation. a2a v0.3 §3.4.1
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHouse, type House, type Who } from '../house.ts';
import { claimed, message, rpc, sent } from './support.ts';
import { ways, type Given, type OperationName, type Outcome } from './ways.ts';

let house: House;
/** Tasks in every state, and one that is not there. */
const tasks: Record<string, string> = {};
beforeAll(async () => {
  house = await openHouse({ config: { egressAllow: ['127.0.0.1'] } });
  const worker = await house.worker({ slots: 10 });
  const make = async (name: string): Promise<string> => (tasks[name] = (await sent(house, { contextId: name })).id);
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
  await rpc(house, 'tasks/cancel', { id: await make('cancelled') });
  tasks['missing'] = '01a1fe54-4a4a-7000-89aa-ee8f27cb4186';
  tasks['impossible'] = 'no-such-id';
});
afterAll(() => house[Symbol.asyncDispose]());

/** What each way came to; where the versions differ by the protocol's own word, v1.0's error is named as v0.3's. */
async function everyWay(operation: OperationName, given: () => Given, as: Who): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for (const way of ways) outcomes.set(way.name, await way.ask(house, operation, given(), as));
  return outcomes;
}

function expectAlike(outcomes: ReadonlyMap<string, Outcome>, what: unknown): void {
  const [first] = outcomes.values();
  for (const [name, outcome] of outcomes) expect({ what, name, outcome }).toEqual({ what, name, outcome: first });
}

const readers: Who[] = ['editor', 'viewer', 'editor2', 'agent', 'other', 'otheradmin'];
const named = fc.constantFrom('pending', 'running', 'asking', 'done', 'cancelled', 'missing', 'impossible');
const numRuns = process.env['SCALE'] === 'full' ? 500 : 30;

describe('every version and binding', () => {
  // The assertions are in what it calls.
  // oxlint-disable-next-line vitest/expect-expect
  it('reads alike: a task, a list, configs, the extended card, whoever asks', async () => {
    const operation = fc.constantFrom<OperationName[]>('get', 'list', 'push_get', 'push_list', 'extended_card');
    const historyLength = fc.constantFrom(undefined, 0, 1, 5, -1);
    await fc.assert(
      fc.asyncProperty(operation, named, historyLength, fc.constantFrom(...readers), async (op, name, n, as) => {
        const given = {
          id: tasks[name],
          contextId: name,
          configId: 'c',
          ...(n === undefined ? {} : { historyLength: n }),
        };
        expectAlike(await everyWay(op, () => given, as), { op, name, n, as });
      }),
      { numRuns },
    );
  }, 600_000);

  it('refuses alike what it cannot do, and changes nothing by it', async () => {
    const cases: [OperationName, Given, Who][] = [
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
    for (const [operation, given, as] of cases) {
      const outcomes = await everyWay(operation, () => given, as);
      expectAlike(outcomes, { operation, given, as });
      for (const { code, http } of outcomes.values()) expect(code !== undefined || http !== 'ok').toBe(true);
    }
  });

  it('differs where the versions themselves do: a finished task refuses by other codes [choices-6.17]', async () => {
    for (const way of ways) {
      const said = await way.ask(house, 'send', { message: message('more', { taskId: tasks['done'] }) });
      expect([way.name, said.code]).toEqual([way.name, way.version === '1.0' ? -32004 : -32602]);
      const followed = await way.ask(house, 'subscribe', { id: tasks['done'] });
      expect([way.name, followed.code]).toEqual([way.name, way.version === '1.0' ? -32004 : undefined]);
    }
  });

  it('does alike: sends, joins, cancels, sets and ends notifications', async () => {
    const worlds = [];
    for (const way of ways) {
      const contextId = `does ${way.name}`;
      const parts = [
        { kind: 'text', text: 'look' },
        { kind: 'data', data: { a: 1 } },
      ];
      const made = await way.ask(house, 'send', {
        message: message('x', { contextId, parts, metadata: { priority: 3 } }),
      });
      const list = await rpc(house, 'tasks/list', { contextId, historyLength: 5 });
      const { id } = list.body.result.tasks[0];
      const joined = await way.ask(house, 'send', { message: message('more', { taskId: id, contextId }) });
      const set = await way.ask(house, 'push_set', { id, url: 'http://127.0.0.1:8099/', configId: 'c' });
      const got = await way.ask(house, 'push_get', { id, configId: 'c' });
      const ended = await way.ask(house, 'push_delete', { id, configId: 'c' });
      const left = await way.ask(house, 'push_list', { id });
      const cancelled = await way.ask(house, 'cancel', { id });
      const { body } = await rpc(house, 'tasks/get', { id });
      const history = body.result.history.map(({ parts: said }: { parts: unknown }) => said);
      worlds.push([way.name, { made, joined, set, got, ended, left, cancelled, history }] as const);
    }
    const [, first] = worlds[0] ?? [];
    for (const [name, world] of worlds) expect({ name, world }).toEqual({ name, world: first });
    expect(first?.cancelled).toMatchObject({ result: { state: 'canceled', history: 2 } });
  });
});
