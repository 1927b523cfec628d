// Operations on cron jobs. platform-3.3.
import { z } from 'zod';
import { id } from '../../../contracts/common.ts';
import * as wire from '../../../contracts/schedules/cronjob.ts';
import { createCronjob, deleteCronjob, updateCronjob } from '../../../domain/schedules/change-cronjob.ts';
import type { CronDeps } from '../../../domain/schedules/cron-deps.ts';
import { getCronjob, listCronjobRuns, listCronjobs } from '../../../domain/schedules/read-cronjobs.ts';
import { triggerCronjob } from '../../../domain/schedules/trigger-cronjob.ts';
import { validateCron } from '../../../domain/schedules/validate-cron.ts';
import { replayHeaders } from '../../pipeline/idempotency.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { cronjobRunToWire, cronjobToWire, editFromWire, settingsFromWire } from './cronjob-wire.ts';

const byId = { params: z.object({ id }), names: 'cronjob' as const };

export function cronjobOperations(deps: CronDeps): Operation[] {
  return [...changeOperations(deps), ...readOperations(deps), ...useOperations(deps)];
}

function changeOperations(deps: CronDeps): Operation[] {
  return [
    operation({
      name: 'cronjobs.create',
      method: 'POST',
      path: '/v1/cronjobs',
      summary: 'Create a cron job.',
      description: 'At each due time it creates one task from task_template, over all replicas.',
      permission: 'cronjobs:write',
      alsoRequires: 'tasks:write',
      body: wire.newCronjob,
      createsTask: true,
      answers: { 201: wire.cronjobAnswer },
      run: async (caller, { body, context }) => {
        const { job, replayed } = await createCronjob(deps, caller, settingsFromWire(body), context.idempotency);
        return { status: 201, headers: replayHeaders(replayed), body: { cronjob: cronjobToWire(job) } };
      },
    }),
    operation({
      name: 'cronjobs.update',
      method: 'PUT',
      path: '/v1/cronjobs/:id',
      summary: 'Change a cron job.',
      description:
        'Absent fields stay as they are. A new expression, zone or bound restarts the schedule from now, and so does enabling the job.',
      permission: 'cronjobs:write',
      alsoRequires: 'tasks:write',
      ...byId,
      body: wire.cronjobChange,
      answers: { 200: wire.cronjobAnswer },
      run: async (caller, { params, body }) => {
        const { version, ...change } = body;
        const job = await updateCronjob(deps, caller, params.id, editFromWire(change), version);
        return { status: 200, body: { cronjob: cronjobToWire(job) } };
      },
    }),
    operation({
      name: 'cronjobs.delete',
      method: 'DELETE',
      path: '/v1/cronjobs/:id',
      summary: 'Delete a cron job and its runs.',
      description: 'The tasks that it created stay.',
      permission: 'cronjobs:delete',
      ...byId,
      answers: { 200: wire.cronjobAnswer },
      run: async (caller, { params }) => {
        const job = await deleteCronjob(deps, caller, params.id);
        return { status: 200, body: { cronjob: cronjobToWire(job) } };
      },
    }),
  ];
}

function readOperations(deps: CronDeps): Operation[] {
  return [
    operation({
      name: 'cronjobs.list',
      method: 'GET',
      path: '/v1/cronjobs',
      summary: 'List cron jobs, newest first.',
      permission: 'cronjobs:read',
      query: wire.cronjobQuery,
      answers: { 200: wire.cronjobPage },
      run: async (caller, { query }) => {
        const filter = { enabled: query.enabled, text: query.q };
        const { jobs, next } = await listCronjobs(deps, caller, filter, parsePage(query, 'uuid'));
        return { status: 200, body: { cronjobs: jobs.map(cronjobToWire), next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'cronjobs.get',
      method: 'GET',
      path: '/v1/cronjobs/:id',
      summary: 'Get a cron job.',
      permission: 'cronjobs:read',
      ...byId,
      answers: { 200: wire.cronjobAnswer },
      run: async (caller, { params }) => {
        return { status: 200, body: { cronjob: cronjobToWire(await getCronjob(deps, caller, params.id)) } };
      },
    }),
    operation({
      name: 'cronjobs.runs',
      method: 'GET',
      path: '/v1/cronjobs/:id/runs',
      summary: 'List the runs of a cron job, newest first.',
      permission: 'cronjobs:read',
      ...byId,
      query: wire.cronjobRunQuery,
      answers: { 200: wire.cronjobRunPage },
      run: async (caller, { params, query }) => {
        const wanted = { cronjobId: params.id, status: query.status };
        const { runs, next } = await listCronjobRuns(deps, caller, wanted, parsePage(query, 'uuid'));
        return { status: 200, body: { runs: runs.map(cronjobRunToWire), next_cursor: encodeCursor(next) } };
      },
    }),
  ];
}

function useOperations(deps: CronDeps): Operation[] {
  return [
    operation({
      name: 'cronjobs.trigger',
      method: 'POST',
      path: '/v1/cronjobs/:id/trigger',
      summary: 'Run a cron job now.',
      description: 'Works for disabled jobs too. The overlap policy applies.',
      permission: 'cronjobs:write',
      alsoRequires: 'tasks:write',
      ...byId,
      body: z.strictObject({}),
      createsTask: true,
      answers: { 202: wire.triggeredRun },
      run: async (caller, { params, context }) => {
        const { run, replayed } = await triggerCronjob(deps, caller, params.id, context.idempotency);
        const body = { run_id: run.runId, task_id: run.taskId ?? run.runId, status: 'started' as const };
        return { status: 202, headers: replayHeaders(replayed), body };
      },
    }),
    operation({
      name: 'cronjobs.validate',
      method: 'POST',
      path: '/v1/cronjobs/validate',
      summary: 'Validate a cron expression; return its next five times.',
      permission: 'cronjobs:read',
      changes: false,
      body: wire.cronExpression,
      answers: { 200: wire.cronVerdict },
      run: (_caller, { body }) => {
        const from = body.from === undefined ? deps.now() : Date.parse(body.from);
        return Promise.resolve({ status: 200, body: validateCron(body.cron, body.timezone, from) });
      },
    }),
  ];
}
