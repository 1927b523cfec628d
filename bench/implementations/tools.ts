// MCP compared with REST: the same task read by GET and by a tool, and the list of tools, from one service.
import { z } from 'zod';
import type { Implementation, BenchSetup } from '../implementation.ts';
import type { BenchDatabase } from '../database.ts';
import { expectStatus, HttpConnection } from '../http-connection.ts';
import { roundFigures } from '../measure/round.ts';
import type { BenchService } from '../service.ts';
import { taskText } from '../bodies/task-body.ts';

const nothing = z.object({});
const created = z.object({ task: z.object({ id: z.string() }) });
const path = '/v1/agent/tasks';
/** Headers of a client after the handshake. */
const standard = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
/** Headers of a client without a handshake. */
const stateless = {
  ...standard,
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'get_task',
};
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
};

/** Row names, by which the goals find them. */
export const toolCalls = {
  rest: 'a task by GET',
  plain: 'a task by tool, plain',
  standard: 'a task by tool, standard',
  stateless: 'a task by tool, without a handshake',
  list: 'the list of tools, plain',
  standardList: 'the list of tools, standard',
} as const;

export async function openTools(
  opening: BenchSetup,
  database: BenchDatabase,
  { url, pid: serverPid, tokenOf }: BenchService,
): Promise<Implementation[]> {
  const token = tokenOf('tools');
  using connection = new HttpConnection(url);
  const answer = await connection.send({ method: 'POST', path, token, body: taskText });
  const { id } = created.parse(JSON.parse(expectStatus(answer, 201))).task;
  const message = (method: string, params: unknown): string =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const params = { name: 'get_task', arguments: { task_id: id } };
  const getTask = message('tools/call', params);
  const list = message('tools/list', {});
  const openCaller = async (name: string, what: string, request: object): Promise<Implementation> => {
    const load = opening.start('load');
    await load.request('open', { url, token, connections: 16, status: 200, ...request }, nothing);
    const { roundMs: durationMs } = opening.size;
    return {
      name,
      what,
      kind: 'call',
      serverPid,
      storePid: database.pid,
      round: () => load.request('round', { durationMs, idempotencyKeys: false }, roundFigures),
    };
  };
  const rpc = '/mcp/v1/rpc';
  return [
    await openCaller(toolCalls.rest, 'GET /v1/agent/tasks/{id}', { method: 'GET', path: `${path}/${id}`, body: '' }),
    await openCaller(toolCalls.plain, 'get_task over JSON-RPC', { path: rpc, body: getTask }),
    await openCaller(toolCalls.standard, 'get_task over the protocol’s transport', {
      path: rpc,
      body: getTask,
      headers: standard,
    }),
    await openCaller(toolCalls.stateless, 'the same in the revision of 2026', {
      path: rpc,
      body: message('tools/call', { ...params, _meta: envelope }),
      headers: stateless,
    }),
    await openCaller(toolCalls.list, 'tools/list over JSON-RPC', { path: rpc, body: list }),
    await openCaller(toolCalls.standardList, 'tools/list over the protocol’s transport', {
      path: rpc,
      body: list,
      headers: standard,
    }),
  ];
}
