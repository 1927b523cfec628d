// The version adapters alone: what each sends is valid by its version's proto file, and a round trip keeps every value.
import fc from 'fast-check';
import { Message, Part as PartObject, StreamResponse, Task as TaskObject } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { describe, expect, it } from 'vitest';
import {
  messageToSdk,
  messageFromSdk,
  partToSdk,
  partFromSdk,
  taskToSdk,
} from '../../../../src/http/a2a/call/sdk-objects.ts';
import { protoToV03 } from '../../../../src/http/a2a/v0_3/proto-to-v03.ts';
import { v03ToProto } from '../../../../src/http/a2a/v0_3/v03-to-proto.ts';
import { statusAfter, eventToFrame } from '../../../../src/http/a2a/call/task-updates.ts';
import { paramsToV10 } from '../../../../src/http/a2a/v1_0/params-to-v10.ts';
import { taskSdkToV03 } from '../../../../src/http/a2a/v0_3/v03-adapter.ts';
import { sendParamsToV03 } from '../../../../src/http/a2a/v0_3/params-to-v03.ts';
import type { TaskDetails } from '../../../../src/domain/tasks/task-details.ts';
import {
  event,
  id,
  maybe,
  metadata,
  optional,
  plain,
  taskMessage,
  text,
  anyTaskDetails,
} from '../../../support/builders/arbitrary-tasks.ts';
import { protoFaults } from '../../../support/a2a/proto-schema.ts';
import { faults } from '../../../support/a2a/client.ts';

const place = { id: 'T', conversationId: 'C' };

function inV03(frame: StreamResponse): unknown {
  return JSON.parse(new V03PushNotificationSerializer().serialize(frame).body);
}

describe('v1.0', () => {
  it('writes every task valid by its proto file', () => {
    fc.assert(
      fc.property(anyTaskDetails, optional(fc.nat({ max: 6 })), (details, historyLength) => {
        expect(protoFaults('1.0', 'Task', plain(TaskObject.toJSON(taskToSdk(details, historyLength))))).toEqual([]);
      }),
    );
  });

  it('writes every event as one frame valid by its proto file', () => {
    fc.assert(
      fc.property(event, id, maybe(fc.string({ minLength: 1 })), (details, taskId, conversationId) => {
        const frame = eventToFrame({ id: taskId, conversationId }, details, statusAfter('running', details));
        expect(protoFaults('1.0', 'StreamResponse', plain(StreamResponse.toJSON(frame)))).toEqual([]);
      }),
    );
  });

  it('preserves messages in a round trip', () => {
    fc.assert(
      fc.property(taskMessage, (details) => {
        const wire = plain(Message.toJSON(messageToSdk(place, details)));
        expect(protoFaults('1.0', 'Message', wire)).toEqual([]);
        const { messageId, parts, metadata: kept } = messageFromSdk(Message.fromJSON(wire));
        expect(plain({ messageId, parts, metadata: kept })).toEqual(
          plain({ messageId: details.messageId, parts: details.parts, metadata: details.metadata }),
        );
      }),
    );
  });

  it('preserves parts with a name or a type that the domain does not have', () => {
    const content = fc.oneof(
      fc.record({ $case: fc.constant('text' as const), value: text }),
      fc.record({ $case: fc.constant('data' as const), value: fc.jsonValue() }),
      fc.record({ $case: fc.constant('url' as const), value: fc.webUrl() }),
    );
    const part: fc.Arbitrary<PartObject> = fc.record({
      content,
      metadata,
      filename: fc.string(),
      mediaType: fc.string(),
    });
    fc.assert(
      fc.property(part, (details) => {
        expect(plain(partToSdk(plain(partFromSdk(details))))).toEqual(plain(details));
      }),
    );
  });

  it('accepts params in either naming, absent members as null, and parts in every form', () => {
    const details = {
      tenant: null,
      message: {
        message_id: 'm',
        role: 'ROLE_USER',
        context_id: 'c',
        task_id: null,
        parts: [
          { text: 'a', media_type: 'text/plain' },
          { kind: 'text', text: 'b' },
          { type: 'text', content: 'c' },
          { kind: 'file', file: { bytes: 'AA==', mimeType: 'a/b', name: 'n' } },
          { file: { file_with_uri: 'https://e.example' } },
          { kind: 'data', data: { a_b: 1 }, metadata: { c_d: null } },
          { data: null },
        ],
      },
      configuration: { return_immediately: true, task_push_notification_config: { url: 'u', task_id: 't' } },
      metadata: { e_f: null },
    };
    expect(paramsToV10(details)).toEqual({
      message: {
        messageId: 'm',
        role: 'ROLE_USER',
        contextId: 'c',
        parts: [
          { text: 'a', mediaType: 'text/plain' },
          { text: 'b' },
          { text: 'c' },
          { raw: 'AA==', mediaType: 'a/b', filename: 'n' },
          { url: 'https://e.example' },
          { data: { a_b: 1 }, metadata: { c_d: null } },
          { data: null },
        ],
      },
      configuration: { returnImmediately: true, taskPushNotificationConfig: { url: 'u', taskId: 't' } },
      metadata: { e_f: null },
    });
  });
});

