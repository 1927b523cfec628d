// Operations on reviews of a task's changes: the caller's draft, and the follow-up that sends it.
import { z } from 'zod';
import { id } from '../../../contracts/common.ts';
import { followUpRequest, reviewAnswer, reviewDraft } from '../../../contracts/results/review.ts';
import { taskAnswer } from '../../../contracts/task.ts';
import type { ReviewDraft } from '../../../domain/ports/task-results.ts';
import { followUpTask } from '../../../domain/reviews/follow-up.ts';
import { getReview, saveReview } from '../../../domain/reviews/review.ts';
import type { TaskDeps } from '../../../domain/tasks/deps.ts';
import { buildNewTaskView } from '../../../domain/tasks/read.ts';
import { addActivity, withoutActivity } from '../../../domain/tasks/exchange/task-activity.ts';
import { replayHeaders } from '../../pipeline/idempotency.ts';
import { operation, type Answer, type Operation } from '../../pipeline/operation.ts';
import { taskToWire } from './task-wire.ts';

const byId = { params: z.object({ id }), names: 'task' as const };

export function reviewOperations(deps: TaskDeps): Operation[] {
  return [
    operation({
      name: 'tasks.get_review',
      method: 'GET',
      path: '/v1/agent/tasks/:id/review',
      summary: 'Get your draft of a review of a task.',
      description: 'Before you save one, it is empty. Nobody else sees it.',
      permission: 'tasks:read',
      ...byId,
      answers: { 200: reviewAnswer },
      run: async (caller, { params }) => answerOf(await getReview(deps, caller, params.id)),
    }),
    operation({
      name: 'tasks.save_review',
      method: 'PUT',
      path: '/v1/agent/tasks/:id/review',
      summary: 'Save your draft of a review of a task.',
      description: 'It replaces the earlier draft and has at most 256 KiB. A follow-up drops it.',
      permission: 'tasks:write',
      ...byId,
      body: reviewDraft,
      answers: { 200: reviewAnswer },
      run: async (caller, { params, body }) =>
        answerOf(await saveReview(deps, caller, params.id, { comments: body.comments, viewed: body.viewed ?? [] })),
    }),
    operation({
      name: 'tasks.follow_up',
      method: 'POST',
      path: '/v1/agent/tasks/:id/follow-up',
      summary: 'Send the comments of a review to the agent.',
      description:
        'Creates a task on the branch of the reviewed one, in its conversation, with the agent’s session where it can be resumed. It needs a message or a comment.',
      permission: 'tasks:write',
      ...byId,
      body: followUpRequest,
      createsTask: true,
      answers: { 201: taskAnswer },
      run: async (caller, { params, body, context }) => {
        const request = { message: body.message, comments: body.comments, agent: body.agent, workerId: body.worker };
        const { task, replayed } = await followUpTask(deps, caller, params.id, request, context.idempotency);
        const view = await buildNewTaskView(deps, caller, task);
        const active = replayed ? await addActivity(deps, caller, view) : withoutActivity(view);
        return { status: 201, headers: replayHeaders(replayed), body: { task: taskToWire(active) } };
      },
    }),
  ];
}

function answerOf(draft: ReviewDraft | undefined): Answer {
  const { comments = [], viewed = [], updatedAt = null } = draft ?? {};
  return { status: 200, body: { review: { comments, viewed, updated_at: updatedAt } } };
}
