// Operations on the key results of an objective. platform-4.
import { z } from 'zod';
import { id } from '../../../contracts/common.ts';
import * as wire from '../../../contracts/okr/okr.ts';
import type { OkrDeps } from '../../../domain/okr/base/okr-deps.ts';
import { getOkr, keyResultOf } from '../../../domain/okr/base/read-okrs.ts';
import { createKeyResult, deleteKeyResult, updateKeyResult } from '../../../domain/okr/change/change-key-result.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { keyResultEditFromWire, keyResultFromWire, keyResultToWire } from './okr-wire.ts';

const base = '/v1/okr/:id/key-results';
const byOkr = { params: z.object({ id }), names: 'okr' as const };
const byKeyResult = { params: z.object({ id, key_result_id: id }), names: 'okr' as const };

export function keyResultOperations(deps: OkrDeps): Operation[] {
  return [...readOperations(deps), ...changeOperations(deps)];
}

function readOperations(deps: OkrDeps): Operation[] {
  return [
    operation({
      name: 'okr.key_results',
      method: 'GET',
      path: base,
      summary: 'List the key results of an objective in their order.',
      permission: 'okr:read',
      ...byOkr,
      answers: { 200: wire.keyResultList },
      run: async (caller, { params }) => {
        const { keyResults } = await getOkr(deps, caller, params.id);
        return { status: 200, body: { key_results: keyResults.map(keyResultToWire) } };
      },
    }),
    operation({
      name: 'okr.key_result',
      method: 'GET',
      path: `${base}/:key_result_id`,
      summary: 'Get a key result.',
      permission: 'okr:read',
      ...byKeyResult,
      answers: { 200: wire.keyResultAnswer },
      run: async (caller, { params }) => {
        const keyResult = keyResultOf(await getOkr(deps, caller, params.id), params.key_result_id);
        return { status: 200, body: { key_result: keyResultToWire(keyResult) } };
      },
    }),
  ];
}

function changeOperations(deps: OkrDeps): Operation[] {
  return [
    operation({
      name: 'okr.add_key_result',
      method: 'POST',
      path: base,
      summary: 'Add a key result to an objective that is not running.',
      permission: 'okr:write',
      ...byOkr,
      body: wire.newKeyResult,
      answers: { 201: wire.keyResultAnswer },
      run: async (caller, { params, body }) => {
        const keyResult = await createKeyResult(deps, caller, params.id, keyResultFromWire(body));
        return { status: 201, body: { key_result: keyResultToWire(keyResult) } };
      },
    }),
    operation({
      name: 'okr.change_key_result',
      method: 'PUT',
      path: `${base}/:key_result_id`,
      summary: 'Change a key result, or report its progress.',
      description:
        'Absent fields stay as they are. Once the objective is running, title, measure and weight are frozen. Progress 100 completes a key result, and the last one that is completed completes the objective.',
      permission: 'okr:write',
      ...byKeyResult,
      body: wire.keyResultChange,
      answers: { 200: wire.keyResultAnswer },
      run: async (caller, { params, body }) => {
        const ids = { okrId: params.id, keyResultId: params.key_result_id };
        const keyResult = await updateKeyResult(deps, caller, ids, keyResultEditFromWire(body));
        return { status: 200, body: { key_result: keyResultToWire(keyResult) } };
      },
    }),
    operation({
      name: 'okr.remove_key_result',
      method: 'DELETE',
      path: `${base}/:key_result_id`,
      summary: 'Remove a key result from an objective that is not running.',
      permission: 'okr:write',
      ...byKeyResult,
      answers: { 200: wire.keyResultAnswer },
      run: async (caller, { params }) => {
        const ids = { okrId: params.id, keyResultId: params.key_result_id };
        return { status: 200, body: { key_result: keyResultToWire(await deleteKeyResult(deps, caller, ids)) } };
      },
    }),
  ];
}
