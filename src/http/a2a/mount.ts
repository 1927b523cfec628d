// The A2A door: the protocol's methods on their paths and its REST routes, in front of one request handler.
import type { FastifyInstance } from 'fastify';
import type { FollowDeps } from '../../domain/events/follow.ts';
import type { TaskDeps } from '../../domain/tasks/deps.ts';
import type { Operation, RequestWords, RpcOperation } from '../pipeline/operation.ts';
import { refuseBelow } from '../bindings/rest.ts';
import { mountRpc, type Negotiated, type RpcOptions } from '../bindings/rpc.ts';
import { cardOperations } from './card.ts';
import { agentCards, cardObject, type CardOptions, type Cards } from './card/cards.ts';
import { routingReader } from './call/draft.ts';
import { documentDoor } from './v0_3/legacy.ts';
import { a2aMethods, isMethodOf, type Dialects } from './methods.ts';
import { documentDialect, protoDialect } from './v0_3/proto.ts';
import { errorIn } from './protocol/refusals.ts';
import { requestHandler } from './call/request-handler.ts';
import { restOperations, restRefusals } from './rest/rest.ts';
import { v03Dialect } from './v0_3/v03.ts';
import { v10Dialect } from './v1_0/v10.ts';
import { versionIn } from './protocol/asked-version.ts';

/** document 1 §4.2. */
const paths = ['/a2a/jsonrpc', '/v1/a2a', '/'];
/** choices §6: a call that waits for the outcome waits at most this long. */
const maxWaitMs = 60_000;

export interface A2aOptions extends Pick<RpcOptions, 'schemas' | 'log'> {
  readonly card: CardOptions;
}

/** The protocol, built: its routes to be mounted with those of the families, and its methods. */
export interface A2a {
  readonly operations: readonly Operation[];
  readonly cards: Cards;
  readonly dialects: Dialects;
}

export function buildA2a(deps: TaskDeps & FollowDeps, { schemas, log, card }: A2aOptions): A2a {
  const cards = agentCards(deps, card);
  const handler = requestHandler({
    ...deps,
    readRouting: routingReader(schemas),
    agentCard: cardObject(card),
    maxWaitMs,
    addressOf: (taskId, artifactId) =>
      `${card.base(undefined)}/v1/agent/tasks/${taskId}/artifacts/${encodeURIComponent(artifactId)}`,
  });
  const given = { handler, cards, makeId: deps.makeId };
  const [v03, v10] = [v03Dialect(given), v10Dialect(given)];
  const refuse = restRefusals(log);
  return {
    cards,
    dialects: { '0.3': v03, '1.0': v10 },
    operations: [
      ...cardOperations({ cards, signer: card.signer, refuse }),
      ...restOperations({ document: documentDialect(v03), v10, proto: protoDialect(v03, cards), schemas, refuse, log }),
    ],
  };
}

/**
 * Mounts the methods, and what REST says of addresses that are not there.
 * @returns the methods as mounted: policy, audit and tests are made from them
 */
export function mountA2aMethods(
  app: FastifyInstance,
  { dialects }: A2a,
  options: Pick<RpcOptions, 'hallway' | 'schemas' | 'bodyLimit' | 'log'>,
): RpcOperation[] {
  const operations = a2aMethods(dialects);
  mountRpc(app, { ...options, paths, operations, negotiate });
  refuseBelow(app, documentDoor, restRefusals(options.log));
  return operations;
}

/**
 * The version that a call speaks: the one it names, else the one whose method it calls. A method of the other version
 * is not there. @throws RpcError for a version that is not spoken
 */
function negotiate(method: string, words: RequestWords): Negotiated {
  const named = versionIn(words);
  const version = named ?? (isMethodOf('1.0', method) ? '1.0' : '0.3');
  const other = version === '1.0' ? '0.3' : '1.0';
  return { write: (body) => errorIn(version, body), known: !isMethodOf(other, method) };
}
