// What this worker knows of its agents' sessions: one for each conversation, or run without one. document 1 §2.7.
import type { z } from 'zod';
import type { messageSync, sessionSync } from '../../contracts/codebase.ts';
import type { WorkerTask } from '../../contracts/worker.ts';
import type { ToolTally } from '../agents/adapter/adapter.ts';
import type { Clock } from '../base/clock.ts';
import type { Outcome } from '../attempt/execute.ts';
import type { SessionFacts } from '../attempt/run-turns.ts';

type SessionNews = z.input<typeof sessionSync>['sessions'][number];
type MessageNews = z.input<typeof messageSync>['messages'][number];

/** One session with what the service has not heard of it. */
export interface News {
  codebaseId: string;
  session: SessionNews;
  messages: MessageNews[];
  /** To be called when the service has taken it. */
  taken(): void;
}

export interface SessionJournal {
  began(task: WorkerTask, agent: string): void;
  /** What the agent told of its session and its tools. */
  used(task: WorkerTask, facts: SessionFacts): void;
  ended(task: WorkerTask, outcome: Outcome): void;
  news(): News[];
}

interface Entry {
  codebaseId: string;
  sessionId: string;
  title: string;
  agent: string;
  startedAt: string;
  lastActivityAt: string;
  metadata: Record<string, unknown>;
  tools: Map<string, ToolTally>;
  known: Set<string>;
  unsent: MessageNews[];
  changed: boolean;
}

const keptSessions = 500;
const summaryLength = 500;

export function createSessionJournal(clock: Clock): SessionJournal {
  /** By session, the one that was active last at the end. */
  const entries = new Map<string, Entry>();

  function touch(task: WorkerTask, agent: string): Entry {
    const codebaseId = task.codebase_id ?? 'global';
    const sessionId = task.conversation_id ?? task.run_id;
    const key = keyOf(task);
    const now = clock.now().toISOString();
    const fresh = {
      codebaseId,
      sessionId,
      startedAt: now,
      tools: new Map(),
      known: new Set<string>(),
      unsent: [],
      metadata: {},
    };
    const before = entries.get(key) ?? fresh;
    const entry: Entry = {
      ...before,
      title: task.title,
      agent,
      lastActivityAt: now,
      metadata: { ...before.metadata, task_id: task.id, run_id: task.run_id },
      changed: true,
    };
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > keptSessions && oldest !== undefined) entries.delete(oldest);
    return entry;
  }

  return {
    began(task, agent) {
      const entry = touch(task, agent);
      const [first] = task.messages;
      if (first === undefined) note(entry, `${task.id}:prompt`, 'user', task.prompt, entry.lastActivityAt);
      for (const { message_id, role, parts, at } of task.messages) {
        const text = parts.map((part) => ('text' in part ? part.text : '')).join('\n');
        note(entry, message_id, role, text, at);
      }
    },
    used(task, { session, sessionUsage, tools }) {
      const entry = entries.get(keyOf(task));
      if (entry === undefined) return;
      if (session === undefined) delete entry.metadata['agent_session_id'];
      else entry.metadata['agent_session_id'] = session;
      if (session === undefined || sessionUsage === undefined) delete entry.metadata['agent_session_usage'];
      else entry.metadata['agent_session_usage'] = sessionUsage;
      for (const [name, { calls, failed }] of tools) {
        const { calls: c = 0, failed: f = 0 } = entry.tools.get(name) ?? {};
        entry.tools.set(name, { calls: c + calls, failed: f + failed });
      }
    },
    ended(task, { status, result, error, message }) {
      const agent = entries.get(keyOf(task))?.agent ?? '';
      const entry = touch(task, agent);
      entry.metadata['status'] = status;
      const text = message?.text ?? result ?? error?.message ?? status;
      note(entry, `${task.id}:${task.attempt}`, 'agent', text, entry.lastActivityAt);
    },
    news() {
      return [...entries.values()].filter(({ changed }) => changed).map(tell);
    },
  };
}

function keyOf(task: WorkerTask): string {
  return `${task.codebase_id ?? 'global'} ${task.conversation_id ?? task.run_id}`;
}

function note(entry: Entry, id: string, role: string, text: string, at: string): void {
  if (entry.known.has(id)) return;
  entry.known.add(id);
  entry.unsent.push({ message_id: id, role, summary: summaryOf(text), at });
}

function summaryOf(text: string): string {
  const plain = text.trim();
  return plain.length <= summaryLength ? plain : `${plain.slice(0, summaryLength).toWellFormed()}…`;
}

function tell(entry: Entry): News {
  const messages = entry.unsent.slice(0, 1000);
  const { lastActivityAt, tools } = entry;
  const failed = [...tools].filter((tool) => tool[1].failed > 0).map(([name, tally]) => [name, tally.failed]);
  return {
    codebaseId: entry.codebaseId,
    session: {
      session_id: entry.sessionId,
      title: entry.title,
      agent: entry.agent,
      started_at: entry.startedAt,
      last_activity_at: lastActivityAt,
      message_count: entry.known.size,
      tool_usage: Object.fromEntries([...tools].map(([name, { calls }]) => [name, calls])),
      metadata: { ...entry.metadata, ...(failed.length > 0 && { tool_failures: Object.fromEntries(failed) }) },
    },
    messages,
    taken() {
      entry.unsent.splice(0, messages.length);
      entry.changed = entry.unsent.length > 0 || entry.lastActivityAt !== lastActivityAt;
    },
  };
}
