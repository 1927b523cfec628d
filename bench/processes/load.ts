// Process: the load generator. Keeps some connections busy with requests, submits by default, for a time or for a number of tasks.
import { z } from 'zod';
import { expectStatus, HttpConnection } from '../http-connection.ts';
import { drive } from '../measure/round.ts';
import { serveCommands } from '../serve-commands.ts';
import { taskText } from '../bodies/task-body.ts';

const openInput = z.object({
  url: z.string(),
  path: z.string(),
  token: z.string(),
  connections: z.number(),
  /** Headers of each request, and the status of an accepted one. */
  body: z.string().default(taskText),
  status: z.number().default(201),
  method: z.enum(['GET', 'POST']).default('POST'),
  headers: z.record(z.string(), z.string()).default({}),
});
const roundInput = z.object({ durationMs: z.number(), idempotencyKeys: z.boolean() });
const submitInput = z.object({ operations: z.number() });

let connections: HttpConnection[] = [];
let path = '';
let token = '';
let body = '';
let status = 0;
let method: 'GET' | 'POST' = 'POST';
let headers: Readonly<Record<string, string>> = {};
/** Unique across all rounds and processes. */
let key = 0;
const keyPrefix = `bench-${process.pid}-${Date.now()}`;

function close(): Promise<void> {
  for (const connection of connections) connection[Symbol.dispose]();
  return Promise.resolve();
}

async function submit(caller: number, idempotencyKeys: boolean): Promise<void> {
  const connection = connections[caller];
  if (connection === undefined) throw new Error('no such connection: open it first');
  const request = { method, path, token, body, headers };
  const idempotencyKey = `${keyPrefix}-${(key += 1)}`;
  expectStatus(await connection.send(idempotencyKeys ? { ...request, idempotencyKey } : request), status);
}

serveCommands(
  {
    async open(input) {
      await close();
      const opened = openInput.parse(input);
      ({ path, token, body, status, method, headers } = opened);
      connections = Array.from({ length: opened.connections }, () => new HttpConnection(opened.url));
      return {};
    },
    async round(input) {
      const { durationMs, idempotencyKeys } = roundInput.parse(input);
      return drive(connections.length, durationMs, (caller) => submit(caller, idempotencyKeys));
    },
    async submit(input) {
      let left = submitInput.parse(input).operations;
      await Promise.all(
        connections.map(async (_, caller) => {
          while (left > 0) {
            left -= 1;
            await submit(caller, false);
          }
        }),
      );
      return {};
    },
  },
  close,
);
