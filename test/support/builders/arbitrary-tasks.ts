// Arbitrary values of the domain, for tests of their translation to A2A.
import fc from 'fast-check';
import type { Part, Task } from '../../../src/domain/model/task/task.ts';
import type { TaskEvent } from '../../../src/domain/model/task/task-event.ts';
import { taskStatuses } from '../../../src/domain/model/task/task-state.ts';

export const text = fc.string({ unit: 'grapheme' });
export const json = fc.jsonValue({ maxDepth: 3 });
export const object = fc.dictionary(fc.string(), json, { maxKeys: 4 });
/** The SDK writes an empty one as none. */
export const metadata = fc.option(fc.dictionary(fc.string(), json, { minKeys: 1, maxKeys: 4 }), { nil: undefined });
const base64 = fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const named = {
  name: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
  mime_type: fc.constantFrom(undefined, 'text/x-diff'),
};

export const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ text, metadata }),
  fc.record({ data: json, metadata }),
  fc.record({ file: fc.record({ ...named, bytes: base64 }), metadata }),
  fc.record({ file: fc.record({ ...named, uri: fc.webUrl() }), metadata }),
);

/** Without members that are undefined: there is no such thing in JSON. */
export function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

const time = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((at) => at.toISOString());
export const id = fc.uuid({ version: 7 });
export const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const error = fc.record({ code: fc.string({ minLength: 1 }), message: text });

export const task: fc.Arbitrary<Task> = fc.record({
  id,
  title: text,
  prompt: text,
  status: fc.constantFrom(...taskStatuses),
  agentType: maybe(text),
  model: maybe(text),
  priority: fc.integer({ min: 0, max: 100 }),
  codebaseId: maybe(text),
  workerId: maybe(id),
  targetAgent: maybe(text),
  targetWorkerId: maybe(id),
  requiredCapabilities: fc.array(text, { maxLength: 3 }),
  conversationId: maybe(fc.string({ minLength: 1 })),
  createdBy: text,
  createdAt: time,
  updatedAt: time,
  startedAt: maybe(time),
  completedAt: maybe(time),
  deadlineAt: maybe(time),
  attemptId: id,
  attempt: fc.nat(),
  maxAttempts: fc.nat(),
  lastSeq: fc.nat(),
  lastEventAt: time,
  outputSeq: maybe(fc.nat()),
  leaseExpiresAt: maybe(time),
  pausedAt: maybe(time),
  heldBack: fc.boolean(),
  webhookUrl: maybe(text),
  result: maybe(text),
  error: maybe(error),
  usage: maybe(fc.record({ input_tokens: fc.nat() })),
  changes: maybe(fc.record({ files: fc.nat(), added: fc.nat(), removed: fc.nat() })),
  retryOf: maybe(id),
  follows: maybe(id),
  metadata: object,
  step: fc.constant(null),
  traceparent: fc.constant(null),
});

export const taskMessage = fc.record({
  messageId: fc.string({ minLength: 1 }),
  role: fc.constantFrom('user' as const, 'agent' as const),
  parts: fc.array(part, { minLength: 1, maxLength: 3 }),
  metadata: object,
  at: time,
});

const content = fc.oneof(
  fc.record({ text }),
  fc.record({ data: json }),
  fc.record({ bytes: base64 }),
  fc.record({ uri: fc.webUrl() }),
);
const artifactNames = { name: text, mime_type: fc.constantFrom('text/plain', 'application/json') };

const artifact = fc
  .tuple(
    fc.record({
      artifactId: fc.string({ minLength: 1 }),
      name: text,
      mimeType: text,
      size: fc.nat(),
      createdAt: time,
      firstSeq: fc.nat(),
      lastSeq: fc.nat(),
    }),
    content,
  )
  .map(([summary, held]) => ({ summary, ...held }));

export const anyTaskDetails = fc.record({
  task,
  waitingReason: maybe(fc.constantFrom('workers_busy' as const, 'no_codebase' as const)),
  messages: fc.array(taskMessage, { maxLength: 4 }),
  artifacts: fc.array(artifact, { maxLength: 3 }),
});

const seqAt = { seq: fc.integer({ min: 1, max: 1e9 }), at: time };
export const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
export const event: fc.Arbitrary<TaskEvent> = fc.oneof(
  fc.record({
    ...seqAt,
    type: fc.constant('status' as const),
    data: fc.record({
      status: fc.constantFrom(...taskStatuses),
      final: fc.boolean(),
      run_id: optional(id),
      worker_id: optional(id),
      attempt: optional(fc.nat()),
      reason: optional(text),
      result: optional(maybe(text)),
      error: optional(maybe(error)),
      question: optional(text),
      question_id: optional(id),
    }),
  }),
  fc.record({
    ...seqAt,
    type: fc.constant('output' as const),
    data: fc.record({ stream: fc.constantFrom('stdout' as const, 'agent' as const), text }),
  }),
  fc.record({
    ...seqAt,
    type: fc.constant('progress' as const),
    data: fc.record({ percent: optional(fc.nat()), message: optional(text) }),
  }),
  fc.record({
    ...seqAt,
    type: fc.constant('message' as const),
    data: fc.record({
      message_id: fc.string({ minLength: 1 }),
      role: fc.constantFrom('user' as const, 'agent' as const),
      parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    }),
  }),
  fc
    .tuple(
      fc.record({
        artifact_id: fc.string({ minLength: 1 }),
        ...artifactNames,
        append: optional(fc.boolean()),
        last_chunk: optional(fc.boolean()),
      }),
      content,
      fc.record(seqAt),
    )
    .map(([names, held, at]) => ({ ...at, type: 'artifact' as const, data: { ...names, ...held } })),
  fc.record({ ...seqAt, type: fc.constant('checkpoint' as const), data: fc.record({ data: json }) }),
);
