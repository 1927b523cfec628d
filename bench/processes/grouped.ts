// Process: node:http with a group commit and nothing else: what arrives while a commit runs shares the next one, one
// INSERT for all. No authentication, no validation, no tenants, no events, no audit. What any durable submit over
// node:http and PostgreSQL can reach on this machine.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { z } from 'zod';
import { bareRoute, bareTasks, bareTenant, submittedTask } from '../bodies/bare-tasks.ts';
import { login, type DatabaseLogin } from '../database.ts';
import { jsonServer, listenOnLoopback, type JsonAnswer } from '../implementations/json-server.ts';
import { serveCommands } from '../serve-commands.ts';

interface Waiting {
  readonly row: Readonly<Record<string, unknown>>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const insert = {
  name: 'insert',
  text: `insert into tasks (tenant_id, id, run_id, route_id, max_attempts, created_by, title, prompt, codebase_id,
      priority, model, metadata)
    select $1, id, run_id, $2, 3, 'bench', title, prompt, codebase_id, priority, model, metadata
    from jsonb_to_recordset($3::jsonb) as r(id uuid, run_id uuid, title text, prompt text, codebase_id text,
      priority smallint, model text, metadata jsonb)`,
};

function submits(client: pg.Client): (path: string, body: unknown) => Promise<JsonAnswer> {
  let waiting: Waiting[] = [];
  let busy = false;
  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const rows = JSON.stringify(batch.map(({ row }) => row));
        await client.query({ ...insert, values: [bareTenant, bareRoute, rows] });
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    busy = false;
  };
  const committed = (row: Waiting['row']): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ row, resolve, reject });
      if (busy) return;
      busy = true;
      // Owned: it settles every call and never rejects.
      setImmediate(() => void flush());
    });
  return async (_path, body) => {
    const row = { id: randomUUID(), run_id: randomUUID(), ...submittedTask.parse(body) };
    await committed(row);
    return { status: 201, body: { task: { ...row, status: 'pending' } } };
  };
}

async function open(address: DatabaseLogin): Promise<string> {
  const client = new pg.Client(address);
  await client.connect();
  closing.defer(() => client.end());
  await client.query(bareTasks);
  const server = createServer(jsonServer(submits(client)));
  closing.defer(() => server.closeAllConnections());
  return listenOnLoopback(server);
}

const openInput = z.object({ login });
const closing = new AsyncDisposableStack();

serveCommands(
  {
    async open(input) {
      return { url: await open(openInput.parse(input).login) };
    },
  },
  () => closing.disposeAsync(),
);
