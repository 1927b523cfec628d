// Schemas that several tools share. Result schemas name only the members that a model acts upon; results may have more.
import { z } from 'zod';
import { pageQuery } from '../../../contracts/common.ts';
import { taskStatus } from '../../../contracts/task.ts';
import { RpcError, rpcCodes } from '../../wire/rpc-envelope.ts';

/** An id as a model writes it. A malformed id is reported as not found, like an unknown one. */
export const anyId = z.string().min(1).max(200);

export const listArguments = {
  limit: pageQuery.limit,
  cursor: pageQuery.cursor.describe('next_cursor of the previous page'),
};
export const nextCursor = z.string().nullable();

/** tools-4.2. */
export const agentTypes = ['build', 'plan', 'general', 'explore'] as const;
export const status = taskStatus;

/** The members of a task that a model acts upon. */
export const taskShape = z.looseObject({
  id: z.string(),
  title: z.string(),
  status,
  waiting_reason: z.string().optional().describe('why a pending task is not running'),
  codebase_id: z.string().nullable(),
  result: z.string().nullable(),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
});

export const codebaseShape = z.looseObject({
  codebase_id: z.string(),
  name: z.string(),
  path: z.string(),
  worker_id: z.string().nullable(),
  status: z.string(),
});

/** A JSON-RPC error for params that the protocol does not allow. */
export function invalidParams(what: string): RpcError {
  return new RpcError(rpcCodes.params, `Invalid params: ${what}`);
}
