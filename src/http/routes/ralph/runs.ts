// Operations on runs: create, list, read, steer, answer, retry and delete. runs-6.1.
import { z } from 'zod';
import { id } from '../../../contracts/common.ts';
import * as wire from '../../../contracts/ralph/create-run.ts';
import { runAnswer, runPage, runQuery } from '../../../contracts/ralph/run.ts';
import * as changes from '../../../contracts/ralph/run-changes.ts';
import { answerRun } from '../../../domain/runs/change/answer-run.ts';
import { createRun, describeCreation } from '../../../domain/runs/change/create-run.ts';
import { deleteRun } from '../../../domain/runs/change/delete-run.ts';
import { guideRun } from '../../../domain/runs/change/guide-run.ts';
import type { CreatedRun } from '../../../domain/runs/change/insert-run.ts';
import { retryRun } from '../../../domain/runs/change/retry-run.ts';
import type { RunDeps } from '../../../domain/runs/change/run-deps.ts';
import { cancelRun, commitRun, pauseRun, resumeRun } from '../../../domain/runs/change/steer-run.ts';
import { getRun, listRuns } from '../../../domain/runs/read/read-run.ts';
import type { RunView } from '../../../domain/runs/read/run-view.ts';
import { replayHeaders } from '../../pipeline/idempotency.ts';
import { operation, type Answer, type Operation } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { agentsFromWire, choicesFromWire, runToWire, warningToWire } from './run-wire.ts';

const byId = { params: z.object({ id }), names: 'run' as const };

export function runOperations(deps: RunDeps): Operation[] {
  return [...creationOperations(deps), ...readOperations(deps), ...steeringOperations(deps)];
}

function creationOperations(deps: RunDeps): Operation[] {
  return [
    operation({
      name: 'ralph.create',
      method: 'POST',
      path: '/v1/ralph/runs',
      summary: 'Create an autonomous run over the stories of a PRD.',
      description: 'The body may be YAML. Gates and set-up of the PRD are commands that a worker executes.',
      permission: 'ralph:write',
      alsoRequires: 'tasks:write',
      body: wire.newRun,
      acceptsYaml: true,
      largeBody: true,
      createsTask: true,
      answers: { 201: wire.createdRun },
      run: async (caller, { body, context }) => {
        const { codebase_id, prd, ...options } = body;
        const choices = choicesFromWire(options);
        const { idempotency } = context;
        return creationAnswer(await createRun(deps, caller, { codebaseId: codebase_id, prd, choices, idempotency }));
      },
    }),
    operation({
      name: 'ralph.retry',
      method: 'POST',
      path: '/v1/ralph/runs/:id/retry',
      summary: 'Retry a finished run as a new run.',
      description: 'The new run begins at the head of the old one and takes over its passed stories.',
      permission: 'ralph:write',
      alsoRequires: 'tasks:write',
      ...byId,
      body: wire.retryOfRun,
      createsTask: true,
      answers: { 201: wire.createdRun },
      run: async (caller, { params, body, context }) => {
        const { max_iterations: maxIterations, budget, model, agent } = body;
        const choices = { maxIterations, budget, model, agents: agentsFromWire(agent) };
        return creationAnswer(await retryRun(deps, caller, params.id, choices, context.idempotency));
      },
    }),
  ];
}

/** The answer to the creation of a run. */
export function creationAnswer({ view, replayed }: CreatedRun): Answer {
  const body: z.input<typeof wire.createdRun> = {
    success: true,
    run_id: view.run.id,
    status: 'pending',
    current_iteration: 0,
    max_iterations: view.run.maxIterations,
    message: describeCreation(view),
    warnings: view.run.warnings.map(warningToWire),
    run: runToWire(view),
  };
  return { status: 201, headers: replayHeaders(replayed), body };
}

