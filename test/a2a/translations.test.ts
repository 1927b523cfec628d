// The translations alone: what goes out is valid by the protocol's schema, and what came in comes out equal.
import fc from 'fast-check';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { SendMessageRequest, StreamResponse } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { CallContext } from '../../src/http/a2a/call/call.ts';
import { promptOf, titleOf } from '../../src/http/a2a/call/draft.ts';
import {
  messageObject,
  messageOf,
  partObject,
  partOf,
  stateByStatus,
  statusOf,
  taskObject,
} from '../../src/http/a2a/call/objects.ts';
import { statusAfter, update } from '../../src/http/a2a/call/updates.ts';
import { taskWire } from '../../src/http/a2a/v0_3/v03.ts';
import type { Task } from '../../src/domain/model/task/task.ts';
import { taskStatuses } from '../../src/domain/model/task/task-state.ts';
import type { WorkerTask } from '../../src/contracts/worker.ts';
import { promptOf as workerPrompt } from '../../src/worker/agents/adapter/prompt.ts';
import { event, id, maybe, optional, part, plain, taskMessage, text, whole } from './any.ts';
import { uncounted } from '../support/long-call.ts';
import { faults } from './support.ts';

const caller = {
  subject: 's',
  name: 'n',
  tenantId: 't',
  roles: [],
  credential: 'service' as const,
  homeTenantId: 't',
  credentialId: 'c',
};
const call = () =>
  new CallContext({
    caller,
    wire: '0.3',
    signal: new AbortController().signal,
    idempotency: undefined,
    lastEventId: undefined,
    ...uncounted,
  });

/** The SDK's own v0.3 transport around a handler of one method. */
function sdkAround(handler: Partial<A2ARequestHandler>): LegacyJsonRpcTransportHandler {
  const card = { capabilities: { streaming: true, extensions: [] } };
  return new LegacyJsonRpcTransportHandler({
    getAgentCard: async () => card,
    ...handler,
  } as unknown as A2ARequestHandler);
}

async function onV03(frame: StreamResponse): Promise<unknown> {
  const sdk = sdkAround({
    async *resubscribe() {
      yield frame;
    },
  });
  const frames = await sdk.handle({ jsonrpc: '2.0', id: 1, method: 'tasks/resubscribe', params: { id: 'x' } }, call());
  if (!(Symbol.asyncIterator in frames)) throw new Error(JSON.stringify(frames));
  for await (const envelope of frames) return envelope.result;
  throw new Error('no frame');
}

describe('a task on the wire', () => {
  it('is valid by the schema of v0.3, whatever it holds', () => {
    fc.assert(
      fc.property(whole, optional(fc.nat({ max: 6 })), (given, historyLength) => {
        const wire = taskWire(taskObject(given, historyLength)) as { history?: unknown[]; id: string };
        expect(faults('Task', wire)).toEqual([]);
        expect(wire.history?.length ?? 0).toBe(Math.min(given.messages.length, historyLength ?? 99));
      }),
    );
  });

  it('has each of our states under one name of the protocol, and back [core-3.2.2]', () => {
    for (const status of taskStatuses) expect(statusOf(stateByStatus[status])).toBe(status);
  });
});

describe('an event on the wire', () => {
  it('is one frame, valid by the schema of v0.3, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(event, id, maybe(text), async (given, taskId, conversationId) => {
        const frame = update({ id: taskId, conversationId }, given, statusAfter('running', given));
        const wire = plain(await onV03(frame));
        const definition = given.type === 'artifact' ? 'TaskArtifactUpdateEvent' : 'TaskStatusUpdateEvent';
        expect(faults(definition, wire)).toEqual([]);
      }),
    );
  });
});

describe('parts and messages', () => {
  it('come back equal through the SDK’s objects', () => {
    fc.assert(
      fc.property(part, (given) => {
        expect(plain(partOf(partObject(given)))).toEqual(plain(given));
      }),
    );
  });

  it('come back equal over the wire of v0.3, in both directions', async () => {
    await fc.assert(
      fc.asyncProperty(taskMessage, async (given) => {
        const frame: StreamResponse = {
          payload: { $case: 'message', value: messageObject({ id: 'T', conversationId: 'C' }, given) },
        };
        const wire = plain(await onV03(frame));
        expect(faults('Message', wire)).toEqual([]);
        let received: SendMessageRequest | undefined;
        const sdk = sdkAround({
          sendMessage: async (request) => {
            received = request;
            return taskObject({ task: {} as Task, waitingReason: null, messages: [], artifacts: [] }, 0);
          },
        });
        await sdk.handle({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message: wire } }, call());
        if (received?.message === undefined) throw new Error('nothing came');
        const { messageId, parts, metadata: kept } = messageOf(received.message);
        expect(plain({ messageId, parts, metadata: kept })).toEqual(
          plain({ messageId: given.messageId, parts: given.parts, metadata: given.metadata }),
        );
      }),
    );
  });

  it('keep the extensions and references of a message', () => {
    const wire = {
      ...messageObject(
        { id: 'T', conversationId: null },
        { messageId: 'm', role: 'user', parts: [{ text: 'x' }], metadata: { a: 1 }, at: '' },
      ),
    };
    const given = { ...wire, extensions: ['https://e.example'], referenceTaskIds: ['t1', 't2'] };
    const kept = messageOf(given);
    expect(messageObject({ id: 'T', conversationId: null }, { ...kept, role: 'user', at: '' })).toEqual(given);
  });
});

describe('a message as a task', () => {
  it('has a title of one line and at most 200 characters, never half a character', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), fc.nat(300), (parts, filler) => {
        const title = titleOf([{ text: `${'x'.repeat(filler)}🙂${'y'.repeat(filler)}` }, ...parts]);
        expect([title.length <= 200, title.includes('\n'), title.isWellFormed(), title !== '']).toEqual([
          true,
          false,
          true,
          true,
        ]);
      }),
    );
    expect(titleOf([{ text: '\n  \n the point \nmore' }])).toBe('the point');
    expect(titleOf([{ data: {} }])).toBe('A message with one part');
  });

  it('is told to an agent once: the worker knows its prompt again in the first message', () => {
    const parts = [
      { text: 'look' },
      { data: { a: [1] } },
      { file: { name: 'a.png', mime_type: 'image/png', bytes: 'AA==' } },
    ];
    const said = workerPrompt(
      {
        prompt: promptOf(parts),
        messages: [{ message_id: 'm', role: 'user', parts, at: '' }],
      } as unknown as WorkerTask,
      false,
    );
    expect(said).toBe(promptOf(parts));
  });
});
