// Reads of autonomous runs and their stories, as the pages share them.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/api.ts';
import type { AnswerOf } from '../../api/answer-of.ts';
import { ApiError } from '../../api/api-error.ts';

type RunWire = AnswerOf<'ralph.get'>['run'];
/** A question never answers itself: `expires` is always null, and the client's types leave such a member out. */
export type RunQuestion = Omit<RunWire['questions'][number], 'expires'>;
export type Run = Omit<RunWire, 'questions'> & { readonly questions: readonly RunQuestion[] };
export type StoryResult = Run['story_results'][number];
export type Criterion = StoryResult['criteria'][number];
export type Story = AnswerOf<'ralph.story'>['story'];
export type Evidence = Story['evidence'][number];
export type RunStep = Story['steps'][number];
export type StoryAttempt = AnswerOf<'ralph.attempts'>['attempts'][number];

const pageSize = 50;
/** Last lines of agents are no events: they are read again this often while somebody looks at a run. */
const lastLineMs = 3_000;

export interface RunFilter {
  readonly status?: Run['status'] | undefined;
  readonly q?: string | undefined;
}

export function runsQuery(filter: RunFilter) {
  return infiniteQueryOptions({
    queryKey: ['runs', 'list', filter],
    queryFn: async ({ pageParam }) => {
      const query = { ...filter, limit: pageSize, ...(pageParam !== undefined && { cursor: pageParam }) };
      const page = await dataOf(api().GET('/v1/ralph/runs', { params: { query } }));
      return { ...page, isOff: 'enabled' in page && page.enabled === false };
    },
    initialPageParam: firstPage(),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}

function firstPage(): string | undefined {
  return undefined;
}

export function runQuery(id: string) {
  return queryOptions({
    queryKey: ['runs', id],
    queryFn: async () => (await dataOf(api().GET('/v1/ralph/runs/{id}', { params: { path: { id } } }))).run,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? lastLineMs : false),
  });
}

/** The stories with what they depend on; a change of a story alone changes that. */
export function storiesQuery(id: string) {
  return queryOptions({
    queryKey: ['run-stories', id],
    queryFn: async () => (await dataOf(api().GET('/v1/ralph/runs/{id}/stories', { params: { path: { id } } }))).stories,
    staleTime: 60_000,
  });
}

export function storyQuery(id: string, story_id: string) {
  return queryOptions({
    queryKey: ['runs', id, 'story', story_id],
    queryFn: async () => {
      const params = { path: { id, story_id } };
      return (await dataOf(api().GET('/v1/ralph/runs/{id}/stories/{story_id}', { params }))).story;
    },
  });
}

export function storyAttemptsQuery(id: string, story_id: string) {
  return queryOptions({
    queryKey: ['runs', id, 'story', story_id, 'attempts'],
    queryFn: async () => {
      const params = { path: { id, story_id } };
      return (await dataOf(api().GET('/v1/ralph/runs/{id}/stories/{story_id}/attempts', { params }))).attempts;
    },
  });
}

export function learningsQuery(id: string, story_id: string) {
  return queryOptions({
    queryKey: ['runs', id, 'story', story_id, 'learnings'],
    queryFn: async () => {
      const params = { path: { id }, query: { story_id, limit: pageSize } };
      return (await dataOf(api().GET('/v1/ralph/runs/{id}/learnings', { params }))).learnings;
    },
  });
}

export function storyDiffQuery(id: string, story_id: string) {
  return queryOptions({
    queryKey: ['runs', id, 'story', story_id, 'diff'],
    queryFn: async (): Promise<string> => {
      const params = { path: { id }, query: { story_id } };
      const { data, response } = await api().GET('/v1/ralph/runs/{id}/diff', { params, parseAs: 'text' });
      // The patch of a story without a change is empty, which is an answer.
      if (response.ok) return typeof data === 'string' ? data : '';
      throw new ApiError(response, undefined);
    },
  });
}

export function isRunEnded({ status }: Pick<Run, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
