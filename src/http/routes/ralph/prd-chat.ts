// Operations on PRD chats: sessions, messages, versions, and runs that start from them. runs-13.
import { z } from 'zod';
import { createdRun } from '../../../contracts/ralph/create-run.ts';
import * as wire from '../../../contracts/ralph/prd-chat.ts';
import type { FollowDeps } from '../../../domain/events/follow.ts';
import type { PrdChatDeps } from '../../../domain/prd/chat/chat-deps.ts';
import { putPrd, restorePrdVersion } from '../../../domain/prd/chat/edit-version.ts';
import { followPrdSession } from '../../../domain/prd/chat/follow-session.ts';
import { sendPrdMessage } from '../../../domain/prd/chat/send-message.ts';
import {
  createPrdSession,
  deletePrdSession,
  getPrdSession,
  getPrdVersion,
  listPrdSessions,
  listPrdTurns,
  listPrdVersions,
} from '../../../domain/prd/chat/sessions.ts';
import { answerToMessage } from '../../../domain/prd/chat/answer-to-message.ts';
import { toStoredDocument } from '../../../domain/prd/chat/turn/stored-document.ts';
import { importPrd } from '../../../domain/prd/import/import-prd.ts';
import { toPrdDocument } from '../../../domain/prd/render.ts';
import { createRun } from '../../../domain/runs/change/create-run.ts';
import type { RunDeps } from '../../../domain/runs/change/run-deps.ts';
import { replayHeaders } from '../../pipeline/idempotency.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { invalidInput } from '../../pipeline/schema.ts';
import {
  parsePrdEventId,
  prdAnswerToWire,
  prdChatFrames,
  prdSessionToWire,
  prdTurnToWire,
  prdVersionSummaryToWire,
  prdVersionToWire,
} from './prd-chat-wire.ts';
import { choicesFromWire } from './run-wire.ts';
import { creationAnswer } from './runs.ts';

export type PrdChatRouteDeps = PrdChatDeps & FollowDeps & RunDeps;

const byId = { params: wire.prdSessionParams, names: 'prd_session' as const };
const base = '/v1/ralph/prd/sessions';

export function prdChatOperations(deps: PrdChatRouteDeps): Operation[] {
  return [...sessionOperations(deps), ...messageOperations(deps), ...versionOperations(deps)];
}

