// Operations on the runs of an objective. platform-4.
import { z } from 'zod';
import { id } from '../../../contracts/common.ts';
import * as wire from '../../../contracts/okr/okr-run.ts';
import type { OkrDeps } from '../../../domain/okr/base/okr-deps.ts';
import { getOkrRun, listOkrRuns } from '../../../domain/okr/base/read-okrs.ts';
import { cancelOkrRun } from '../../../domain/okr/run/cancel-run.ts';
import { startOkrRun } from '../../../domain/okr/run/start-run.ts';
import { replayHeaders } from '../../pipeline/idempotency.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { okrRunToWire, runRequestFromWire } from './okr-wire.ts';

const base = '/v1/okr/:id/runs';
const byOkr = { params: z.object({ id }), names: 'okr' as const };
const byRun = { params: z.object({ id, run_id: id }), names: 'okr' as const };

export function okrRunOperations(deps: OkrDeps): Operation[] {
  return [
    operation({
      name: 'okr.run',
      method: 'POST',
      path: base,
      summary: 'Start a run: tasks for the open key results.',
      description:
        'An approved objective becomes running. Each task reports by the artifact okr-progress, and its key result moves by that report alone.',
      permission: 'okr:write',
      alsoRequires: 'tasks:write',
      ...byOkr,
      body: wire.newOkrRun,
      createsTask: true,
      answers: { 201: wire.okrRunAnswer },
      run: async (caller, { params, body, context }) => {
        const request = runRequestFromWire(body);
        const { run, replayed } = await startOkrRun(deps, caller, params.id, request, context.idempotency);
        return { status: 201, headers: replayHeaders(replayed), body: { run: okrRunToWire(run) } };
      },
    }),
    operation({
      name: 'okr.runs',
      method: 'GET',
      path: base,
      summary: 'List the runs of an objective, newest first.',
      permission: 'okr:read',
      ...byOkr,
      query: wire.okrRunQuery,
      answers: { 200: wire.okrRunPage },
      run: async (caller, { params, query }) => {
        const wanted = { okrId: params.id, status: query.status };
        const { runs, next } = await listOkrRuns(deps, caller, wanted, parsePage(query, 'uuid'));
        return { status: 200, body: { runs: runs.map(okrRunToWire), next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'okr.get_run',
      method: 'GET',
      path: `${base}/:run_id`,
      summary: 'Get a run of an objective.',
      permission: 'okr:read',
      ...byRun,
      answers: { 200: wire.okrRunAnswer },
      run: async (caller, { params }) => ({
        status: 200,
        body: { run: okrRunToWire(await getOkrRun(deps, caller, params.id, params.run_id)) },
      }),
    }),
    operation({
      name: 'okr.cancel_run',
      method: 'POST',
      path: `${base}/:run_id/cancel`,
      summary: 'Cancel a run and its open tasks.',
      permission: 'okr:write',
      ...byRun,
      body: z.strictObject({}),
      answers: { 200: wire.okrRunAnswer },
      run: async (caller, { params }) => ({
        status: 200,
        body: { run: okrRunToWire(await cancelOkrRun(deps, caller, params.id, params.run_id)) },
      }),
    }),
  ];
}
