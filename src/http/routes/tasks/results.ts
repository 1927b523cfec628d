// Operations on what the attempts of a task leave: output, attempts, artifacts, changes by file.
import { z } from 'zod';
import { artifactList } from '../../../contracts/event.ts';
import { id } from '../../../contracts/common.ts';
import * as wire from '../../../contracts/results/output.ts';
import type { Caller } from '../../../domain/model/access/caller.ts';
import type { Store } from '../../../domain/ports/store/store.ts';
import { listArtifactPage } from '../../../domain/tasks/artifacts.ts';
import { listTaskAttempts } from '../../../domain/tasks/results/attempts.ts';
import { getFileChange, listFileChanges } from '../../../domain/tasks/results/changes.ts';
import { readOutput, streamOutputText, type OutputWindow } from '../../../domain/tasks/results/read-output.ts';
import { searchOutput } from '../../../domain/tasks/results/search-output.ts';
import { operation, type Answer, type Operation } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { pieceAnswer } from '../../bindings/piece-answer.ts';
import { invalidInput } from '../../pipeline/schema.ts';
import { artifactToWire } from './artifact-wire.ts';
import { taskAttemptToWire, changeToWire } from './result-wire.ts';

interface ResultDeps {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const byId = { params: z.object({ id }), names: 'task' as const };

export function resultOperations(deps: ResultDeps): Operation[] {
  return [outputOperation(deps), ...attemptOperations(deps), ...changeOperations(deps)];
}

function outputOperation(deps: ResultDeps): Operation {
  return operation({
    name: 'tasks.output',
    method: 'GET',
    path: '/v1/agent/tasks/:id/output',
    summary: 'Get the output that the agent printed.',
    description:
      'One of after, before, tail and line chooses the pieces; q finds lines. With Accept: text/plain the text of all pieces is streamed, or that of the last ones.',
    permission: 'tasks:read',
    ...byId,
    query: wire.outputQuery,
    answers: { 200: wire.outputAnswer },
    run: (caller, { params, query, context }) => {
      const isText = /\btext\/plain\b/i.test(context.view.header('accept') ?? '');
      checkOutputQuery(query, isText);
      if (isText) return textAnswer(deps, caller, params.id, query);
      return query.q === undefined
        ? pageAnswer(deps, caller, params.id, query)
        : hitsAnswer(deps, caller, params.id, { ...query, q: query.q });
    },
  });
}

type OutputQuery = z.output<typeof wire.outputQuery>;

/** @throws DomainError invalid for fields that exclude each other */
function checkOutputQuery(query: OutputQuery, isText: boolean): void {
  const windows = (['after', 'before', 'tail', 'line'] as const).filter((name) => query[name] !== undefined);
  const excluded = [
    ...windows.slice(1),
    ...(query.q === undefined && !isText ? [] : windows.filter((name) => name === 'before' || name === 'line')),
    ...(query.q === undefined ? [] : windows.filter((name) => name === 'tail')),
    ...(query.q !== undefined && isText ? ['q'] : []),
  ];
  const [path] = excluded;
  if (path === undefined) return;
  throw invalidInput([{ path: `/query/${path}`, message: 'cannot be combined with the rest of the request' }]);
}

function windowOf({ after, before, tail, line }: OutputQuery): OutputWindow {
  if (tail !== undefined) return 'tail';
  if (before !== undefined) return { before };
  return line === undefined ? { after: after ?? 0 } : { line };
}

async function pageAnswer({ store }: ResultDeps, caller: Caller, taskId: string, query: OutputQuery): Promise<Answer> {
  const page = await readOutput({ store }, caller, taskId, {
    window: windowOf(query),
    attemptId: query.run_id,
    limit: query.tail ?? query.limit,
  });
  const output = page.output.map(({ seq, stream, text }) => ({ seq, stream, text }));
  return { status: 200, body: { task_id: taskId, output, next: page.next, first_line: page.firstLine } };
}

async function hitsAnswer(
  { store }: ResultDeps,
  caller: Caller,
  taskId: string,
  query: OutputQuery & { readonly q: string },
): Promise<Answer> {
  const { hits, next, firstLine } = await searchOutput({ store }, caller, taskId, {
    text: query.q,
    after: query.after ?? 0,
    attemptId: query.run_id,
    limit: query.limit,
  });
  return { status: 200, body: { task_id: taskId, hits, next, first_line: firstLine } };
}

function textAnswer(deps: ResultDeps, caller: Caller, taskId: string, query: OutputQuery): Promise<Answer> {
  const request = { after: query.after ?? 0, attemptId: query.run_id, tail: query.tail };
  return pieceAnswer(streamOutputText(deps, caller, taskId, request), {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
}

function attemptOperations(deps: ResultDeps): Operation[] {
  return [
    operation({
      name: 'tasks.attempts',
      method: 'GET',
      path: '/v1/agent/tasks/:id/attempts',
      summary: 'List the attempts of a task, oldest first.',
      description: 'There is one for each claim. The outcome is the status that ended it, or lease_lost.',
      permission: 'tasks:read',
      ...byId,
      answers: { 200: wire.taskAttemptList },
      run: async (caller, { params }) => {
        const attempts = await listTaskAttempts(deps, caller, params.id);
        return { status: 200, body: { attempts: attempts.map(taskAttemptToWire) } };
      },
    }),
    operation({
      name: 'tasks.artifacts',
      method: 'GET',
      path: '/v1/agent/tasks/:id/artifacts',
      summary: 'List the artifacts of a task, oldest first.',
      description: 'run_id limits the list to one attempt.',
      permission: 'tasks:read',
      ...byId,
      query: wire.artifactQuery,
      answers: { 200: artifactList },
      run: async (caller, { params, query }) => {
        const page = { ...parsePage(query, 'number'), attemptId: query.run_id };
        const { items, next } = await listArtifactPage(deps, caller, params.id, page);
        return { status: 200, body: { artifacts: items.map(artifactToWire), next_cursor: encodeCursor(next) } };
      },
    }),
  ];
}

function changeOperations(deps: ResultDeps): Operation[] {
  return [
    operation({
      name: 'tasks.changes',
      method: 'GET',
      path: '/v1/agent/tasks/:id/changes',
      summary: 'List the files that a task changed.',
      description:
        'Files follow the order of the newest diff; without a diff the list is empty. Equal changes have an equal hash.',
      permission: 'tasks:read',
      ...byId,
      query: wire.changesQuery,
      answers: { 200: wire.changeList },
      run: async (caller, { params, query }) => {
        const files = await listFileChanges(deps, caller, params.id, query.run_id);
        return { status: 200, body: { files: files.map(changeToWire) } };
      },
    }),
    operation({
      name: 'tasks.file_change',
      method: 'GET',
      path: '/v1/agent/tasks/:id/changes/file',
      summary: 'Get the patch of one file that a task changed.',
      permission: 'tasks:read',
      ...byId,
      query: wire.fileChangeQuery,
      mediaType: 'text/x-diff',
      answers: { 200: z.string() },
      run: async (caller, { params, query }) => {
        const wanted = { path: query.path, attemptId: query.run_id };
        const patch = await getFileChange(deps, caller, params.id, wanted);
        return pieceAnswer(onePatch(patch), { 'content-type': 'text/x-diff; charset=utf-8' });
      },
    }),
  ];
}

// An async generator, because pieces are asynchronous; bytes, because a file may have another encoding than UTF-8.
// oxlint-disable-next-line typescript/require-await
async function* onePatch(patch: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield patch;
}
