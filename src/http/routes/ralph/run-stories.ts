// Operations on the stories of a run, their attempts, and the learnings of the run. runs-6.1.
import { z } from 'zod';
import { id } from '../../../contracts/common.ts';
import { storyId } from '../../../contracts/ralph/run.ts';
import * as wire from '../../../contracts/ralph/story.ts';
import { editStory, removeStory, type StoryEdit } from '../../../domain/runs/change/edit-story.ts';
import type { RunDeps } from '../../../domain/runs/change/run-deps.ts';
import { listLearnings } from '../../../domain/runs/read/read-learnings.ts';
import { getAttempt, getStory, listAttempts, listStories } from '../../../domain/runs/read/read-stories.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { attemptToWire, learningToWire, storyToWire } from './story-wire.ts';

const byRun = { params: z.object({ id }), names: 'run' as const };
const byStory = { params: z.object({ id, story_id: storyId }), names: 'run' as const };

export function runStoryOperations(deps: RunDeps): Operation[] {
  return [...storyOperations(deps), ...attemptOperations(deps), learningOperation(deps)];
}

function storyOperations(deps: RunDeps): Operation[] {
  return [
    operation({
      name: 'ralph.stories',
      method: 'GET',
      path: '/v1/ralph/runs/:id/stories',
      summary: 'List the stories of a run with evidence and steps.',
      permission: 'ralph:read',
      ...byRun,
      answers: { 200: wire.storyList },
      run: async (caller, { params }) => ({
        status: 200,
        body: { stories: (await listStories(deps, caller, params.id)).map(storyToWire) },
      }),
    }),
    operation({
      name: 'ralph.story',
      method: 'GET',
      path: '/v1/ralph/runs/:id/stories/:story_id',
      summary: 'Get a story of a run.',
      permission: 'ralph:read',
      ...byStory,
      answers: { 200: wire.storyAnswer },
      run: async (caller, { params }) => ({
        status: 200,
        body: { story: storyToWire(await getStory(deps, caller, params.id, params.story_id)) },
      }),
    }),
    operation({
      name: 'ralph.change_story',
      method: 'PATCH',
      path: '/v1/ralph/runs/:id/stories/:story_id',
      summary: 'Change a pending story.',
      personOnly: true,
      permission: 'ralph:write',
      alsoRequires: 'tasks:write',
      ...byStory,
      body: wire.storyChange,
      answers: { 200: wire.storyAnswer },
      run: async (caller, { params, body }) => {
        const story = await editStory(deps, caller, params.id, params.story_id, editFromWire(body));
        return { status: 200, body: { story: storyToWire(story) } };
      },
    }),
    operation({
      name: 'ralph.remove_story',
      method: 'DELETE',
      path: '/v1/ralph/runs/:id/stories/:story_id',
      summary: 'Take a pending story out of its run.',
      personOnly: true,
      permission: 'ralph:write',
      ...byStory,
      answers: { 204: z.null() },
      run: async (caller, { params }) => {
        await removeStory(deps, caller, params.id, params.story_id);
        return { status: 204, body: null };
      },
    }),
  ];
}

function editFromWire({ allow_test_changes, checks, ...rest }: z.output<typeof wire.storyChange>): StoryEdit {
  return {
    ...withoutUndefined(rest),
    ...(allow_test_changes === undefined ? {} : { allowTestChanges: allow_test_changes }),
    ...(checks === undefined
      ? {}
      : { checks: checks.map(({ criterion = null, command }) => ({ criterion, command })) }),
  };
}

function withoutUndefined<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const kept: { [Key in keyof T]?: Exclude<T[Key], undefined> } = {};
  return Object.assign(kept, Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
}

function attemptOperations(deps: RunDeps): Operation[] {
  return [
    operation({
      name: 'ralph.attempts',
      method: 'GET',
      path: '/v1/ralph/runs/:id/stories/:story_id/attempts',
      summary: 'List the attempts of a story, void tries included.',
      permission: 'ralph:read',
      ...byStory,
      answers: { 200: wire.attemptList },
      run: async (caller, { params }) => ({
        status: 200,
        body: { attempts: (await listAttempts(deps, caller, params.id, params.story_id)).map(attemptToWire) },
      }),
    }),
    operation({
      name: 'ralph.attempt',
      method: 'GET',
      path: '/v1/ralph/runs/:id/stories/:story_id/attempts/:n',
      summary: 'Get the last try of an attempt.',
      permission: 'ralph:read',
      params: z.object({ id, story_id: storyId, n: z.int().min(1).max(1000) }),
      names: 'run',
      answers: { 200: wire.attemptAnswer },
      run: async (caller, { params }) => ({
        status: 200,
        body: { attempt: attemptToWire(await getAttempt(deps, caller, params.id, params.story_id, params.n)) },
      }),
    }),
  ];
}

function learningOperation(deps: RunDeps): Operation {
  return operation({
    name: 'ralph.learnings',
    method: 'GET',
    path: '/v1/ralph/runs/:id/learnings',
    summary: 'List what a run has learnt, newest first.',
    permission: 'ralph:read',
    ...byRun,
    query: wire.learningQuery,
    answers: { 200: wire.learningPage },
    run: async (caller, { params, query }) => {
      const filter = { storyId: query.story_id, kind: query.kind };
      const { items, next } = await listLearnings(deps, caller, params.id, filter, parsePage(query, 'uuid'));
      return { status: 200, body: { learnings: items.map(learningToWire), next_cursor: encodeCursor(next) } };
    },
  });
}