describe('bytes', () => {
  // The JSON of a proto file takes either alphabet, with its padding or without; v0.3's own JSON has one spelling.
  it.each([
    ['_-8', '/+8='],
    ['aGk', 'aGk='],
    ['YQ', 'YQ=='],
    ['/+8=', '/+8='],
    ['!!!!', '!!!!'],
    ['a', 'a'],
  ])('written as %j are kept as %j, in both versions', (details, kept) => {
    const send = { message: { parts: [{ raw: details }, { file: { bytes: details } }] } };
    expect(paramsToV10(send)).toEqual({ message: { parts: [{ raw: kept }, { raw: kept }] } });
    const ofProto = { message: { content: [{ file: { fileWithBytes: details } }] } };
    expect(protoToV03('send', ofProto)).toEqual({ message: { parts: [{ file: { bytes: kept } }] } });
  });
});

describe('v0.3 in the JSON of its proto file', () => {
  it('writes every task valid by that file', () => {
    fc.assert(
      fc.property(anyTaskDetails, (details) => {
        const wire = v03ToProto('get', taskSdkToV03(taskToSdk(details, undefined)));
        expect(protoFaults('0.3', 'Task', wire)).toEqual([]);
        expect(
          protoFaults('0.3', 'SendMessageResponse', v03ToProto('send', taskSdkToV03(taskToSdk(details, 0)))),
        ).toEqual([]);
      }),
    );
  });

  it('writes every event as one frame valid by that file', () => {
    fc.assert(
      fc.property(event, id, maybe(fc.string({ minLength: 1 })), (details, taskId, conversationId) => {
        const frame = eventToFrame({ id: taskId, conversationId }, details, statusAfter('running', details));
        expect(protoFaults('0.3', 'StreamResponse', v03ToProto('stream', inV03(frame)))).toEqual([]);
      }),
    );
  });

  it('preserves a message in a round trip, except members that the file does not have', () => {
    fc.assert(
      fc.property(taskMessage, (details) => {
        const wire = inV03({ payload: { $case: 'message', value: messageToSdk(place, details) } });
        const proto = v03ToProto('send', wire);
        const back = sendParamsToV03(protoToV03('send', proto), '/a2a/rest/v1', () => 'id');
        expect(back).toEqual({ message: lessened(wire) });
      }),
    );
  });
});

/** A v0.3 message without its kind, the metadata of its parts, the names of its files and empty members. */
function lessened(wire: unknown): unknown {
  const { kind: _kind, parts, ...message } = wire as { kind: string; parts: Record<string, unknown>[] };
  return {
    ...message,
    parts: parts.map(({ metadata: _metadata, file, ...part }) => {
      const { name: _name, ...content } = (file ?? {}) as Record<string, unknown>;
      return file === undefined ? part : { ...part, file: content };
    }),
  };
}

