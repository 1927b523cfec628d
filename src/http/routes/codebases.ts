// Operations on codebases and on the agent sessions in them. choices-3.
import { z } from 'zod';
import * as wire from '../../contracts/codebase.ts';
import { pageQuery } from '../../contracts/common.ts';
import { taskAnswer, trigger, triggered } from '../../contracts/task.ts';
import { getCodebase, listCodebases, removeCodebase } from '../../domain/codebases/manage.ts';
import { registerCodebase } from '../../domain/codebases/register.ts';
import { getSession, listSessionMessages, listSessions, resumeSession } from '../../domain/conversations/sessions.ts';
import type { Codebase } from '../../domain/model/codebase.ts';
import type { Session } from '../../domain/model/session.ts';
import type { TaskDeps } from '../../domain/tasks/deps.ts';
import { addActivity, withoutActivity } from '../../domain/tasks/exchange/task-activity.ts';
import { buildNewTaskView } from '../../domain/tasks/read.ts';
import { submitTask } from '../../domain/tasks/submit.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import { replayHeaders } from '../pipeline/idempotency.ts';
import { operation, type Operation } from '../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../pipeline/pagination.ts';
import { draftFromBody, taskToWire } from './tasks/task-wire.ts';

const byId = { params: z.object({ id: wire.codebaseId }), names: 'codebase' as const };
const bySession = {
  params: z.object({ id: wire.codebaseId, sid: z.string().min(1).max(200) }),
  names: 'session' as const,
};

export function codebaseToWire(codebase: Codebase): wire.CodebaseWire {
  return {
    codebase_id: codebase.codebaseId,
    name: codebase.name,
    path: codebase.path,
    description: codebase.description,
    worker_id: codebase.workerId,
    status: codebase.bindings.length > 0 ? 'active' : 'unbound',
    workspace_mode: codebase.workspaceMode,
    created_by: codebase.createdBy,
    created_at: codebase.createdAt,
    bindings: codebase.bindings.map(({ workerId, path }) => ({ worker_id: workerId, path })),
  };
}

