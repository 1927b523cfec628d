// Process: the official SDK's A2A server as it ships, its JSON-RPC handler on Express; or its transport handler alone
// on bare node:http, which is no server of its own. The command names its task store: its in-memory one, or its database
// one on PostgreSQL. Its executor takes the task and has nothing more to do.
import { createServer, type Server } from 'node:http';
import { AgentCard, Task } from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
  type AgentExecutor,
} from '@a2a-js/sdk/server';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { DatabaseTaskStore, type TaskDatabase } from '@a2a-js/sdk/server/database';
import express from 'express';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { z } from 'zod';
import { login, type DatabaseLogin } from '../database.ts';
import { jsonServer, listenOnLoopback } from '../implementations/json-server.ts';
import { serveCommands } from '../serve-commands.ts';

const openInput = z.object({ login: login.nullable(), bare: z.boolean() });
const request = z.record(z.string(), z.unknown());
const closing = new AsyncDisposableStack();

const executor: AgentExecutor = {
  execute({ taskId, contextId, userMessage }, bus) {
    const status = { state: 'TASK_STATE_SUBMITTED', timestamp: new Date().toISOString() };
    bus.publish(AgentEvent.task({ ...Task.fromJSON({ id: taskId, contextId, status }), history: [userMessage] }));
    bus.finished();
    return Promise.resolve();
  },
  cancelTask: () => Promise.resolve(),
};

/** The table of the SDK's own migration. */
const table = `create table tasks (
  tenant varchar(255) collate "C" not null, owner varchar(255) collate "C" not null,
  id varchar(36) collate "C" not null, context_id varchar(36) collate "C" not null,
  status_last_updated bigint not null, status_state varchar(255) collate "C",
  status text, artifacts text, history text, metadata text, protocol_version varchar(255),
  primary key (tenant, owner, id));
create index on tasks (tenant, owner, status_last_updated, id);
create index on tasks (tenant, owner, context_id, status_last_updated, id);`;

async function databaseStore(address: DatabaseLogin): Promise<DatabaseTaskStore<TaskDatabase>> {
  const pool = new pg.Pool({ ...address, max: 10 });
  await pool.query(table);
  const database = new Kysely<TaskDatabase>({ dialect: new PostgresDialect({ pool }) });
  closing.defer(() => database.destroy());
  return new DatabaseTaskStore(database);
}

/** As the SDK documents it. */
function createExpressServer(requestHandler: DefaultRequestHandler): Server {
  const app = express();
  app.use('/a2a/jsonrpc', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  return createServer(app);
}

function createBareServer(requestHandler: DefaultRequestHandler): Server {
  const handler = new JsonRpcTransportHandler(requestHandler);
  return createServer(
    jsonServer(async (_path, body) => {
      const answer = await handler.handle(request.parse(body), new ServerCallContext({ requestedVersion: '1.0' }));
      return 'error' in answer ? { status: 500, body: answer } : { status: 200, body: answer };
    }),
  );
}

serveCommands(
  {
    async open(input) {
      const { login: address, bare } = openInput.parse(input);
      const store = address === null ? new InMemoryTaskStore() : await databaseStore(address);
      const supportedInterfaces = [{ url: 'http://127.0.0.1/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
      const capabilities = { streaming: true };
      const card = AgentCard.fromJSON({ name: 'bench', version: '1', capabilities, supportedInterfaces });
      const handler = new DefaultRequestHandler(card, store, executor);
      const server = bare ? createBareServer(handler) : createExpressServer(handler);
      closing.defer(() => server.closeAllConnections());
      return { url: await listenOnLoopback(server) };
    },
  },
  () => closing.disposeAsync(),
);
