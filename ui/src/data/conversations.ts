// Conversations: their list, their messages, and the tasks that they lie over.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../api/api.ts';
import type { AnswerOf } from '../api/answer-of.ts';
import { ApiError } from '../api/api-error.ts';
import type { Task } from './tasks/tasks.ts';

export type Message = AnswerOf<'monitor.messages'>['messages'][number];

const threadPage = 50;
const messagePage = 100;
const taskPage = 100;

export function threadsQuery() {
  return infiniteQueryOptions({
    queryKey: ['threads', 'list'],
    initialPageParam: '',
    queryFn: async ({ pageParam }) => {
      const query = { limit: threadPage, cursor: pageParam || undefined };
      return dataOf(api().GET('/v1/monitor/threads', { params: { query } }));
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
}

/** Newest first. @param filter words that the messages hold, or the conversation that they are of */
export function messagesQuery(filter: { readonly q?: string; readonly conversation_id?: string }) {
  return infiniteQueryOptions({
    queryKey: ['threads', 'messages', filter],
    initialPageParam: '',
    queryFn: async ({ pageParam }) => {
      const query = { ...filter, limit: messagePage, cursor: pageParam || undefined };
      return dataOf(api().GET('/v1/monitor/messages', { params: { query } }));
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
}

/** The tasks of a conversation, newest first. A task without a conversation is one of its own, whose id is the task's. */
export function conversationTasksQuery(id: string) {
  return queryOptions({
    queryKey: ['tasks', 'conversation', id],
    queryFn: async (): Promise<readonly Task[]> => {
      const query = { conversation_id: id, limit: taskPage };
      const { tasks } = await dataOf(api().GET('/v1/agent/tasks', { params: { query } }));
      return tasks.length > 0 ? tasks : ownTask(id);
    },
    refetchInterval: 10_000,
  });
}

async function ownTask(id: string): Promise<readonly Task[]> {
  try {
    const { task } = await dataOf(api().GET('/v1/agent/tasks/{id}', { params: { path: { id } } }));
    return [task];
  } catch (error) {
    if (error instanceof ApiError && [400, 404].includes(error.status)) return [];
    throw error;
  }
}
