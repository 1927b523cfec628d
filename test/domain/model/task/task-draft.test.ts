// Every way to create a task builds its draft with newDraft, which has the only list of defaults.
import { buildStepDescriptor } from '../../../support/builders/run-records.ts';
import { expect, it } from 'vitest';
import { newDraft, type TaskDraft } from '../../../../src/domain/model/task/task-draft.ts';

const required = { title: 'a', prompt: 'b', codebaseId: null };

it('gives every field that is absent, undefined or null its default', () => {
  const defaults = {
    ...required,
    requiredCapabilities: [],
    targetAgent: null,
    targetWorkerId: null,
    agentType: null,
    model: null,
    priority: 0,
    conversationId: null,
    deadlineAt: null,
    maxAttempts: null,
    webhookUrl: null,
    retryOf: null,
    follows: null,
    topic: null,
    step: null,
    metadata: {},
    message: null,
    push: undefined,
  };
  expect(newDraft(required)).toStrictEqual(defaults);
  const optional = Object.keys(defaults).filter((name) => !(name in required));
  for (const value of [undefined, null]) {
    const fields = Object.fromEntries(optional.map((name) => [name, value]));
    expect(newDraft({ ...fields, ...required })).toStrictEqual(defaults);
  }
});

it('keeps every field that is given, and nothing else', () => {
  const full: { [Field in keyof Required<TaskDraft>]: NonNullable<TaskDraft[Field]> } = {
    title: 'title',
    prompt: 'prompt',
    codebaseId: 'codebase',
    requiredCapabilities: ['gpu'],
    targetAgent: 'agent',
    targetWorkerId: 'worker',
    agentType: 'type',
    model: 'model',
    priority: 7,
    conversationId: 'conversation',
    deadlineAt: '2030-01-01T00:00:00Z',
    maxAttempts: 5,
    webhookUrl: 'https://hooks.example',
    retryOf: 'task',
    follows: 'another task',
    topic: 'topic',
    step: buildStepDescriptor(),
    metadata: { a: 1 },
    message: { messageId: 'm', parts: [{ text: 'prompt' }], metadata: {} },
    push: {
      configId: 'c',
      url: 'https://push.example',
      token: null,
      scheme: null,
      credentials: null,
      wire: 'v1',
    },
  };
  const task = { ...full, createdBy: 'somebody', attempt: 3 };
  expect(newDraft(task)).toStrictEqual(full);
});