function sessionOperations(deps: PrdChatRouteDeps): Operation[] {
  return [
    operation({
      name: 'prd.create',
      method: 'POST',
      path: base,
      summary: 'Create a PRD chat.',
      description: 'Its first version is prd, or what import makes of the documents of another tool.',
      permission: 'ralph:write',
      body: wire.newPrdSession,
      largeBody: true,
      answers: { 201: wire.prdSessionCreated },
      run: async (caller, { body }) => {
        if (body.import !== undefined && body.prd !== undefined)
          throw invalidInput([{ path: '/prd', message: 'cannot be combined with import: give one' }]);
        const imported = body.import === undefined ? undefined : importPrd(body.import.format, body.import.files);
        const stored = body.prd === undefined ? undefined : toStoredDocument(body.prd);
        const given = imported === undefined ? stored : toPrdDocument(imported.prd);
        const author = imported === undefined ? ('user' as const) : ('import' as const);
        const { session, warnings } = await createPrdSession(deps, caller, {
          codebaseId: body.codebase_id ?? null,
          title: body.title ?? '',
          document: given === undefined ? undefined : { content: given, author },
        });
        const all = [...(imported?.warnings ?? []), ...warnings];
        return { status: 201, body: { session: prdSessionToWire(session), warnings: all } };
      },
    }),
    operation({
      name: 'prd.list',
      method: 'GET',
      path: base,
      summary: 'List PRD chats, newest first.',
      permission: 'ralph:read',
      query: wire.prdSessionQuery,
      answers: { 200: wire.prdSessionPage },
      run: async (caller, { query }) => {
        const page = { ...parsePage(query, 'uuid'), codebaseId: query.codebase_id };
        const { sessions, next } = await listPrdSessions(deps, caller, page);
        return { status: 200, body: { sessions: sessions.map(prdSessionToWire), next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'prd.get',
      method: 'GET',
      path: `${base}/:id`,
      summary: 'Get a PRD chat.',
      permission: 'ralph:read',
      ...byId,
      answers: { 200: wire.prdSessionAnswer },
      run: async (caller, { params }) => {
        const session = prdSessionToWire(await getPrdSession(deps, caller, params.id));
        return { status: 200, body: { session } };
      },
    }),
    operation({
      name: 'prd.delete',
      method: 'DELETE',
      path: `${base}/:id`,
      summary: 'Delete a PRD chat with its versions.',
      description: 'Runs that started from it stay.',
      permission: 'ralph:delete',
      ...byId,
      answers: { 204: z.null() },
      run: async (caller, { params }) => {
        await deletePrdSession(deps, caller, params.id);
        return { status: 204, body: null };
      },
    }),
  ];
}

function messageOperations(deps: PrdChatRouteDeps): Operation[] {
  return [
    operation({
      name: 'prd.message',
      method: 'POST',
      path: `${base}/:id/messages`,
      summary: 'Send a message to the assistant of a PRD chat.',
      description:
        'Waits 60 seconds for the answer, then answers 202. Streams the answer with Accept: text/event-stream.',
      permission: 'ralph:write',
      alsoRequires: 'tasks:write',
      ...byId,
      body: wire.prdMessage,
      largeBody: true,
      createsTask: true,
      answers: { 200: wire.prdTurnAnswer, 202: wire.prdTurnAnswer },
      run: async (caller, { params, body, context }) => {
        // Before the message is stored: after a rejection the caller could not know of it.
        context.countAsStream();
        const message = { text: body.message, attachments: body.attachments };
        const sent = await sendPrdMessage(deps, caller, {
          sessionId: params.id,
          message,
          idempotency: context.idempotency,
        });
        const headers = replayHeaders(sent.replayed);
        if (context.wantsStream) {
          const events = followPrdSession(deps, caller, params.id, { turn: sent.n, seq: -1 }, context.signal);
          return { stream: prdChatFrames(events), headers };
        }
        const answer = await context.awaitExternal(() => answerToMessage(deps, caller, sent, context.signal));
        const status = answer.turn.status === 'answering' ? 202 : 200;
        return { status, headers, body: prdAnswerToWire(answer) };
      },
    }),
    operation({
      name: 'prd.turns',
      method: 'GET',
      path: `${base}/:id/turns`,
      summary: 'List the turns of a PRD chat.',
      permission: 'ralph:read',
      ...byId,
      answers: { 200: wire.prdTurnList },
      run: async (caller, { params }) => {
        const turns = await listPrdTurns(deps, caller, params.id);
        return { status: 200, body: { turns: turns.map(prdTurnToWire) } };
      },
    }),
    operation({
      name: 'prd.events',
      method: 'GET',
      path: `${base}/:id/events`,
      summary: 'Stream the answers of a PRD chat.',
      description: 'Resumable by Last-Event-ID or after. The stream ends when no answer is under way.',
      permission: 'ralph:read',
      ...byId,
      query: z.strictObject({ after: z.string().max(40).optional() }),
      answers: {},
      run: (caller, { params, query, context }) => {
        const after = parsePrdEventId(context.lastEventId ?? query.after);
        const events = followPrdSession(deps, caller, params.id, after, context.signal);
        return Promise.resolve({ stream: prdChatFrames(events) });
      },
    }),
  ];
}

function versionOperations(deps: PrdChatRouteDeps): Operation[] {
  return [
    operation({
      name: 'prd.versions',
      method: 'GET',
      path: `${base}/:id/versions`,
      summary: 'List the versions of a PRD, newest first.',
      permission: 'ralph:read',
      ...byId,
      answers: { 200: wire.prdVersionList },
      run: async (caller, { params }) => {
        const versions = await listPrdVersions(deps, caller, params.id);
        return { status: 200, body: { versions: versions.map(prdVersionSummaryToWire) } };
      },
    }),
    operation({
      name: 'prd.version',
      method: 'GET',
      path: `${base}/:id/versions/:n`,
      summary: 'Get one version of a PRD.',
      permission: 'ralph:read',
      params: wire.prdVersionParams,
      names: 'prd_session',
      answers: { 200: wire.prdVersionAnswer },
      run: async (caller, { params }) => {
        const version = await getPrdVersion(deps, caller, params.id, params.n);
        return { status: 200, body: { version: prdVersionToWire(version) } };
      },
    }),
    operation({
      name: 'prd.put',
      method: 'PUT',
      path: `${base}/:id/prd`,
      summary: 'Store a changed PRD as the next version.',
      permission: 'ralph:write',
      ...byId,
      body: wire.putPrdRequest,
      largeBody: true,
      answers: { 200: wire.prdVersionAnswer },
      run: async (caller, { params, body }) => {
        const edit = { prd: body.prd, baseVersion: body.base_version };
        return { status: 200, body: { version: prdVersionToWire(await putPrd(deps, caller, params.id, edit)) } };
      },
    }),
    operation({
      name: 'prd.restore',
      method: 'POST',
      path: `${base}/:id/versions/:n/restore`,
      summary: 'Store an earlier version of a PRD as the newest.',
      permission: 'ralph:write',
      params: wire.prdVersionParams,
      names: 'prd_session',
      answers: { 200: wire.prdVersionAnswer },
      run: async (caller, { params }) => {
        const version = await restorePrdVersion(deps, caller, params.id, params.n);
        return { status: 200, body: { version: prdVersionToWire(version) } };
      },
    }),
    operation({
      name: 'prd.run',
      method: 'POST',
      path: `${base}/:id/runs`,
      summary: 'Start an autonomous run from a version of a PRD.',
      permission: 'ralph:write',
      alsoRequires: 'tasks:write',
      ...byId,
      body: wire.runOfSession,
      createsTask: true,
      answers: { 201: createdRun },
      run: async (caller, { params, body, context }) => {
        const { codebase_id, version, ...options } = body;
        const session = await getPrdSession(deps, caller, params.id);
        const { document, version: used } = await getPrdVersion(deps, caller, session.id, version);
        const request = {
          codebaseId: codebase_id ?? session.codebaseId ?? undefined,
          prd: document,
          choices: choicesFromWire(options),
          idempotency: context.idempotency,
          prdSession: { id: session.id, version: used },
        };
        return creationAnswer(await createRun(deps, caller, request));
      },
    }),
  ];
}
