// Agents, messages and news between the domain and the wire of the monitor family: names alone, no rules.
import type { z } from 'zod';
import type { agent, saidMessage, streamMessage, streamStatus } from '../../../contracts/monitor.ts';
import type { News } from '../../../domain/events/tenant-log.ts';
import type { Agent } from '../../../domain/model/agent.ts';
import type { ConversationMessage } from '../../../domain/model/conversation.ts';
import { positionText } from '../../../domain/model/task/log-position.ts';
import type { LogEntry } from '../../../domain/ports/store/log.ts';
import type { SseFrame } from '../../pipeline/operation.ts';

export function agentWire(of: Agent): z.input<typeof agent> {
  return {
    name: of.name,
    role: of.role,
    description: of.description,
    ...(of.url === undefined ? {} : { url: of.url }),
    capabilities: [...of.capabilities],
    models: [...of.models],
    last_seen: of.lastSeen,
    registered_at: of.registeredAt,
    online: of.online,
    routable: of.routable,
    source: of.source,
  };
}

export function messageWire(message: ConversationMessage): z.input<typeof saidMessage> {
  return {
    id: message.id,
    conversation_id: message.conversationId,
    task_id: message.taskId,
    role: message.role,
    agent_name: message.agentName ?? null,
    at: message.at,
    text: message.text,
  };
}

export function newsFrame(news: News): SseFrame {
  if (news.type === 'connected') return { id: positionText(news.position), event: 'connected', data: {} };
  if (news.type === 'resync') {
    return { event: 'resync', data: { reason: 'the cursor cannot be served; everything follows from the start' } };
  }
  return { id: positionText(news.entry.position), event: news.entry.type, data: entryWire(news.entry) };
}

function entryWire(entry: LogEntry): z.input<typeof streamStatus> | z.input<typeof streamMessage> {
  const { taskId, conversationId, title, seq, at, text, cut } = entry;
  const about = { task_id: taskId, conversation_id: conversationId, title };
  const what = { seq, at, text, truncated: cut };
  return entry.type === 'status'
    ? { ...about, codebase_id: entry.codebaseId, status: entry.status, ...what }
    : { ...about, role: entry.role, ...what };
}
