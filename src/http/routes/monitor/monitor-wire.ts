// Conversions of agents, messages and events to the wire shapes of the monitor. They hold no rules.
import type { z } from 'zod';
import type { agent, conversationMessage } from '../../../contracts/monitor.ts';
import type { thread } from '../../../contracts/monitor/thread.ts';
import type { ListedThread } from '../../../domain/conversations/list-threads.ts';
import type { streamFrameByType as frames } from '../../../contracts/monitor/stream.ts';
import type { TenantEvent } from '../../../domain/events/tenant-log.ts';
import type { Agent } from '../../../domain/model/agent.ts';
import type { ConversationMessage } from '../../../domain/model/conversation.ts';
import { formatPosition } from '../../../domain/model/task/log-position.ts';
import type { LogEntry } from '../../../domain/ports/store/log.ts';
import type { SseFrame } from '../../pipeline/operation.ts';

export function agentToWire(of: Agent): z.input<typeof agent> {
  return {
    name: of.name,
    role: of.role,
    description: of.description,
    url: of.url,
    capabilities: [...of.capabilities],
    models: [...of.models],
    last_seen: of.lastSeen,
    registered_at: of.registeredAt,
    online: of.online,
    routable: of.routable,
    source: of.source,
  };
}

export function conversationMessageToWire(message: ConversationMessage): z.input<typeof conversationMessage> {
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

export function threadToWire(listed: ListedThread): z.input<typeof thread> {
  const { id, title, participants, lastMessage: last_message, openTasks: open_tasks } = listed;
  return { id, title, participants: [...participants], last_message, open_tasks };
}

export function tenantEventToSse(tenantEvent: TenantEvent): SseFrame {
  if (tenantEvent.type === 'connected')
    return { id: formatPosition(tenantEvent.position), event: 'connected', data: {} };
  if (tenantEvent.type === 'resync') {
    return { event: 'resync', data: { reason: 'the cursor is not valid any more; all events follow from the start' } };
  }
  return {
    id: formatPosition(tenantEvent.entry.position),
    event: tenantEvent.entry.type,
    data: logEntryToWire(tenantEvent.entry),
  };
}

function logEntryToWire(entry: LogEntry): z.input<(typeof frames)[keyof typeof frames]> {
  const { at } = entry;
  if (entry.type === 'worker') return { worker_id: entry.workerId, name: entry.name, status: entry.status, at };
  if (entry.type === 'run') return { run_id: entry.runId, project: entry.project, status: entry.status, at };
  if (entry.type === 'attention') return { kind: entry.kind, id: entry.id, state: entry.state, at };
  const { taskId, conversationId, title, seq, text, cut } = entry;
  const taskFields = { task_id: taskId, conversation_id: conversationId, title };
  const entryFields = { seq, at, text, truncated: cut };
  if (entry.type === 'message') return { ...taskFields, role: entry.role, ...entryFields };
  const { codebaseId: codebase_id, questionId: question_id, status, attempt } = entry;
  return { ...taskFields, codebase_id, status, attempt, question_id, ...entryFields };
}
