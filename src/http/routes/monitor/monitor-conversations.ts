// Monitor operations on agents and messages: lists, a stream, exports. choices-3.
import { z } from 'zod';
import * as wire from '../../../contracts/monitor.ts';
import { threadPage, threadQuery } from '../../../contracts/monitor/thread.ts';
import { listThreads } from '../../../domain/conversations/list-threads.ts';
import { streamFrameByType, monitorStreamQuery } from '../../../contracts/monitor/stream.ts';
import { discoverAgents } from '../../../domain/agents/directory.ts';
import { searchMessages } from '../../../domain/conversations/search-messages.ts';
import type { TenantEvent, TenantLog } from '../../../domain/events/tenant-log.ts';
import type { ViewDeps } from '../../../domain/tasks/read.ts';
import { pieceAnswer } from '../../bindings/piece-answer.ts';
import { operation, type Answer, type Operation, type SseFrame } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { csvExport, jsonExport } from './monitor-export.ts';
import { agentToWire, conversationMessageToWire, tenantEventToSse, threadToWire } from './monitor-wire.ts';

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
      summary: 'List agents by name.',
      description: 'Includes agents of workers and agents that registered themselves.',
      permission: 'monitor:read',
      query: wire.agentQuery,
      answers: { 200: wire.agentPage },
      run: async (caller, { query }) => {
        const { capability, online_only: onlineOnly } = query;
        const { agents, next } = await discoverAgents(deps, caller, {
          capability,
          onlineOnly,
          ...parsePage(query, 'text'),
        });
        return { status: 200, body: { agents: agents.map(agentToWire), next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'monitor.messages',
      method: 'GET',
      path: '/v1/monitor/messages',
      summary: 'List the messages of all conversations, newest first.',
      description: 'The query q searches their text.',
      permission: 'monitor:read',
      query: wire.messageQuery,
      answers: { 200: wire.messagePage },
      run: async (caller, { query }) => {
        const filter = { text: query.q, conversationId: query.conversation_id };
        const { messages, next } = await searchMessages(deps, caller, filter, parsePage(query, 'text'));
        return {
          status: 200,
          body: { messages: messages.map(conversationMessageToWire), next_cursor: encodeCursor(next) },
        };
      },
    }),
    operation({
      name: 'monitor.threads',
      method: 'GET',
      path: '/v1/monitor/threads',
      summary: 'List conversations by latest message, newest first.',
      description: 'A task without a conversation is a conversation of its own.',
      permission: 'monitor:read',
      query: threadQuery,
      answers: { 200: threadPage },
      run: async (caller, { query }) => {
        const { threads, next } = await listThreads(deps, caller, parsePage(query, 'text'));
        return { status: 200, body: { threads: threads.map(threadToWire), next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'monitor.stream',
      method: 'GET',
      path: '/v1/monitor/stream',
      summary: 'Stream changes of tasks, workers, runs and attention items.',
      description: 'Resumable by Last-Event-ID. After a frame `resync`, read the lists again.',
      permission: 'monitor:read',
      mediaType: 'text/event-stream',
      query: monitorStreamQuery,
      answers: { 200: z.union(Object.values(streamFrameByType)) },
      run: (caller, { query, context }) => {
        const events = deps.tenantLog.follow(caller, context.lastEventId, context.signal);
        const wanted = { types: query.types?.split(','), createdBy: query.only && caller.subject };
        return Promise.resolve({ stream: frames(events, wanted) });
      },
    }),
    ...exportOperations(deps),
  ];
}

function exportOperations(deps: Deps): Operation[] {
  return [
    operation({
      name: 'monitor.export_json',
      method: 'GET',
      path: '/v1/monitor/export.json',
      summary: 'Export messages, tasks or agents as JSON.',
      description: 'The answer is one object, produced while it is read.',
      permission: 'monitor:read',
      query: wire.exportQuery,
      answers: { 200: wire.exportJson },
      run: (caller, { query }) =>
        attachmentAnswer(jsonExport(deps, caller, query), 'application/json; charset=utf-8', `${query.what}.json`),
    }),
    operation({
      name: 'monitor.export_csv',
      method: 'GET',
      path: '/v1/monitor/export.csv',
      summary: 'Export messages, tasks or agents as CSV.',
      description: 'No cell is a formula. The answer is produced while it is read.',
      permission: 'monitor:read',
      mediaType: 'text/csv',
      query: wire.exportQuery,
      answers: { 200: z.string() },
      run: (caller, { query }) =>
        attachmentAnswer(
          csvExport(deps, caller, query),
          'text/csv; charset=utf-8; header=present',
          `${query.what}.csv`,
        ),
    }),
  ];
}

/** An answer that browsers save as a file. */
function attachmentAnswer(
  pieces: AsyncGenerator<string, void, undefined>,
  type: string,
  name: string,
): Promise<Answer> {
  return pieceAnswer(pieces, {
    'content-type': type,
    'content-disposition': `attachment; filename="switchyard-${name}"`,
  });
}

interface WantedFrames {
  readonly types: readonly string[] | undefined;
  readonly createdBy: string | undefined;
}

async function* frames(
  tenantEvents: AsyncIterable<TenantEvent>,
  { types, createdBy }: WantedFrames,
): AsyncGenerator<SseFrame, void, undefined> {
  for await (const event of tenantEvents) {
    if (event.type === 'entry') {
      if (types?.includes(event.entry.type) === false) continue;
      if (createdBy !== undefined && event.entry.createdBy !== createdBy) continue;
    }
    yield tenantEventToSse(event);
  }
}