export function codebaseOperations(deps: TaskDeps & { now: () => number }): Operation[] {
  return [
    operation({
      name: 'codebases.create',
      method: 'POST',
      path: '/v1/agent/codebases',
      summary: 'Register a codebase.',
      description:
        'With a worker_id the codebase is registered at once. Without one the answer is 202 with a task, in which workers search for the path.',
      permission: 'codebases:write',
      body: wire.newCodebase,
      createsTask: true,
      answers: { 201: wire.codebaseAnswer, 202: wire.registrationPending },
      run: async (caller, { body, context }) => {
        const { codebase_id, worker_id, workspace_mode, name, path, description } = body;
        const request = { name, path, description, codebaseId: codebase_id, workerId: worker_id };
        const registration = await registerCodebase(
          deps,
          caller,
          { ...request, workspaceMode: workspace_mode },
          context.idempotency,
        );
        if (registration.kind === 'bound')
          return { status: 201, body: { codebase: codebaseToWire(registration.codebase) } };
        const message = 'Workers are searching for this path. The result of the task is the codebase_id.';
        return {
          status: 202,
          headers: replayHeaders(registration.replayed),
          body: { pending: true, task_id: registration.task.id, message },
        };
      },
    }),
    operation({
      name: 'codebases.list',
      method: 'GET',
      path: '/v1/agent/codebases',
      summary: 'List codebases.',
      permission: 'codebases:read',
      query: wire.codebaseQuery,
      answers: { 200: wire.codebasePage },
      run: async (caller, { query }) => {
        const page = { ...parsePage(query, 'text'), workerId: query.worker_id };
        const { codebases, next } = await listCodebases(deps, caller, page);
        return { status: 200, body: { codebases: codebases.map(codebaseToWire), next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'codebases.get',
      method: 'GET',
      path: '/v1/agent/codebases/:id',
      summary: 'Get a codebase.',
      permission: 'codebases:read',
      ...byId,
      answers: { 200: wire.codebaseAnswer },
      run: async (caller, { params }) => ({
        status: 200,
        body: { codebase: codebaseToWire(await getCodebase(deps, caller, params.id)) },
      }),
    }),
    operation({
      name: 'codebases.delete',
      method: 'DELETE',
      path: '/v1/agent/codebases/:id',
      summary: 'Unregister a codebase.',
      description: 'Deletes no files.',
      permission: 'codebases:delete',
      ...byId,
      answers: { 200: wire.codebaseAnswer },
      run: async (caller, { params }) => ({
        status: 200,
        body: { codebase: codebaseToWire(await removeCodebase(deps, caller, params.id)) },
      }),
    }),
    operation({
      name: 'codebases.trigger',
      method: 'POST',
      path: '/v1/agent/codebases/:id/trigger',
      summary: 'Start an agent in a codebase.',
      permission: 'tasks:write',
      ...byId,
      body: trigger,
      createsTask: true,
      answers: { 202: triggered },
      run: async (caller, { params, body, context }) => {
        const { prompt, agent, title, ...routing } = body;
        const sessionId = body.conversation_id ?? deps.makeId();
        const draft = draftFromBody(
          { title: title ?? firstLine(prompt), prompt, ...routing, agent_type: agent ?? routing.agent_type },
          params.id,
        );
        const { task, replayed } = await submitTask(
          deps,
          caller,
          { ...draft, conversationId: sessionId },
          context.idempotency,
        );
        const session_id = task.conversationId ?? sessionId;
        return {
          status: 202,
          headers: replayHeaders(replayed),
          body: { task_id: task.id, run_id: task.attemptId, session_id, status: task.status },
        };
      },
    }),
    ...sessionOperations(deps),
  ];
}

function sessionOperations(deps: TaskDeps): Operation[] {
  return [
    operation({
      name: 'sessions.list',
      method: 'GET',
      path: '/v1/agent/codebases/:id/sessions',
      summary: 'List the agent sessions in a codebase.',
      permission: 'sessions:read',
      ...byId,
      query: wire.sessionQuery,
      answers: { 200: wire.sessionPage },
      run: async (caller, { params, query }) => {
        const { sessions, next } = await listSessions(deps, caller, params.id, parsePage(query, 'text'), query.q);
        return { status: 200, body: { sessions: sessions.map(sessionToWire), next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'sessions.get',
      method: 'GET',
      path: '/v1/agent/codebases/:id/sessions/:sid',
      summary: 'Get a session.',
      permission: 'sessions:read',
      ...bySession,
      answers: { 200: wire.sessionAnswer },
      run: async (caller, { params }) => ({
        status: 200,
        body: { session: sessionToWire(await getSession(deps, caller, params.id, params.sid)) },
      }),
    }),
    operation({
      name: 'sessions.messages',
      method: 'GET',
      path: '/v1/agent/codebases/:id/sessions/:sid/messages',
      summary: 'List the message summaries of a session.',
      permission: 'sessions:read',
      ...bySession,
      query: z.strictObject(pageQuery),
      answers: { 200: wire.sessionMessagePage },
      run: async (caller, { params, query }) => {
        const page = parsePage(query, 'text');
        const { messages, next } = await listSessionMessages(deps, caller, params.id, params.sid, page);
        const body = {
          messages: messages.map(({ messageId, role, summary, at, toolUsage }) => ({
            message_id: messageId,
            role,
            summary,
            at,
            tool_usage: toolUsage,
          })),
          next_cursor: encodeCursor(next),
        };
        return { status: 200, body };
      },
    }),
    operation({
      name: 'sessions.resume',
      method: 'POST',
      path: '/v1/agent/codebases/:id/sessions/:sid/resume',
      summary: 'Resume a session in a new task.',
      description: 'The task joins the session’s conversation unless the request names another.',
      permission: 'tasks:write',
      ...bySession,
      body: wire.resumeRequest,
      createsTask: true,
      answers: { 201: taskAnswer },
      run: async (caller, { params, body, context }) => {
        const session = await resumeSession(deps, caller, params.id, params.sid);
        const draft = draftFromBody({ title: firstLine(body.prompt), ...body }, params.id);
        const routed = draft.targetAgent !== null || draft.targetWorkerId !== null;
        const resumed = {
          ...draft,
          conversationId: draft.conversationId ?? params.sid,
          metadata: { ...body.metadata, ...session.metadata },
          agentType: draft.agentType ?? session.agent,
          targetWorkerId: routed ? draft.targetWorkerId : session.workerId,
        };
        const { task, replayed } = await submitTask(deps, caller, resumed, context.idempotency);
        const view = await buildNewTaskView(deps, caller, task);
        const active = replayed ? await addActivity(deps, caller, view) : withoutActivity(view);
        return {
          status: 201,
          headers: replayHeaders(replayed),
          body: { task: taskToWire(active) },
        };
      },
    }),
  ];
}

function sessionToWire(session: Session): z.output<typeof wire.session> {
  return {
    session_id: session.sessionId,
    codebase_id: session.codebaseId,
    worker_id: session.workerId,
    title: session.title,
    agent: session.agent,
    started_at: session.startedAt,
    last_activity_at: session.lastActivityAt,
    message_count: session.messageCount,
    tool_usage: session.toolUsage,
    metadata: session.metadata,
  };
}

function firstLine(prompt: string): string {
  return cutText(prompt.trim().split('\n', 1)[0] ?? '', 200) || 'Task';
}