function readOperations(deps: RunDeps): Operation[] {
  return [
    operation({
      name: 'ralph.list',
      method: 'GET',
      path: '/v1/ralph/runs',
      summary: 'List autonomous runs, newest first.',
      permission: 'ralph:read',
      query: runQuery,
      answers: { 200: runPage },
      run: async (caller, { query }) => {
        const { codebase_id: codebaseId, status, project, q: text } = query;
        const filter = { codebaseId, status, project, text };
        const { runs, next } = await listRuns(deps, caller, filter, parsePage(query, 'uuid'));
        const off = deps.settings.enabled ? {} : { enabled: false as const };
        return { status: 200, body: { runs: runs.map(runToWire), next_cursor: encodeCursor(next), ...off } };
      },
    }),
    operation({
      name: 'ralph.get',
      method: 'GET',
      path: '/v1/ralph/runs/:id',
      summary: 'Get an autonomous run.',
      permission: 'ralph:read',
      ...byId,
      answers: { 200: runAnswer },
      run: async (caller, { params }) => answerOf(await getRun(deps, caller, params.id)),
    }),
    operation({
      name: 'ralph.delete',
      method: 'DELETE',
      path: '/v1/ralph/runs/:id',
      summary: 'Delete a finished run.',
      description: 'Its branch and its commits stay.',
      permission: 'ralph:delete',
      ...byId,
      answers: { 204: z.null() },
      run: async (caller, { params }) => {
        await deleteRun(deps, caller, params.id);
        return { status: 204, body: null };
      },
    }),
  ];
}

function answerOf(view: RunView): Answer {
  return { status: 200, body: { run: runToWire(view) } };
}

function steeringOperations(deps: RunDeps): Operation[] {
  const changing = { method: 'POST', permission: 'ralph:write', ...byId, answers: { 200: runAnswer } } as const;
  return [
    operation({
      ...changing,
      name: 'ralph.cancel',
      path: '/v1/ralph/runs/:id/cancel',
      summary: 'Cancel a run.',
      description: 'Its agents are stopped; what has landed stays.',
      body: changes.cancelRunRequest,
      run: async (caller, { params, body }) => answerOf(await cancelRun(deps, caller, params.id, body.reason)),
    }),
    operation({
      ...changing,
      name: 'ralph.pause',
      path: '/v1/ralph/runs/:id/pause',
      summary: 'Pause a run.',
      description: 'With after_step its running steps end first; with now they are stopped and spend no iteration.',
      body: changes.pauseRunRequest,
      run: async (caller, { params, body }) => answerOf(await pauseRun(deps, caller, params.id, body.mode)),
    }),
    operation({
      ...changing,
      name: 'ralph.resume',
      path: '/v1/ralph/runs/:id/resume',
      summary: 'Resume a paused run.',
      body: z.strictObject({}),
      run: async (caller, { params }) => answerOf(await resumeRun(deps, caller, params.id)),
    }),
    operation({
      ...changing,
      name: 'ralph.answer',
      path: '/v1/ralph/runs/:id/answer',
      summary: 'Answer an open question of a run.',
      personOnly: true,
      body: changes.answerRequest,
      run: async (caller, { params, body }) => {
        const { question_id, choice, choices, text, agent, commit, branch, usd, tokens, seconds, iterations } = body;
        const raise = { usd, tokens, seconds, iterations };
        const given = { choice, choices, text, agent, commit, branch, raise };
        return answerOf(await answerRun(deps, caller, params.id, question_id, given));
      },
    }),
    operation({
      ...changing,
      name: 'ralph.commit',
      path: '/v1/ralph/runs/:id/commit',
      summary: 'Put the commits of waiting stories on the branch.',
      personOnly: true,
      description: 'For runs with RALPH_COMMIT_ON_PASS=0, finished ones too.',
      body: z.strictObject({}),
      run: async (caller, { params }) => answerOf(await commitRun(deps, caller, params.id)),
    }),
    operation({
      name: 'ralph.message',
      method: 'POST',
      path: '/v1/ralph/runs/:id/messages',
      summary: 'Give guidance to a run.',
      description: 'It stands in all later prompts, and agents at work receive it at once.',
      permission: 'ralph:write',
      ...byId,
      body: changes.guidanceRequest,
      answers: { 202: changes.guidanceAnswer },
      run: async (caller, { params, body }) => {
        const guidance = { text: body.text, storyId: body.story_id };
        const { learningId, interventionIds } = await guideRun(deps, caller, params.id, guidance);
        return { status: 202, body: { learning_id: learningId, intervention_ids: [...interventionIds] } };
      },
    }),
  ];
}
