// Shapes that several tools take or give. What comes back is told as far as a model acts upon it; the rest comes too.
import { z } from 'zod';
import { pageQuery } from '../../../contracts/common.ts';
import { id } from '../../../contracts/common.ts';
import { taskStatus } from '../../../contracts/task.ts';
import { codebaseId } from '../../../contracts/codebase.ts';
import { notFound } from '../../../domain/model/errors.ts';
import { RpcError, rpcCodes } from '../../wire/rpc-envelope.ts';

/** An id as a model gives it: one that cannot exist is missing like any other. */
export const anyId = z.string().min(1).max(200);

/** @throws DomainError not_found for what is no id of ours */
export function taskIdFromArgument(given: string): string {
  if (!id.safeParse(given).success) throw notFound('task');
  return given;
}

/** @throws DomainError not_found for what is no id of ours, nor `global` */
export function codebaseIdFromArgument(given: string): string {
  if (!codebaseId.safeParse(given).success) throw notFound('codebase');
  return given;
}

export const listArguments = {
  limit: pageQuery.limit,
  cursor: pageQuery.cursor.describe('next_cursor of the page before'),
};
export const nextCursor = z.string().nullable();

/** tools-4.2. */
export const agentTypes = ['build', 'plan', 'general', 'explore'] as const;
export const status = taskStatus;

/** What a model acts upon in a task. */
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

/** A JSON-RPC error for params that are no request of the protocol. */
export function invalidParams(what: string): RpcError {
  return new RpcError(rpcCodes.params, `Invalid params: ${what}`);
}
