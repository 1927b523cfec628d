// Operations on objectives. platform-4.
import { z } from 'zod';
import { id } from '../../../contracts/common.ts';
import * as wire from '../../../contracts/okr/okr.ts';
import type { OkrDeps } from '../../../domain/okr/base/okr-deps.ts';
import { getOkr, listOkrs, readOkrStats } from '../../../domain/okr/base/read-okrs.ts';
import { createOkr, deleteOkr, updateOkr } from '../../../domain/okr/change/change-okr.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { keyResultOperations } from './key-results.ts';
import { okrRunOperations } from './okr-runs.ts';
import { okrEditFromWire, okrFromWire, okrToWire } from './okr-wire.ts';

const byId = { params: z.object({ id }), names: 'okr' as const };

export function okrOperations(deps: OkrDeps): Operation[] {
  return [...changeOperations(deps), ...readOperations(deps), ...keyResultOperations(deps), ...okrRunOperations(deps)];
}

function changeOperations(deps: OkrDeps): Operation[] {
  return [
    operation({
      name: 'okr.create',
      method: 'POST',
      path: '/v1/okr',
      summary: 'Create an objective as a draft.',
      description: 'It may bring up to 20 key results. A task template needs tasks:write too.',
      permission: 'okr:write',
      body: wire.newOkr,
      answers: { 201: wire.okrAnswer },
      run: async (caller, { body }) => ({
        status: 201,
        body: { okr: okrToWire(await createOkr(deps, caller, okrFromWire(body))) },
      }),
    }),
    operation({
      name: 'okr.update',
      method: 'PUT',
      path: '/v1/okr/:id',
      summary: 'Change an objective, approve it, deny it or complete it.',
      description:
        'Absent fields stay as they are. A draft becomes approved or denied, an approved one running or denied, a running one completed or denied. Denying a running one cancels its open run.',
      permission: 'okr:write',
      ...byId,
      body: wire.okrChange,
      answers: { 200: wire.okrAnswer },
      run: async (caller, { params, body }) => {
        const { version, ...change } = body;
        const okr = await updateOkr(deps, caller, params.id, okrEditFromWire(change), version);
        return { status: 200, body: { okr: okrToWire(okr) } };
      },
    }),
    operation({
      name: 'okr.delete',
      method: 'DELETE',
      path: '/v1/okr/:id',
      summary: 'Delete an objective with its key results and runs.',
      description: 'The tasks of its runs stay. One with an open run is not deleted.',
      permission: 'okr:delete',
      ...byId,
      answers: { 200: wire.okrAnswer },
      run: async (caller, { params }) => ({
        status: 200,
        body: { okr: okrToWire(await deleteOkr(deps, caller, params.id)) },
      }),
    }),
  ];
}

function readOperations(deps: OkrDeps): Operation[] {
  return [
    operation({
      name: 'okr.list',
      method: 'GET',
      path: '/v1/okr',
      summary: 'List objectives with their key results, newest first.',
      permission: 'okr:read',
      query: wire.okrQuery,
      answers: { 200: wire.okrPage },
      run: async (caller, { query }) => {
        const filter = { status: query.status, owner: query.owner, text: query.q };
        const { okrs, next } = await listOkrs(deps, caller, filter, parsePage(query, 'uuid'));
        return { status: 200, body: { okrs: okrs.map(okrToWire), next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'okr.stats',
      method: 'GET',
      path: '/v1/okr/stats',
      summary: 'Count objectives by status.',
      permission: 'okr:read',
      answers: { 200: wire.okrStats },
      run: async (caller) => {
        const { total, byStatus, completionRate } = await readOkrStats(deps, caller);
        return { status: 200, body: { total, by_status: byStatus, completion_rate: completionRate } };
      },
    }),
    operation({
      name: 'okr.get',
      method: 'GET',
      path: '/v1/okr/:id',
      summary: 'Get an objective with its key results.',
      permission: 'okr:read',
      ...byId,
      answers: { 200: wire.okrAnswer },
      run: async (caller, { params }) => ({
        status: 200,
        body: { okr: okrToWire(await getOkr(deps, caller, params.id)) },
      }),
    }),
  ];
}
