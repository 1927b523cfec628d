// Process: node:http with one statement per request, as a service without group commit does it: an INSERT for a
// submit, an UPDATE … SKIP LOCKED for a claim, an UPDATE for a completion. Each commits on its own. No
// authentication, no validation, no tenants, no events: the row has the width of the service's, and its primary key.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { z } from 'zod';
import { bareRoute, bareTasks, bareTenant, submittedTask } from '../bodies/bare-tasks.ts';
import { login, type DatabaseLogin } from '../database.ts';
import { jsonServer, listenOnLoopback, type JsonAnswer } from '../implementations/json-server.ts';
import { serveCommands } from '../serve-commands.ts';

const connections = 20;

/** The rows that a claim needs; without them the bare submits stay bare. */
const claimIndex = `create index on tasks (tenant_id, route_id, priority desc, id) where status = 'pending'`;

const insert = {
  name: 'insert',
  text: `insert into tasks (tenant_id, id, run_id, route_id, max_attempts, created_by, title, prompt, codebase_id,
      priority, model, metadata) values ($1, $2, $3, $4, 3, 'bench', $5, $6, $7, $8, $9, $10) returning created_at`,
};
const claim = {
  name: 'claim',
  text: `update tasks set status = 'running', epoch = epoch + 1, attempt = attempt + 1, worker_id = $2,
      lease_token = gen_random_uuid(), lease_expires_at = now() + interval '60 s', started_at = now(), updated_at = now()
    where (tenant_id, id) in (select tenant_id, id from tasks where tenant_id = $1 and route_id = $3
        and status = 'pending' order by priority desc, id limit 1 for update skip locked)
    returning *`,
};
const complete = {
  name: 'complete',
  text: `update tasks set status = 'completed', result = $4, completed_at = now(), updated_at = now(),
      lease_expires_at = null
    where tenant_id = $1 and id = $2 and lease_token = $3 and status = 'running' returning id`,
};

const completion = z.object({ id: z.string(), lease_token: z.string(), result: z.string() });
const worker = randomUUID();

function statements(pool: pg.Pool): (path: string, body: unknown) => Promise<JsonAnswer> {
  return async (path, body) => {
    if (path === '/claim') {
      const { rows } = await pool.query<Record<string, unknown>>({ ...claim, values: [bareTenant, worker, bareRoute] });
      return { status: 200, body: { tasks: rows } };
    }
    if (path === '/complete') {
      const { id, lease_token, result } = completion.parse(body);
      const { rowCount } = await pool.query({ ...complete, values: [bareTenant, id, lease_token, result] });
      return { status: rowCount === 1 ? 200 : 409, body: { id } };
    }
    const task = submittedTask.parse(body);
    const id = randomUUID();
    const values = [bareTenant, id, randomUUID(), bareRoute, task.title, task.prompt, task.codebase_id, task.priority];
    const { rows } = await pool.query<{ created_at: Date }>({
      ...insert,
      values: [...values, task.model, JSON.stringify(task.metadata)],
    });
    return { status: 201, body: { task: { id, status: 'pending', ...task, created_at: rows[0]?.created_at } } };
  };
}

async function open(address: DatabaseLogin, claimed: boolean): Promise<string> {
  const pool = new pg.Pool({ ...address, max: connections });
  closing.defer(() => pool.end());
  await pool.query(bareTasks);
  if (claimed) await pool.query(claimIndex);
  const server = createServer(jsonServer(statements(pool)));
  closing.defer(() => server.closeAllConnections());
  return listenOnLoopback(server);
}

const openInput = z.object({ login, claimed: z.boolean() });
const closing = new AsyncDisposableStack();

serveCommands(
  {
    async open(input) {
      const { login: address, claimed } = openInput.parse(input);
      return { url: await open(address, claimed) };
    },
  },
  () => closing.disposeAsync(),
);
