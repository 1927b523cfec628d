// Operations on tasks: create, get, list, cancel, retry, answer, and their events, output and artifacts. choices-3.
import { z } from 'zod';
import { id } from '../../../contracts/common.ts';
import { codebaseId } from '../../../contracts/codebase.ts';
import * as wire from '../../../contracts/task.ts';
import { artifactAnswer, eventPage, eventTypes, taskEventsQuery } from '../../../contracts/event.ts';
import { answerTask } from '../../../domain/tasks/exchange/answer.ts';
import { getArtifact } from '../../../domain/tasks/artifacts.ts';
import { cancelTask } from '../../../domain/tasks/cancel.ts';
import type { TaskDeps } from '../../../domain/tasks/deps.ts';
import {
  addActivities,
  addActivity,
  viewActiveTask,
  withoutActivity,
} from '../../../domain/tasks/exchange/task-activity.ts';
import { buildNewTaskView, pageTasks } from '../../../domain/tasks/read.ts';
import { retryTask } from '../../../domain/tasks/retry.ts';
import { submitTask, type SubmitResult } from '../../../domain/tasks/submit.ts';
import { followTask, type FollowDeps, type FollowedEvent } from '../../../domain/events/follow.ts';
import { readEvents, type EventRequest } from '../../../domain/events/read-events.ts';
import type { Caller } from '../../../domain/model/access/caller.ts';
import { replayHeaders } from '../../pipeline/idempotency.ts';
import { operation, type Answer, type Operation, type SseFrame } from '../../pipeline/operation.ts';
import { invalidInput } from '../../pipeline/schema.ts';
import { artifactToWire } from './artifact-wire.ts';
import { filterFromWire, placeCursor, placePageOf } from './task-filter.ts';
import { draftFromBody, eventToWire, parseLastEventId, taskToWire } from './task-wire.ts';

const byId = { params: z.object({ id }), names: 'task' as const };

export function taskOperations(deps: TaskDeps & FollowDeps): Operation[] {
  const createdAnswerOf = async (caller: Caller, submitted: SubmitResult): Promise<Answer> => {
    const view = await buildNewTaskView(deps, caller, submitted.task);
    const active = submitted.replayed ? await addActivity(deps, caller, view) : withoutActivity(view);
    return { status: 201, headers: replayHeaders(submitted.replayed), body: { task: taskToWire(active) } };
  };
  const taskAnswerOf = async (caller: Caller, taskId: string): Promise<Answer> => {
    return { status: 200, body: { task: taskToWire(await viewActiveTask(deps, caller, taskId)) } };
  };
  return [
    operation({
      name: 'tasks.create',
      method: 'POST',
      path: '/v1/agent/tasks',
      summary: 'Create a task.',
      description: 'Without a codebase_id it stays pending with the reason no_codebase.',
      permission: 'tasks:write',
      body: wire.newTask,
      createsTask: true,
      answers: { 201: wire.taskAnswer },
      run: async (caller, { body, context }) => {
        const draft = draftFromBody(body, body.codebase_id ?? null);
        return createdAnswerOf(caller, await submitTask(deps, caller, draft, context.idempotency));
      },
    }),
    operation({
      name: 'tasks.create_in_codebase',
      method: 'POST',
      path: '/v1/agent/codebases/:id/tasks',
      summary: 'Create a task for a codebase.',
      permission: 'tasks:write',
      params: z.object({ id: codebaseId }),
      names: 'codebase',
      body: wire.newCodebaseTask,
      createsTask: true,
      answers: { 201: wire.taskAnswer },
      run: async (caller, { params, body, context }) =>
        createdAnswerOf(caller, await submitTask(deps, caller, draftFromBody(body, params.id), context.idempotency)),
    }),
    operation({
      name: 'tasks.list',
      method: 'GET',
      path: '/v1/agent/tasks',
      summary: 'List tasks, newest first or by another order.',
      description:
        'Every sort is descending. A page of rare tasks may be short and still have a next_cursor: tasks are searched in steps.',
      permission: 'tasks:read',
      query: wire.taskQuery,
      answers: { 200: wire.taskPage },
      run: async (caller, { query }) => {
        const { sort } = query;
        const filter = filterFromWire(query, '/query');
        const { tasks, next } = await pageTasks(deps, caller, filter, sort, placePageOf(query, sort));
        const active = await addActivities(deps, caller, tasks);
        return { status: 200, body: { tasks: active.map(taskToWire), next_cursor: placeCursor(next, sort) } };
      },
    }),
    operation({
      name: 'tasks.get',
      method: 'GET',
      path: '/v1/agent/tasks/:id',
      summary: 'Get a task.',
      permission: 'tasks:read',
      ...byId,
      answers: { 200: wire.taskAnswer },
      run: (caller, { params }) => taskAnswerOf(caller, params.id),
    }),
    operation({
      name: 'tasks.cancel',
      method: 'POST',
      path: '/v1/agent/tasks/:id/cancel',
      summary: 'Cancel an unfinished task.',
      description: 'Kills the agent that runs it.',
      permission: 'tasks:write',
      ...byId,
      body: wire.cancelRequest,
      answers: { 200: wire.taskAnswer },
      run: async (caller, { params, body }) => {
        const task = await cancelTask(deps, caller, params.id, { reason: body.reason });
        return taskAnswerOf(caller, task.id);
      },
    }),
    operation({
      name: 'tasks.retry',
      method: 'POST',
      path: '/v1/agent/tasks/:id/retry',
      summary: 'Retry a finished task as a new task.',
      description: 'The new task names the finished one in retry_of.',
      permission: 'tasks:write',
      ...byId,
      body: z.strictObject({}),
      createsTask: true,
      answers: { 201: wire.taskAnswer },
      run: async (caller, { params, context }) =>
        createdAnswerOf(caller, await retryTask(deps, caller, params.id, context.idempotency)),
    }),
    operation({
      name: 'tasks.input',
      method: 'POST',
      path: '/v1/agent/tasks/:id/input',
      summary: 'Answer the question of a task that needs input.',
      description: 'Takes a message, or the value of one of the options of the question.',
      permission: 'tasks:write',
      ...byId,
      body: wire.taskInput,
      answers: { 200: wire.taskAnswer },
      run: async (caller, { params, body }) => {
        const { message, option, question_id: questionId } = body;
        const task = await answerTask(deps, caller, params.id, { message, option, questionId });
        return taskAnswerOf(caller, task.id);
      },
    }),
    ...eventOperations(deps),
  ];
}

