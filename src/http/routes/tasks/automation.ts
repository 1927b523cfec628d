// Operations on tasks for no-code platforms, scripts and other services. core-4.6.
import { z } from 'zod';
import * as wire from '../../../contracts/automation.ts';
import { id } from '../../../contracts/common.ts';
import { answerTask } from '../../../domain/tasks/exchange/answer.ts';
import { listTasksWithQuestions, viewTaskWithQuestion } from '../../../domain/tasks/exchange/task-questions.ts';
import { cancelTask } from '../../../domain/tasks/cancel.ts';
import type { TaskDeps } from '../../../domain/tasks/deps.ts';
import { submitTask } from '../../../domain/tasks/submit.ts';
import { replayHeaders } from '../../pipeline/idempotency.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { statusToAutomation, automationTaskToWire, statusFromAutomation } from './automation-wire.ts';
import { draftFromBody } from './task-wire.ts';

const byId = { params: z.object({ id }), names: 'task' as const };

/** @param models the catalogue of models, as `provider:model` */
export function automationOperations(deps: TaskDeps, models: readonly [string, ...string[]]): Operation[] {
  return [...createOperations(deps, models), ...readOperations(deps, models), ...changeOperations(deps)].map((row) => ({
    ...row,
    rateLimited: true,
  }));
}

function createOperations(deps: TaskDeps, models: readonly [string, ...string[]]): Operation[] {
  return [
    operation({
      name: 'automation.create',
      method: 'POST',
      path: '/v1/automation/tasks',
      summary: 'Create a task.',
      description: 'Without a codebase_id the task runs in the codebase global.',
      permission: 'automation:write',
      body: wire.newAutomationTask(models),
      createsTask: true,
      answers: { 201: wire.automationCreated },
      run: async (caller, { body, context }) => {
        const { description, codebase_id, ...rest } = body;
        const draft = draftFromBody({ prompt: description, ...rest }, codebase_id ?? 'global');
        const { task, replayed } = await submitTask(deps, caller, draft, context.idempotency);
        const { id: task_id, attemptId: run_id, title, createdAt: created_at } = task;
        return {
          status: 201,
          headers: replayHeaders(replayed),
          body: { task_id, run_id, status: statusToAutomation(task.status), title, created_at },
        };
      },
    }),
  ];
}

function readOperations(deps: TaskDeps, models: readonly string[]): Operation[] {
  return [
    operation({
      name: 'automation.list',
      method: 'GET',
      path: '/v1/automation/tasks',
      summary: 'List tasks, newest first.',
      permission: 'automation:read',
      query: wire.automationQuery,
      answers: { 200: wire.automationPage },
      run: async (caller, { query }) => {
        const filter = {
          status: query.status === undefined ? undefined : statusFromAutomation(query.status),
          codebaseId: query.codebase_id,
          agentType: query.agent_type,
          text: query.q,
          createdAfter: query.created_after,
        };
        const { tasks, next } = await listTasksWithQuestions(deps, caller, filter, parsePage(query, 'uuid'));
        return { status: 200, body: { tasks: tasks.map(automationTaskToWire), next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'automation.get',
      method: 'GET',
      path: '/v1/automation/tasks/:id',
      summary: 'Get a task with its status, result or question.',
      permission: 'automation:read',
      ...byId,
      answers: { 200: wire.automationTask },
      run: async (caller, { params }) => ({
        status: 200,
        body: automationTaskToWire(await viewTaskWithQuestion(deps, caller, params.id)),
      }),
    }),
    operation({
      name: 'automation.models',
      method: 'GET',
      path: '/v1/automation/models',
      summary: 'List the models that a task may name.',
      permission: 'automation:read',
      answers: { 200: wire.automationModels },
      run: () => Promise.resolve({ status: 200, body: { models: models.map((model) => ({ id: model })) } }),
    }),
    operation({
      name: 'automation.me',
      method: 'GET',
      path: '/v1/automation/me',
      summary: 'Get the identity of this credential.',
      permission: 'any_credential',
      answers: { 200: wire.automationMe },
      run: (caller) =>
        Promise.resolve({
          status: 200,
          body: {
            subject: caller.subject,
            name: caller.name,
            tenant_id: caller.tenantId,
            roles: [...caller.roles],
            scopes: caller.scopes === undefined ? null : [...caller.scopes],
            credential: caller.credential,
          },
        }),
    }),
  ];
}

function changeOperations(deps: TaskDeps): Operation[] {
  return [
    operation({
      name: 'automation.cancel',
      method: 'DELETE',
      path: '/v1/automation/tasks/:id',
      summary: 'Cancel an unfinished task.',
      description: 'Cancelling the task of another caller also needs automation:delete.',
      permission: 'automation:write',
      ...byId,
      answers: { 200: wire.automationCancelled },
      run: async (caller, { params }) => {
        const task = await cancelTask(deps, caller, params.id, { othersDemand: 'automation:delete' });
        return { status: 200, body: { task_id: task.id, status: statusToAutomation(task.status) } };
      },
    }),
    operation({
      name: 'automation.input',
      method: 'POST',
      path: '/v1/automation/tasks/:id/input',
      summary: 'Answer the question of a task that needs input.',
      permission: 'automation:write',
      ...byId,
      body: wire.automationInput,
      answers: { 200: wire.automationTask },
      run: async (caller, { params, body }) => {
        const task = await answerTask(deps, caller, params.id, body);
        return { status: 200, body: automationTaskToWire(await viewTaskWithQuestion(deps, caller, task.id)) };
      },
    }),
  ];
}
