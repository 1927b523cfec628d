// Where the agent card lies, and the key that signs it. A client may keep the card, and asks again with its tag.
import { z } from 'zod';
import { agentCardV1 } from '../../contracts/a2a/a2a-v1.ts';
import { agentCard } from '../../contracts/a2a/a2a.ts';
import { operation, type Answer, type Operation, type RequestContext } from '../pipeline/operation.ts';
import type { CardFormat, CardJson } from './card/card-formats.ts';
import type { CardSigner } from './card/card-signature.ts';
import type { Cards } from './card/cards.ts';
import type { RenderError } from './rest/rest-routes.ts';
import { findRequestedVersion } from './protocol/requested-version.ts';
import { restErrorSchemas } from './rest/rest-schemas.ts';
import { sha256 } from '../../lib/digest.ts';

interface CardRow {
  readonly name: string;
  readonly path: string;
  readonly read: Cards['publicCard'];
}

/** Without a version the one card for readers of both. @throws RpcError for a version that is not spoken */
function cardFormatFor({ view }: RequestContext): CardFormat {
  return findRequestedVersion(view) ?? 'hybrid';
}

export interface CardDeps {
  readonly cards: Cards;
  readonly signer: CardSigner | undefined;
  readonly renderError: RenderError;
}

/**
 * The card at its address and at the one where older clients look; the extended card beside each RPC door, where a
 * client of v0.3 looks that joins `/v1/card` to the address it was given.
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
        summary: name === 'a2a.extended_card' ? 'The extended agent card.' : 'The agent card.',
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

/** The card as it may be kept: by this caller alone, for a minute; then with its tag. a2a v1.0 §8.6. */
function withEtag(body: CardJson, { ifNoneMatch }: RequestContext): Answer {
  // Made anew at each call, a signature may differ over an equal card.
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
    summary: 'The public key that the agent card is signed with.',
    permission: 'any_credential',
    answers: { 200: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }) },
    run: () => Promise.resolve({ status: 200, body: { keys: [jwk] } }),
  });
}
