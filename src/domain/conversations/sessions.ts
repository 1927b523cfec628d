// Verbs of sessions: workers upload the sessions of their agents, callers read them. core-2.7.
import { changeOwned } from '../access/change-owned.ts';
import { requireCodebase } from '../codebases/manage.ts';
import type { Caller } from '../model/access/caller.ts';
import { DomainError, notFound } from '../model/errors.ts';
import type { Session, SessionMessage } from '../model/session.ts';
import type { Policy } from '../ports/policy.ts';
import type { Rows, Store } from '../ports/store/store.ts';

interface Deps {
  readonly store: Store;
  readonly policy: Policy;
}
interface PageRequest {
  readonly limit: number;
  readonly before: string | undefined;
}

/** A worker's upload for a codebase that it holds. @throws DomainError not_found (codebase, worker), forbidden */
function changeAsWorker(
  deps: Deps,
  caller: Caller,
  codebaseId: string,
  workerId: string,
  change: (rows: Rows) => Promise<void>,
): Promise<void> {
  return changeOwned(deps, caller, {
    ownerOf: async (rows) => {
      await requireCodebase(rows, codebaseId);
      const worker = await rows.workers.find(workerId);
      if (worker === undefined) throw notFound('worker');
      return worker.subject;
    },
    change: async (rows) => {
      await assertHoldsCodebase(rows, codebaseId, workerId);
      await change(rows);
    },
  });
}

/** @throws DomainError not_found, forbidden for a codebase that the worker does not hold */
async function assertHoldsCodebase(rows: Rows, codebaseId: string, workerId: string): Promise<void> {
  const codebase = await requireCodebase(rows, codebaseId);
  if (codebase.bindings.some((binding) => binding.workerId === workerId)) return;
  throw new DomainError(
    'forbidden',
    'codebase_not_bound',
    'This worker does not hold this codebase. Register the codebase for it first.',
  );
}

/** The newest upload of each session wins. @throws DomainError not_found (codebase, worker), forbidden */
export async function syncSessions(
  deps: Deps,
  caller: Caller,
  codebaseId: string,
  workerId: string,
  sessions: readonly Session[],
): Promise<number> {
  const unique = [...new Map(sessions.map((session) => [session.sessionId, session])).values()];
  await changeAsWorker(deps, caller, codebaseId, workerId, (rows) => rows.sessions.upsert(codebaseId, unique));
  return unique.length;
}

/** A worker's upload of messages of one session. */
export interface MessageUpload {
  readonly codebaseId: string;
  readonly sessionId: string;
  readonly workerId: string;
  readonly messages: readonly SessionMessage[];
}

/** @throws DomainError not_found (codebase, worker, session), forbidden */
export async function syncMessages(
  deps: Deps,
  caller: Caller,
  { codebaseId, sessionId, workerId, messages }: MessageUpload,
): Promise<number> {
  const unique = [...new Map(messages.map((message) => [message.messageId, message])).values()];
  await changeAsWorker(deps, caller, codebaseId, workerId, async (rows) => {
    if ((await rows.sessions.find(codebaseId, sessionId)) === undefined) throw notFound('session');
    await rows.sessions.upsertMessages(codebaseId, sessionId, unique);
  });
  return unique.length;
}

/**
 * @param text words in the title, the agent's name or a message's summary
 * @throws DomainError not_found (codebase)
 */
export async function listSessions(
  deps: Deps,
  caller: Caller,
  codebaseId: string,
  page: PageRequest,
  text?: string,
): Promise<{ sessions: Session[]; next: string | null }> {
  const found = await deps.store.within(caller, async (rows) => {
    await requireCodebase(rows, codebaseId);
    return rows.sessions.list(codebaseId, { ...page, limit: page.limit + 1 }, text);
  });
  const sessions = found.slice(0, page.limit);
  return { sessions, next: found.length > page.limit ? (sessions.at(-1)?.sessionId ?? null) : null };
}

/** @throws DomainError not_found */
export async function getSession(deps: Deps, caller: Caller, codebaseId: string, sessionId: string): Promise<Session> {
  const session = await deps.store.within(caller, (rows) => rows.sessions.find(codebaseId, sessionId));
  if (session === undefined) throw notFound('session');
  return session;
}

/** @throws DomainError not_found */
export async function listSessionMessages(
  deps: Deps,
  caller: Caller,
  codebaseId: string,
  sessionId: string,
  page: PageRequest,
): Promise<{ messages: SessionMessage[]; next: string | null }> {
  const found = await deps.store.within(caller, async (rows) => {
    if ((await rows.sessions.find(codebaseId, sessionId)) === undefined) throw notFound('session');
    return rows.sessions.messages(codebaseId, sessionId, { ...page, limit: page.limit + 1 });
  });
  const messages = found.slice(0, page.limit);
  return { messages, next: found.length > page.limit ? (messages.at(-1)?.messageId ?? null) : null };
}

/** The facts that a task needs to resume a session. */
export interface Resumption {
  readonly agent: string | null;
  /** The worker that has the session, while it is registered: only its machine holds the agent's own session. */
  readonly workerId: string | null;
  /** Goes into the task's metadata: the worker finds the agent's own session by it. */
  readonly metadata: Record<string, unknown>;
}

/** @throws DomainError not_found */
export async function resumeSession(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  codebaseId: string,
  sessionId: string,
): Promise<Resumption> {
  const found = await deps.store.within(caller, (rows) => findResumption(rows, codebaseId, sessionId));
  if (found === undefined) throw notFound('session');
  return found;
}

/** Undefined: there is no such session. */
export async function findResumption(
  rows: Rows,
  codebaseId: string,
  sessionId: string,
): Promise<Resumption | undefined> {
  const session = await rows.sessions.find(codebaseId, sessionId);
  if (session === undefined) return undefined;
  const worker = session.workerId === null ? undefined : await rows.workers.find(session.workerId);
  const { agent_session_id: agentSessionId, agent_session_usage: agentSessionUsage } = session.metadata;
  const isWorkerOnline = typeof agentSessionId === 'string' && worker?.status === 'active';
  return {
    agent: session.agent,
    workerId: isWorkerOnline ? session.workerId : null,
    metadata: {
      resume_session_id: session.sessionId,
      ...(typeof agentSessionId === 'string' && {
        resume_agent: session.agent,
        resume_agent_session: agentSessionId,
        resume_worker_id: session.workerId,
        resume_agent_usage: agentSessionUsage,
      }),
    },
  };
}
