// Process: the worker of the server with a statement per step: claims and completes, one task at a time in each loop.
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { expectStatus, HttpConnection } from '../http-connection.ts';
import { serveCommands } from '../serve-commands.ts';

const openInput = z.object({ url: z.string(), slots: z.number() });
const expectInput = z.object({ operations: z.number() });
const claimed = z.object({ tasks: z.array(z.object({ id: z.string(), lease_token: z.string() })) });
/** Pause of a loop that found no task. */
const restMs = 5;

let connections: HttpConnection[] = [];
let completed: Promise<unknown> = Promise.resolve();

async function post(connection: HttpConnection, path: string, body: unknown): Promise<string> {
  return expectStatus(await connection.send({ method: 'POST', path, token: 'none', body: JSON.stringify(body) }), 200);
}

/** Claims and completes this number of tasks. */
function complete(operations: number): Promise<unknown> {
  let remaining = operations;
  return Promise.all(
    connections.map(async (connection) => {
      while (remaining > 0) {
        const [task] = claimed.parse(JSON.parse(await post(connection, '/claim', {}))).tasks;
        if (task === undefined) {
          await pause(restMs);
        } else {
          await post(connection, '/complete', { ...task, result: 'done' });
          remaining -= 1;
        }
      }
    }),
  );
}

serveCommands(
  {
    open(input) {
      const { url, slots } = openInput.parse(input);
      connections = Array.from({ length: slots }, () => new HttpConnection(url));
      return Promise.resolve({});
    },
    expect(input) {
      completed = complete(expectInput.parse(input).operations);
      return Promise.resolve({});
    },
    async completed() {
      await completed;
      return {};
    },
  },
  () => {
    for (const connection of connections) connection[Symbol.dispose]();
    return Promise.resolve();
  },
);