const golden: TaskDetails = {
  waitingReason: null,
  task: {
    id: '01a1fe54-4a4a-7000-89aa-ee8f27cb4186',
    title: 't',
    prompt: 'look',
    status: 'cancelled',
    agentType: null,
    model: null,
    priority: 3,
    codebaseId: 'global',
    workerId: null,
    targetAgent: null,
    targetWorkerId: null,
    requiredCapabilities: [],
    conversationId: 'talk',
    createdBy: 's',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:01.000Z',
    startedAt: null,
    completedAt: '2026-01-01T00:00:02.000Z',
    deadlineAt: null,
    attemptId: 'run',
    attempt: 1,
    maxAttempts: 3,
    lastSeq: 4,
    lastEventAt: '2026-01-01T00:00:02.000Z',
    outputSeq: null,
    leaseExpiresAt: null,
    pausedAt: null,
    heldBack: false,
    webhookUrl: null,
    result: null,
    error: null,
    usage: null,
    changes: null,
    retryOf: null,
    follows: null,
    metadata: { mine: true },
    step: null,
    traceparent: null,
  },
  messages: [
    {
      messageId: 'm',
      role: 'user',
      parts: [
        { text: 'look' },
        { data: { a: 1 } },
        { file: { name: 'a.png', mime_type: 'image/png', bytes: 'AA==' } },
        { file: { uri: 'https://e.example/x' } },
      ],
      metadata: {},
      at: '2026-01-01T00:00:00.000Z',
    },
  ],
  artifacts: [
    {
      summary: {
        artifactId: 'diff',
        name: 'diff',
        mimeType: 'text/x-diff',
        size: 2,
        createdAt: '2026-01-01T00:00:01.000Z',
        firstSeq: 3,
        lastSeq: 3,
      },
      text: '+1',
    },
  ],
};
const names = { contextId: 'talk', taskId: golden.task.id, messageId: 'm' };
const facts = { mine: true, codebase_id: 'global', priority: 3 };
const artifact = { artifactId: 'diff', name: 'diff', metadata: { mime_type: 'text/x-diff' } };

describe('one task in each format', () => {
  it('v0.3', () => {
    const wire = taskSdkToV03(taskToSdk(golden, undefined));
    expect(faults('Task', wire)).toEqual([]);
    expect(wire).toEqual({
      kind: 'task',
      id: golden.task.id,
      contextId: 'talk',
      status: { state: 'canceled', timestamp: '2026-01-01T00:00:02.000Z' },
      history: [
        {
          kind: 'message',
          ...names,
          role: 'user',
          parts: [
            { kind: 'text', text: 'look' },
            { kind: 'data', data: { a: 1 } },
            { kind: 'file', file: { name: 'a.png', mimeType: 'image/png', bytes: 'AA==' } },
            { kind: 'file', file: { uri: 'https://e.example/x' } },
          ],
        },
      ],
      artifacts: [{ ...artifact, parts: [{ kind: 'text', text: '+1' }] }],
      metadata: facts,
    });
  });

  it('v0.3 in proto JSON', () => {
    expect(v03ToProto('send', taskSdkToV03(taskToSdk(golden, undefined)))).toEqual({
      task: {
        id: golden.task.id,
        contextId: 'talk',
        status: { state: 'TASK_STATE_CANCELLED', timestamp: '2026-01-01T00:00:02.000Z' },
        history: [
          {
            ...names,
            role: 'ROLE_USER',
            content: [
              { text: 'look' },
              { data: { data: { a: 1 } } },
              { file: { fileWithBytes: 'AA==', mimeType: 'image/png' } },
              { file: { fileWithUri: 'https://e.example/x' } },
            ],
          },
        ],
        artifacts: [{ ...artifact, parts: [{ text: '+1' }] }],
        metadata: facts,
      },
    });
  });

  it('v1.0', () => {
    expect(plain(TaskObject.toJSON(taskToSdk(golden, undefined)))).toEqual({
      id: golden.task.id,
      contextId: 'talk',
      status: { state: 'TASK_STATE_CANCELED', timestamp: '2026-01-01T00:00:02.000Z' },
      history: [
        {
          ...names,
          role: 'ROLE_USER',
          parts: [
            { text: 'look' },
            { data: { a: 1 } },
            { raw: 'AA==', filename: 'a.png', mediaType: 'image/png' },
            { url: 'https://e.example/x' },
          ],
        },
      ],
      artifacts: [{ ...artifact, parts: [{ text: '+1', mediaType: 'text/x-diff' }] }],
      metadata: facts,
    });
  });
});
