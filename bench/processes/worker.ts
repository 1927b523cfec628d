// Process: a worker on the real protocol, without agents: registers, listens to the push channel, and completes what
// it is given. Measures how soon a task starts on an idle service, beside what one commit takes.
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import pg from 'pg';
import { z } from 'zod';
import { assignment, registered, type AssignmentWire } from '../../src/contracts/worker.ts';
import { login, type DatabaseLogin } from '../database.ts';
import { expectStatus, HttpConnection } from '../http-connection.ts';
import { toRoundFigures } from '../measure/round.ts';
import { serveCommands } from '../serve-commands.ts';
import { taskText } from '../bodies/task-body.ts';

const openInput = z.object({ url: z.string(), token: z.string(), slots: z.number() });
const expectInput = z.object({ operations: z.number() });
const idleInput = z.object({ login, operations: z.number() });
/** Pause between measurements on an idle service, so that the previous one has no follow-up work left. */
const restMs = 10;

const closing = new AsyncDisposableStack();
const free: HttpConnection[] = [];
let address = '';
let token = '';
let completed: Promise<void> = Promise.resolve();
let onAssigned: (held: AssignmentWire) => void = () => {};

async function open(url: string, slots: number): Promise<void> {
  address = url;
  const body = { name: 'bench', slots, codebases: [{ codebase_id: 'global', name: 'global', path: '/bench' }] };
  const { worker } = registered.parse(JSON.parse(await post('/v1/agent/workers/register', JSON.stringify(body), 200)));
  await listen(`${url}/v1/worker/tasks/stream?worker_id=${worker.worker_id}&slots=${slots}`);
}

/** Resolves when the service has confirmed the channel. */
async function listen(url: string): Promise<void> {
  const stream = request(url, { headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' } });
  closing.defer(() => void stream.destroy());
  const answered = once(stream, 'response');
  stream.end();
  const [response] = (await answered) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`the push channel answered ${response.statusCode}`);
  const connected = Promise.withResolvers<void>();
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === 'connected') connected.resolve();
      // Answers are not validated: tests cover their shape, and the parser's time would count for the worker.
      if (event === 'task_assigned') onAssigned(JSON.parse(data) as z.infer<typeof assignment>);
    },
  });
  response.setEncoding('utf8').on('data', (text: string) => parser.feed(text));
  // The connection breaks when the service is closed, at the end of the bench.
  response.on('error', () => {});
  stream.on('error', () => {});
  await connected.promise;
}

/** On a free connection, or a new one: a next task may come before the answer to the last one's release. */
async function post(path: string, text: string, status: number): Promise<string> {
  const connection = free.pop() ?? closing.use(new HttpConnection(address));
  const answer = await connection.send({ method: 'POST', path, token, body: text });
  free.push(connection);
  return expectStatus(answer, status);
}

async function release({ task, lease_token }: AssignmentWire): Promise<void> {
  const body = { lease_token, status: 'completed', result: 'done' };
  await post(`/v1/worker/tasks/${task.id}/release`, JSON.stringify(body), 200);
}

/** Completes every task from now on; the promise resolves after this number of tasks. */
function complete(operations: number): Promise<void> {
  const done = Promise.withResolvers<void>();
  let left = operations;
  const finish = async (held: AssignmentWire): Promise<void> => {
    await release(held);
    if ((left -= 1) === 0) done.resolve();
  };
  onAssigned = (held) => void finish(held).catch(done.reject);
  return done.promise;
}

/** Measures in turn one bare INSERT with its commit, and one task from its submit until it has started here. */
async function measureIdle(store: DatabaseLogin, operations: number): Promise<Record<'commit' | 'start', unknown>> {
  const client = new pg.Client(store);
  await client.connect();
  try {
    await client.query('create table if not exists commits (id integer, text text)');
    const commits: number[] = [];
    const starts: number[] = [];
    const startedAt = performance.now();
    for (let i = 0; i < operations; i += 1) {
      commits.push(
        await timed(() =>
          client.query({ name: 'c', text: 'insert into commits values ($1, $2)', values: [i, taskText] }),
        ),
      );
      await pause(restMs);
      const assigned = Promise.withResolvers<AssignmentWire>();
      onAssigned = assigned.resolve;
      const submitted = post('/v1/agent/tasks', taskText, 201);
      starts.push(await timed(() => assigned.promise));
      await submitted;
      await release(await assigned.promise);
      await pause(restMs);
    }
    const elapsedMs = performance.now() - startedAt;
    return { commit: toRoundFigures(commits, elapsedMs), start: toRoundFigures(starts, elapsedMs) };
  } finally {
    await client.end();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

serveCommands(
  {
    async open(input) {
      const opened = openInput.parse(input);
      ({ token } = opened);
      await open(opened.url, opened.slots);
      return {};
    },
    expect(input) {
      completed = complete(expectInput.parse(input).operations);
      return Promise.resolve({});
    },
    async completed() {
      await completed;
      return {};
    },
    async idle(input) {
      const { login: store, operations } = idleInput.parse(input);
      return measureIdle(store, operations);
    },
  },
  () => closing.disposeAsync(),
);
