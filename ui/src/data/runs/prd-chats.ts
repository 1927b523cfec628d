// Reads and actions of PRD chats: sessions, their turns, the current PRD with its weak places.
import { queryOptions } from '@tanstack/react-query';
import type { operations } from '../../../../src/client/api.ts';
import { api, dataOf } from '../../api/api.ts';
import type { AnswerOf } from '../../api/answer-of.ts';
import { queryClient } from '../../api/query-client.ts';
import { requireOnline } from '../tasks/task-actions.ts';

export type PrdChat = AnswerOf<'prd.get'>['session'];
export type PrdTurn = AnswerOf<'prd.turns'>['turns'][number];
export type Finding = AnswerOf<'ralph.lint'>['errors'][number];
export type Lint = AnswerOf<'ralph.lint'>;
type NewChat = NonNullable<operations['prd.create']['requestBody']>['content']['application/json'];

const longestList = 50;
/** An answer under way is looked for this often. */
const answerMs = 1_500;

export function chatsQuery() {
  return queryOptions({
    queryKey: ['prd-chats'],
    queryFn: async () =>
      (await dataOf(api().GET('/v1/ralph/prd/sessions', { params: { query: { limit: longestList } } }))).sessions,
  });
}

export function chatQuery(id: string) {
  return queryOptions({
    queryKey: ['prd-chat', id],
    queryFn: async () => (await dataOf(api().GET('/v1/ralph/prd/sessions/{id}', { params: { path: { id } } }))).session,
    refetchInterval: ({ state }) => (state.data?.status === 'answering' ? answerMs : false),
  });
}

/** @param status of the chat: while it answers, the turns are read again */
export function turnsQuery(id: string, status: PrdChat['status']) {
  return queryOptions({
    queryKey: ['prd-chat', id, 'turns'],
    queryFn: async () =>
      (await dataOf(api().GET('/v1/ralph/prd/sessions/{id}/turns', { params: { path: { id } } }))).turns,
    refetchInterval: status === 'answering' ? answerMs : false,
  });
}

/** The PRD of a version; version 0 has none. */
export function versionQuery(id: string, n: number) {
  return queryOptions({
    queryKey: ['prd-version', id, n],
    queryFn: async () => {
      const params = { path: { id, n } };
      return (await dataOf(api().GET('/v1/ralph/prd/sessions/{id}/versions/{n}', { params }))).version;
    },
    enabled: n > 0,
    staleTime: Infinity,
  });
}

/** @returns the id of the chat */
export async function createChat(body: NewChat): Promise<string> {
  requireOnline();
  const { session } = await dataOf(api().POST('/v1/ralph/prd/sessions', { body }));
  await queryClient.invalidateQueries({ queryKey: ['prd-chats'] });
  return session.id;
}

/** Any text is accepted: the answer says whether a run can take it, and lists its weak places. */
export async function lintPrd(prd: unknown): Promise<Lint> {
  requireOnline();
  return dataOf(api().POST('/v1/ralph/lint', { body: { prd } }));
}

/** Sends a message; the service waits up to a minute for the answer. */
export async function sendToChat(id: string, message: string, key: string): Promise<void> {
  requireOnline();
  const params = { path: { id }, header: { 'Idempotency-Key': key } };
  try {
    const sent = dataOf(api().POST('/v1/ralph/prd/sessions/{id}/messages', { params, body: { message } }));
    const shown = setTimeout(() => void refreshChat(id), answerMs / 3);
    await sent.finally(() => clearTimeout(shown));
  } finally {
    await refreshChat(id);
  }
}

/** Stores the PRD that a person wrote. @param base_version the version that it was written from */
export async function putPrd(id: string, prd: string, base_version: number): Promise<void> {
  requireOnline();
  await dataOf(api().PUT('/v1/ralph/prd/sessions/{id}/prd', { params: { path: { id } }, body: { prd, base_version } }));
  await refreshChat(id);
}

/** @returns the id of the run that the current PRD became */
export async function startRunOfChat(id: string, codebase_id: string | undefined, key: string): Promise<string> {
  requireOnline();
  const params = { path: { id }, header: { 'Idempotency-Key': key } };
  const body = codebase_id === undefined ? {} : { codebase_id };
  const { run_id } = await dataOf(api().POST('/v1/ralph/prd/sessions/{id}/runs', { params, body }));
  await queryClient.invalidateQueries({ queryKey: ['runs'] });
  return run_id;
}

async function refreshChat(id: string): Promise<void> {
  await Promise.all([['prd-chat', id], ['prd-chats']].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
