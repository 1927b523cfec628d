// The translations alone: what goes out is valid by the protocol's schema, and what came in comes out equal.
import fc from 'fast-check';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { SendMessageRequest, StreamResponse } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { CallContext } from '../../../../src/http/a2a/call/call-context.ts';
import { promptFromParts, titleFromParts } from '../../../../src/http/a2a/call/message-draft.ts';
import {
  messageToSdk,
  messageFromSdk,
  partToSdk,
  partFromSdk,
  stateByStatus,
  statusFromSdk,
  taskToSdk,
} from '../../../../src/http/a2a/call/sdk-objects.ts';
import { statusAfter, eventToFrame } from '../../../../src/http/a2a/call/task-updates.ts';
import { taskSdkToV03 } from '../../../../src/http/a2a/v0_3/v03-adapter.ts';
import type { Task } from '../../../../src/domain/model/task/task.ts';
import { taskStatuses } from '../../../../src/domain/model/task/task-state.ts';
import type { WorkerTask } from '../../../../src/contracts/worker.ts';
import { buildPrompt as workerPrompt } from '../../../../src/worker/agents/adapter/prompt.ts';
import {
  event,
  id,
  maybe,
  optional,
  part,
  plain,
  taskMessage,
  text,
  anyTaskDetails,
} from '../../../support/builders/arbitrary-tasks.ts';
import { uncounted } from '../../../support/builders/long-call.ts';
import { faults } from '../../../support/a2a/client.ts';

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
      fc.property(anyTaskDetails, optional(fc.nat({ max: 6 })), (details, historyLength) => {
        const wire = taskSdkToV03(taskToSdk(details, historyLength)) as { history?: unknown[]; id: string };
        expect(faults('Task', wire)).toEqual([]);
        expect(wire.history?.length ?? 0).toBe(Math.min(details.messages.length, historyLength ?? 99));
      }),
    );
  });

  it('has each of our states under one name of the protocol, and back [core-3.2.2]', () => {
    for (const status of taskStatuses) expect(statusFromSdk(stateByStatus[status])).toBe(status);
  });
});

describe('an event on the wire', () => {
  it('is one frame, valid by the schema of v0.3, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(event, id, maybe(text), async (details, taskId, conversationId) => {
        const frame = eventToFrame({ id: taskId, conversationId }, details, statusAfter('running', details));
        const wire = plain(await onV03(frame));
        const definition = details.type === 'artifact' ? 'TaskArtifactUpdateEvent' : 'TaskStatusUpdateEvent';
        expect(faults(definition, wire)).toEqual([]);
      }),
    );
  });
});

describe('parts and messages', () => {
  it('come back equal through the SDK’s objects', () => {
    fc.assert(
      fc.property(part, (details) => {
        expect(plain(partFromSdk(partToSdk(details)))).toEqual(plain(details));
      }),
    );
  });

  it('come back equal over the wire of v0.3, in both directions', async () => {
    await fc.assert(
      fc.asyncProperty(taskMessage, async (details) => {
        const frame: StreamResponse = {
          payload: { $case: 'message', value: messageToSdk({ id: 'T', conversationId: 'C' }, details) },
        };
        const wire = plain(await onV03(frame));
        expect(faults('Message', wire)).toEqual([]);
        let received: SendMessageRequest | undefined;
        const sdk = sdkAround({
          sendMessage: async (request) => {
            received = request;
            return taskToSdk({ task: {} as Task, waitingReason: null, messages: [], artifacts: [] }, 0);
          },
        });
        await sdk.handle({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message: wire } }, call());
        if (received?.message === undefined) throw new Error('nothing came');
        const { messageId, parts, metadata: kept } = messageFromSdk(received.message);
        expect(plain({ messageId, parts, metadata: kept })).toEqual(
          plain({ messageId: details.messageId, parts: details.parts, metadata: details.metadata }),
        );
      }),
    );
  });

  it('keep the extensions and references of a message', () => {
    const wire = {
      ...messageToSdk(
        { id: 'T', conversationId: null },
        { messageId: 'm', role: 'user', parts: [{ text: 'x' }], metadata: { a: 1 }, at: '' },
      ),
    };
    const details = { ...wire, extensions: ['https://e.example'], referenceTaskIds: ['t1', 't2'] };
    const kept = messageFromSdk(details);
    expect(messageToSdk({ id: 'T', conversationId: null }, { ...kept, role: 'user', at: '' })).toEqual(details);
  });
});

describe('a message as a task', () => {
  it('has a title of one line and at most 200 characters, never half a character', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), fc.nat(300), (parts, filler) => {
        const title = titleFromParts([{ text: `${'x'.repeat(filler)}🙂${'y'.repeat(filler)}` }, ...parts]);
        expect([title.length <= 200, title.includes('\n'), title.isWellFormed(), title !== '']).toEqual([
          true,
          false,
          true,
          true,
        ]);
      }),
    );
    expect(titleFromParts([{ text: '\n  \n the point \nmore' }])).toBe('the point');
    expect(titleFromParts([{ data: {} }])).toBe('A message with one part');
  });

  it('reaches an agent once: the worker recognises its prompt in the first message', () => {
    const parts = [
      { text: 'look' },
      { data: { a: [1] } },
      { file: { name: 'a.png', mime_type: 'image/png', bytes: 'AA==' } },
    ];
    const promptText = workerPrompt(
      {
        prompt: promptFromParts(parts),
        messages: [{ message_id: 'm', role: 'user', parts, at: '' }],
      } as unknown as WorkerTask,
      false,
    );
    expect(promptText).toBe(promptFromParts(parts));
  });
});
