// The monitor family: agents, what they and their callers say, as lists, as a stream, as files. choices §3.
import { z } from 'zod';
import * as wire from '../../../contracts/monitor.ts';
import { discoverAgents } from '../../../domain/agents/directory.ts';
import { searchMessages } from '../../../domain/conversations/search-messages.ts';
import type { News, TenantLog } from '../../../domain/events/tenant-log.ts';
import type { ViewDeps } from '../../../domain/tasks/read.ts';
import { operation, type Answer, type Operation, type SseFrame } from '../../pipeline/operation.ts';
import { cursorOf, pageOf } from '../../pipeline/page.ts';
import { csvExport, jsonExport } from './monitor-export.ts';
import { agentWire, messageWire, newsFrame } from './monitor-wire.ts';

interface Deps extends ViewDeps {
  readonly tenantLog: TenantLog;
  readonly now: () => number;
}

export function conversationOperations(deps: Deps): Operation[] {
  return [
    operation({
      name: 'monitor.agents',
      method: 'GET',
      path: '/v1/monitor/agents',
      summary: 'Agents by name: those that workers bear and those that registered themselves.',
      permission: 'monitor:read',
      query: wire.agentQuery,
      answers: { 200: wire.agentPage },
      run: async (caller, { query }) => {
        const { capability, online_only: onlineOnly } = query;
        const { agents, next } = await discoverAgents(deps, caller, {
          capability,
          onlineOnly,
          ...pageOf(query, 'text'),
        });
        return { status: 200, body: { agents: agents.map(agentWire), next_cursor: cursorOf(next) } };
      },
    }),
    operation({
      name: 'monitor.messages',
      method: 'GET',
      path: '/v1/monitor/messages',
      summary: 'What was said in all conversations, newest first; q searches.',
      permission: 'monitor:read',
      query: wire.messageQuery,
      answers: { 200: wire.messagePage },
      run: async (caller, { query }) => {
        const filter = { text: query.q, conversationId: query.conversation_id };
        const { messages, next } = await searchMessages(deps, caller, filter, pageOf(query, 'text'));
        return { status: 200, body: { messages: messages.map(messageWire), next_cursor: cursorOf(next) } };
      },
    }),
    operation({
      name: 'monitor.stream',
      method: 'GET',
      path: '/v1/monitor/stream',
      summary: 'Changes of status and messages of all tasks as they come, resumable by Last-Event-ID.',
      permission: 'monitor:read',
      mediaType: 'text/event-stream',
      answers: { 200: z.union([wire.streamStatus, wire.streamMessage]) },
      run: (caller, { facts }) =>
        Promise.resolve({ stream: frames(deps.tenantLog.follow(caller, facts.lastEventId, facts.signal)) }),
    }),
    ...exports(deps),
  ];
}

function exports(deps: Deps): Operation[] {
  return [
    operation({
      name: 'monitor.export_json',
      method: 'GET',
      path: '/v1/monitor/export.json',
      summary: 'Messages, tasks or agents as one JSON object, written while it is read.',
      permission: 'monitor:read',
      query: wire.exportQuery,
      answers: { 200: wire.exportJson },
      run: (caller, { query }) =>
        file(jsonExport(deps, caller, query), 'application/json; charset=utf-8', `${query.what}.json`),
    }),
    operation({
      name: 'monitor.export_csv',
      method: 'GET',
      path: '/v1/monitor/export.csv',
      summary: 'Messages, tasks or agents as comma-separated values in which no cell is a formula.',
      permission: 'monitor:read',
      mediaType: 'text/csv',
      query: wire.exportQuery,
      answers: { 200: z.string() },
      run: (caller, { query }) =>
        file(csvExport(deps, caller, query), 'text/csv; charset=utf-8; header=present', `${query.what}.csv`),
    }),
  ];
}

/** A file to keep: no browser shows it as a page. Its first piece is made before the answer begins. */
async function file(pieces: AsyncGenerator<string, void, undefined>, type: string, name: string): Promise<Answer> {
  const first = await pieces.next();
  return {
    pieces: withFirst(first, pieces),
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="switchyard-${name}"`,
      'cache-control': 'no-store',
    },
  };
}

async function* withFirst(
  first: IteratorResult<string, void>,
  rest: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

async function* frames(news: AsyncIterable<News>): AsyncGenerator<SseFrame, void, undefined> {
  for await (const one of news) yield newsFrame(one);
}