/** Operations on events and the content of artifacts. */
function eventOperations(deps: TaskDeps & FollowDeps): Operation[] {
  return [
    operation({
      name: 'tasks.events',
      method: 'GET',
      path: '/v1/agent/tasks/:id/events',
      summary: 'List or stream the events of a task.',
      description:
        'One of after, before and tail chooses the events, types narrows them. Streams with Accept: text/event-stream, resumable by Last-Event-ID.',
      permission: 'tasks:read',
      ...byId,
      query: taskEventsQuery,
      answers: { 200: eventPage },
      run: async (caller, { params, query, context }) => {
        checkEventsQuery(query, context.wantsStream);
        if (context.wantsStream) {
          const after = parseLastEventId(context.lastEventId) ?? query.after ?? 0;
          const { promise: started, resolve: onCaughtUp } = Promise.withResolvers<void>();
          const options = { after, signal: context.signal, onCaughtUp };
          return { stream: eventFrames(followTask(deps, caller, params.id, options)), started };
        }
        const page = await readEvents(deps, caller, params.id, eventRequestOf(query));
        return { status: 200, body: { events: page.events.map(eventToWire), next: page.next } };
      },
    }),
    operation({
      name: 'tasks.artifact',
      method: 'GET',
      path: '/v1/agent/tasks/:id/artifacts/:artifact_id',
      summary: 'Get an artifact with its content.',
      permission: 'tasks:read',
      params: z.object({ id, artifact_id: z.string().min(1).max(200) }),
      names: 'task',
      answers: { 200: artifactAnswer },
      run: async (caller, { params }) => {
        const { summary, ...content } = await getArtifact(deps, caller, params.id, params.artifact_id);
        return { status: 200, body: { artifact: { ...artifactToWire(summary), ...content } } };
      },
    }),
  ];
}

type EventsQuery = z.output<typeof taskEventsQuery>;

/** @throws DomainError invalid for fields that exclude each other */
function checkEventsQuery(query: EventsQuery, wantsStream: boolean): void {
  const windows = (['after', 'before', 'tail'] as const).filter((name) => query[name] !== undefined);
  const excluded = wantsStream
    ? (['before', 'tail', 'types'] as const).filter((name) => query[name] !== undefined)
    : windows.slice(1);
  const [path] = excluded;
  if (path === undefined) return;
  throw invalidInput([{ path: `/query/${path}`, message: 'cannot be combined with the rest of the request' }]);
}

function eventRequestOf({ after, before, tail, types, limit }: EventsQuery): EventRequest {
  return {
    window: tail !== undefined ? 'tail' : before !== undefined ? { before } : { after: after ?? 0 },
    types: types?.split(',').flatMap((type) => eventTypes.find((known) => known === type) ?? []),
    limit: tail ?? limit,
  };
}

async function* eventFrames(events: AsyncIterable<FollowedEvent>): AsyncGenerator<SseFrame, void, undefined> {
  for await (const event of events) {
    yield event.type === 'resync'
      ? {
          event: 'resync',
          data: { reason: 'the cursor is not in the log any more; all events follow from the start' },
        }
      : { id: String(event.seq), event: event.type, data: eventToWire(event) };
  }
}
