// The A2A door: the methods on their paths, the SDK between them and our request handler.
import type { FastifyInstance } from 'fastify';
import { A2A_ERROR_CODE } from '@a2a-js/sdk/errors';
import type { FollowDeps } from '../../domain/events/follow.ts';
import type { TaskDeps } from '../../domain/tasks/deps.ts';
import type { RpcOperation } from '../operation.ts';
import { RpcError } from '../rpc-envelope.ts';
import { mountRpc, type RpcOptions } from '../rpc.ts';
import { cardObject } from './card.ts';
import { routingReader } from './draft.ts';
import { a2aMethods } from './methods.ts';
import { requestHandler } from './request-handler.ts';
import { v03Transport } from './v03.ts';

/** document 1 §4.2. */
const paths = ['/a2a/jsonrpc', '/v1/a2a', '/'];
/** choices §6: `blocking: true` waits at most this long. */
const maxWaitMs = 60_000;

export interface A2aOptions extends Pick<RpcOptions, 'hallway' | 'schemas' | 'bodyLimit' | 'log'> {
  readonly version: string;
}

/** @returns the methods as mounted: policy, audit and tests are made from them */
export function mountA2a(app: FastifyInstance, deps: TaskDeps & FollowDeps, options: A2aOptions): RpcOperation[] {
  const { schemas, version } = options;
  const handler = requestHandler({
    ...deps,
    readRouting: routingReader(schemas),
    agentCard: cardObject(version),
    maxWaitMs,
  });
  const operations = a2aMethods({ v03: v03Transport(handler), makeId: deps.makeId });
  mountRpc(app, { ...options, paths, operations, negotiate: negotiateVersion });
  return operations;
}

/** Without the header a call is v0.3. @throws RpcError for any other version */
function negotiateVersion(_method: string, header: (name: string) => string | undefined): void {
  const version = header('a2a-version')?.trim() ?? '';
  if (version === '' || /^0\.3(\.\d+)?$/.test(version)) return;
  const message = `This service speaks version 0.3 of the protocol, not ${version.slice(0, 20)}.`;
  throw new RpcError(A2A_ERROR_CODE.VERSION_NOT_SUPPORTED, message);
}
