// Routes of the agent card and of its public signing key. Clients may cache the card and revalidate it by its ETag.
import { z } from 'zod';
import { agentCardV1 } from '../../contracts/a2a/a2a-v1.ts';
import { agentCard } from '../../contracts/a2a/a2a.ts';
import { operation, type Answer, type Operation, type RequestContext } from '../pipeline/operation.ts';
import type { CardFormat, CardJson } from './card/card-formats.ts';
import type { CardSigner } from './card/card-signature.ts';
import type { Cards } from './card/cards.ts';
import type { RenderError } from './rest/rest-errors.ts';
import { findRequestedVersion } from './protocol/requested-version.ts';
import { restErrorSchemas } from './rest/rest-schemas.ts';
import { sha256 } from '../../lib/digest.ts';

interface CardRow {
  readonly name: string;
  readonly path: string;
  readonly read: Cards['publicCard'];
}

/**
 * A request without a version gets the hybrid card, which readers of both versions accept.
 * @throws RpcError for an unsupported version
 */
function cardFormatFor({ view }: RequestContext): CardFormat {
  return findRequestedVersion(view) ?? 'hybrid';
}

export interface CardDeps {
  readonly cards: Cards;
  readonly signer: CardSigner | undefined;
  readonly renderError: RenderError;
}

/**
 * The card at its address and at the address of older versions of the protocol. The extended card is also below each
 * RPC path, because clients of v0.3 append `/v1/card` to the address they were given.
 */
export function cardOperations({ cards, signer, renderError }: CardDeps): Operation[] {
  const rows: CardRow[] = [
    { name: 'a2a.card', path: '/.well-known/agent-card.json', read: cards.publicCard },
    { name: 'a2a.card_older', path: '/.well-known/agent.json', read: cards.publicCard },
    ...['/a2a/jsonrpc', '/v1/a2a', ''].map((basePath) => ({
      name: 'a2a.extended_card',
      path: `${basePath}/v1/card`,
      read: cards.extendedCard,
    })),
  ];
  return [
    ...rows.map(({ name, path, read }) =>
      operation({
        name,
        method: 'GET',
        path,
        summary: name === 'a2a.extended_card' ? 'Get the extended agent card.' : 'Get the agent card.',
        permission: 'any_credential',
        query: z.record(z.string(), z.unknown()),
        answers: { 200: z.union([agentCard, agentCardV1]), 304: z.null() },
        renderError,
        errorSchemas: restErrorSchemas,
        run: async (caller, { context }) =>
          withEtag(await read(caller, cardFormatFor(context), context.view.forwardedOrigin), context),
      }),
    ),
    ...(signer === undefined ? [] : [keyOperation(signer)]),
  ];
}

/** The card may be cached by this caller alone, for one minute, and then be revalidated by its ETag. a2a v1.0 §8.6. */
function withEtag(body: CardJson, { ifNoneMatch }: RequestContext): Answer {
  // Signatures are made on each call and may differ for equal cards, so they do not count for the ETag.
  const { signatures: _signatures, ...unsignedCard } = body;
  const etag = `"${sha256(JSON.stringify(unsignedCard), 'base64url')}"`;
  const headers = { 'cache-control': 'private, max-age=60', vary: 'A2A-Version, Authorization', etag };
  const isUnchanged =
    ifNoneMatch?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) ?? false;
  return isUnchanged ? { status: 304, body: null, headers } : { status: 200, body, headers };
}

function keyOperation({ jwk }: CardSigner): Operation {
  return operation({
    name: 'a2a.card_key',
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'Get the public key of the agent card’s signature.',
    permission: 'any_credential',
    answers: { 200: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }) },
    run: () => Promise.resolve({ status: 200, body: { keys: [jwk] } }),
  });
}
