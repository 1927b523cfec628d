// How long a blocking send waits: not longer than it may, on a store that never has news.
import { expect, it } from 'vitest';
import { CallContext } from '../../../../src/http/a2a/call/call-context.ts';
import { cardToSdk } from '../../../../src/http/a2a/card/cards.ts';
import { createRoutingReader } from '../../../../src/http/a2a/call/message-draft.ts';
import { createRequestHandler, type HandlerDeps } from '../../../../src/http/a2a/call/request-handler.ts';
import { createV03Adapter } from '../../../../src/http/a2a/v0_3/v03-adapter.ts';
import { SchemaCompiler } from '../../../../src/http/pipeline/schema.ts';
import type { Rows } from '../../../../src/domain/ports/store/store.ts';
import type { Submission } from '../../../../src/domain/ports/store/queue.ts';
import { WorkerDirectory } from '../../../../src/domain/tasks/routing/worker-directory.ts';
import { TaskSignals } from '../../../../src/domain/events/task-signals.ts';
import { uuid7Maker } from '../../../../src/lib/uuid7.ts';
import { uncounted } from '../../../support/builders/long-call.ts';
import { message } from '../../../support/a2a/client.ts';

const at = '2026-01-01T00:00:00.000Z';
const bus = { announce: () => {}, listen: () => () => {} };
const caller = {
  subject: 's',
  name: 'n',
  tenantId: 't',
  roles: [],
  credential: 'service' as const,
  homeTenantId: 't',
  credentialId: 'c',
};

/** A queue that takes one task, and a store in which it stays as it is. */
function quiet(maxWaitMs: number): HandlerDeps {
  let taken: Submission | undefined;
  const find = async () => ({
    ...taken?.draft,
    id: taken?.id,
    status: 'pending',
    createdAt: at,
    updatedAt: at,
    lastSeq: 1,
  });
  const rows = {
    tasks: { find, findWithMessages: async () => ({ task: await find(), messages: [] }), artifacts: async () => [] },
    workers: { routable: async () => [] },
  };
  const store = { within: <T>(_tenant: unknown, work: (rows: Rows) => Promise<T>) => work(rows as unknown as Rows) };
  const deps = {
    queue: {
      submit: (_tenant: unknown, submission: Submission) => {
        taken = submission;
        return Promise.resolve({ verdict: 'created', createdAt: at });
      },
    },
    store,
    workerDirectory: new WorkerDirectory({ ...store, ping: async () => {} }, bus, Date.now),
    wake: bus,
    signals: new TaskSignals(bus),
    makeId: uuid7Maker(Date.now, (size) => new Uint8Array(size)),
    defaultMaxAttempts: 3,
    agentCard: cardToSdk({ version: '1.2.0', pushNotifications: true }),
    readRouting: createRoutingReader(new SchemaCompiler()),
    maxWaitMs,
  };
  return deps as unknown as HandlerDeps;
}

it('a blocking send answers the task as it stands when the wait is over', async () => {
  const noCard = (): Promise<never> => Promise.reject(new Error('nobody asks'));
  const versionAdapter = createV03Adapter({
    handler: createRequestHandler(quiet(30)),
    cards: { publicCard: noCard, extendedCard: noCard },
    makeId: () => 'id',
  });
  const context = {
    signal: new AbortController().signal,
    idempotency: undefined,
    lastEventId: undefined,
    ifNoneMatch: undefined,
    wantsStream: false,
    ...uncounted,
    view: { requestId: 'r', forwardedOrigin: undefined, header: () => undefined, query: () => undefined },
  };
  const params = { message: message(), configuration: { blocking: true } };
  const answer = await versionAdapter.answer('send', caller, { params, context });
  expect(answer).toMatchObject({ result: { kind: 'task', status: { state: 'submitted' } } });
});

it('a blocking send ends at once when its client is gone', async () => {
  const gone = AbortSignal.abort();
  const handler = createRequestHandler(quiet(3_600_000));
  const call = new CallContext({
    caller,
    wire: '0.3',
    signal: gone,
    idempotency: undefined,
    lastEventId: undefined,
    ...uncounted,
  });
  const sent = await handler.sendMessage(
    {
      tenant: '',
      message: {
        messageId: 'm',
        contextId: '',
        taskId: '',
        role: 1,
        parts: [{ content: { $case: 'text', value: 'x' }, metadata: undefined, filename: '', mediaType: '' }],
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      },
      configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: false },
      metadata: undefined,
    },
    call,
  );
  expect('status' in sent).toBe(true);
});
