// Builds and mounts A2A: the JSON-RPC methods and the REST routes, all served by one request handler.
import type { PrdReplyDeps } from './call/prd-reply.ts';
import type { RunReplyDeps } from './call/run-reply.ts';
import type { FastifyInstance } from 'fastify';
import type { TaskDeps } from '../../domain/tasks/deps.ts';
import type { Operation, RequestView, RpcOperation } from '../pipeline/operation.ts';
import { renderErrorsBelow } from '../bindings/rest.ts';
import { mountRpc, type Negotiated, type RpcOptions } from '../bindings/rpc.ts';
import { cardOperations } from './card-routes.ts';
import { createAgentCards, cardToSdk, type CardOptions, type Cards } from './card/cards.ts';
import { createRoutingReader } from './call/message-draft.ts';
import { restBasePath } from './v0_3/params-to-v03.ts';
import { buildA2aMethods, isMethodOf, type VersionAdapters } from './rpc-methods.ts';
import { createV03RestAdapter, createV03ProtoAdapter } from './v0_3/v03-rest-adapters.ts';
import { errorToRpc } from './protocol/wire-errors.ts';
import { createRequestHandler } from './call/request-handler.ts';
import { createErrorRenderer } from './rest/rest-errors.ts';
import { buildRestOperations } from './rest/rest-routes.ts';
import { createV03Adapter } from './v0_3/v03-adapter.ts';
import { createV10Adapter } from './v1_0/v10-adapter.ts';
import { findRequestedVersion } from './protocol/requested-version.ts';

/** core-4.2. */
const paths = ['/a2a/jsonrpc', '/v1/a2a', '/'];
/** How long a blocking send waits for the task to come to rest, at most. choices-6. */
const maxWaitMs = 60_000;

export interface A2aOptions extends Pick<RpcOptions, 'schemas' | 'log'> {
  readonly card: CardOptions;
}

/** The built protocol. Its operations are mounted together with the other REST routes. */
export interface A2a {
  readonly operations: readonly Operation[];
  readonly cards: Cards;
  readonly adapters: VersionAdapters;
}

export function buildA2a(deps: TaskDeps & RunReplyDeps & PrdReplyDeps, { schemas, log, card }: A2aOptions): A2a {
  const cards = createAgentCards(deps, card);
  const handler = createRequestHandler({
    ...deps,
    readRouting: createRoutingReader(schemas),
    agentCard: cardToSdk(card),
    maxWaitMs,
    addressOf: (taskId, artifactId) =>
      `${card.base(undefined)}/v1/agent/tasks/${taskId}/artifacts/${encodeURIComponent(artifactId)}`,
  });
  const adapterDeps = { handler, cards, makeId: deps.makeId };
  const [v03, v10] = [createV03Adapter(adapterDeps), createV10Adapter(adapterDeps)];
  const renderError = createErrorRenderer(log);
  return {
    cards,
    adapters: { '0.3': v03, '1.0': v10 },
    operations: [
      ...cardOperations({ cards, signer: card.signer, renderError }),
      ...buildRestOperations({
        v03: createV03RestAdapter(v03),
        v10,
        v03Proto: createV03ProtoAdapter(v03, cards),
        schemas,
        renderError,
        log,
      }),
    ],
  };
}

/**
 * Mounts the JSON-RPC methods, and the protocol's own 404 for unknown paths below the REST base.
 * @returns the mounted methods: policy data, audit actions and tests are generated from them
 */
export function mountA2aMethods(
  app: FastifyInstance,
  { adapters }: A2a,
  options: Pick<RpcOptions, 'pipeline' | 'schemas' | 'bodyLimit' | 'log'>,
): RpcOperation[] {
  const operations = buildA2aMethods(adapters);
  mountRpc(app, { ...options, paths, operations, negotiate });
  renderErrorsBelow(app, restBasePath, createErrorRenderer(options.log));
  return operations;
}

/**
 * The version of a call: the version it names, else the version that its method belongs to. A method of the other
 * version counts as unknown. @throws RpcError for an unsupported version
 */
function negotiate(method: string, view: RequestView): Negotiated {
  const requested = findRequestedVersion(view);
  const version = requested ?? (isMethodOf('1.0', method) ? '1.0' : '0.3');
  const other = version === '1.0' ? '0.3' : '1.0';
  return { writeError: (body) => errorToRpc(version, body), methodExists: !isMethodOf(other, method) };
}
