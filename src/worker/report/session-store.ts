// The agent sessions of this worker: one for each conversation, or attempt without one. core-2.7.
import type { z } from 'zod';
import type { messageSync, sessionSync } from '../../contracts/codebase.ts';
import type { WorkerTask } from '../../contracts/worker.ts';
import type { ToolCounts } from '../agents/adapter/adapter.ts';
import type { Clock } from '../base/clock.ts';
import type { SessionFacts, TaskOutcome } from './task-outcome.ts';

type SessionSyncItem = z.input<typeof sessionSync>['sessions'][number];
type MessageSyncItem = z.input<typeof messageSync>['messages'][number];

/** One session with the changes that the service has not taken yet. */
export interface UnsyncedSession {
  readonly codebaseId: string;
  readonly session: SessionSyncItem;
  readonly messages: MessageSyncItem[];
  /** Must be called when the service has taken them. */
  markSynced(): void;
}

interface Entry {
  readonly codebaseId: string;
  readonly sessionId: string;
  readonly title: string;
  readonly agent: string;
  readonly startedAt: string;
  readonly lastActivityAt: string;
  readonly metadata: Record<string, unknown>;
  readonly tools: Map<string, ToolCounts>;
  readonly known: Set<string>;
  readonly unsent: MessageSyncItem[];
  changed: boolean;
}

const maxSessions = 500;
const summaryLength = 500;

export class SessionStore {
  readonly #clock: Pick<Clock, 'now'>;
  /** By session, the most recently active one last. */
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  recordStart(task: WorkerTask, agent: string): void {
    const entry = this.#touch(task, agent);
    const [first] = task.messages;
    if (first === undefined) addMessage(entry, `${task.id}:prompt`, 'user', task.prompt, entry.lastActivityAt);
    for (const { message_id, role, parts, at } of task.messages) {
      const text = parts.map((part) => ('text' in part ? part.text : '')).join('\n');
      addMessage(entry, message_id, role, text, at);
    }
  }

  /** Records the facts about the agent's session and its tool calls. */
  recordFacts(task: WorkerTask, { session, sessionUsage, tools }: SessionFacts): void {
    const entry = this.#entries.get(buildSessionKey(task));
    if (entry === undefined) return;
    if (session === undefined) delete entry.metadata['agent_session_id'];
    else entry.metadata['agent_session_id'] = session;
    if (session === undefined || sessionUsage === undefined) delete entry.metadata['agent_session_usage'];
    else entry.metadata['agent_session_usage'] = sessionUsage;
    for (const [name, { calls, failed }] of tools) {
      const { calls: c = 0, failed: f = 0 } = entry.tools.get(name) ?? {};
      entry.tools.set(name, { calls: c + calls, failed: f + failed });
    }
  }

  recordEnd(task: WorkerTask, { status, result, error, message }: TaskOutcome): void {
    const agent = this.#entries.get(buildSessionKey(task))?.agent ?? '';
    const entry = this.#touch(task, agent);
    entry.metadata['status'] = status;
    const text = message?.text ?? result ?? error?.message ?? status;
    addMessage(entry, `${task.id}:${task.attempt}`, 'agent', text, entry.lastActivityAt);
  }

  unsynced(): UnsyncedSession[] {
    return [...this.#entries.values()].filter(({ changed }) => changed).map(toUnsyncedSession);
  }

  #touch(task: WorkerTask, agent: string): Entry {
    const codebaseId = task.codebase_id ?? 'global';
    const sessionId = task.conversation_id ?? task.run_id;
    const key = buildSessionKey(task);
    const now = this.#clock.now().toISOString();
    const fresh = {
      codebaseId,
      sessionId,
      startedAt: now,
      tools: new Map(),
      known: new Set<string>(),
      unsent: [],
      metadata: {},
    };
    const before = this.#entries.get(key) ?? fresh;
    const entry: Entry = {
      ...before,
      title: task.title,
      agent,
      lastActivityAt: now,
      metadata: { ...before.metadata, task_id: task.id, run_id: task.run_id },
      changed: true,
    };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxSessions && oldest !== undefined) this.#entries.delete(oldest);
    return entry;
  }
}

function buildSessionKey(task: WorkerTask): string {
  return `${task.codebase_id ?? 'global'} ${task.conversation_id ?? task.run_id}`;
}

function addMessage(entry: Entry, id: string, role: string, text: string, at: string): void {
  if (entry.known.has(id)) return;
  entry.known.add(id);
  entry.unsent.push({ message_id: id, role, summary: summarize(text), at });
}

function summarize(text: string): string {
  const plain = text.trim();
  return plain.length <= summaryLength ? plain : `${plain.slice(0, summaryLength).toWellFormed()}…`;
}

function toUnsyncedSession(entry: Entry): UnsyncedSession {
  const messages = entry.unsent.slice(0, 1000);
  const { lastActivityAt, tools } = entry;
  const failed = [...tools].filter((tool) => tool[1].failed > 0).map(([name, counts]) => [name, counts.failed]);
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
    markSynced() {
      entry.unsent.splice(0, messages.length);
      entry.changed = entry.unsent.length > 0 || entry.lastActivityAt !== lastActivityAt;
    },
  };
}
