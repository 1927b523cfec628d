// The agent card: what this service is, at which addresses, and what of the protocol it really does. document 1 §2.2.
import { createHash } from 'node:crypto';
import { AgentCard } from '@a2a-js/sdk';
import { z } from 'zod';
import { agentCard, type AgentCardWire } from '../../contracts/a2a.ts';
import { operation, type Answer, type Operation } from '../operation.ts';

/** Where the card lies; older clients look for the second. */
const cardPaths = { 'a2a.card': '/.well-known/agent-card.json', 'a2a.card_older': '/.well-known/agent.json' };

/** One place for both forms of the card: what it says must be what the methods do. */
const capabilities = { streaming: true, pushNotifications: true, stateTransitionHistory: false };

const name = 'Switchyard';
const description =
  'Hands work to agents. A message becomes a durable task; a worker that has the code runs an agent on it, streams ' +
  'what happens, and leaves the result, the diff and the changed files as artifacts.';
const skills = [
  {
    id: 'run_task',
    name: 'Run a task',
    description:
      'Does what the message asks, in the codebase that its metadata names as codebase_id, or in the global one: ' +
      'answers, plans, or changes code. Asks back when it cannot go on.',
    tags: ['task', 'code', 'agent'],
    examples: ['Fix the failing test in parser.ts and explain what was wrong.'],
  },
];
const inputModes = ['text/plain', 'application/json', 'application/octet-stream'];
const outputModes = ['text/plain', 'text/x-diff', 'application/json', 'application/octet-stream'];

/**
 * The card in the form of v0.3. By hand: the SDK has this form only as the answer of a method for another card, and
 * without `protocolVersion` 0.3.0, the history flag and the main interface among the additional ones.
 * @param base address of the service, without a trailing slash
 */
export function cardV03(base: string, version: string): AgentCardWire {
  const url = `${base}/a2a/jsonrpc`;
  return {
    protocolVersion: '0.3.0',
    name,
    description,
    url,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [url, `${base}/v1/a2a`].map((address) => ({ url: address, transport: 'JSONRPC' as const })),
    version,
    capabilities,
    defaultInputModes: inputModes,
    defaultOutputModes: outputModes,
    skills,
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    security: [{ bearer: [] }],
    supportsAuthenticatedExtendedCard: false,
  };
}

/** The card as the SDK's handlers ask for it: they look at the capabilities alone. */
export function cardObject(version: string): AgentCard {
  return AgentCard.fromJSON({ name, description, version, capabilities, skills });
}

export interface CardOptions {
  /** Address of the service, without a trailing slash; asked for at each call, for a port may be known late. */
  readonly base: () => string;
  readonly version: string;
}

/** The card is read often and changes with a release: a client may keep it, and asks again with its tag. */
export function cardOperations({ base, version }: CardOptions): Operation[] {
  const headers = { 'cache-control': 'private, max-age=60', vary: 'A2A-Version, Authorization' };
  return Object.entries(cardPaths).map(([row, path]) =>
    operation({
      name: row,
      method: 'GET',
      path,
      summary: 'The agent card.',
      permission: 'any_credential',
      answers: { 200: agentCard, 304: z.null() },
      run: (_caller, { facts }) => {
        const body = cardV03(base(), version);
        const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url')}"`;
        const known = facts.ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
        const answer: Answer = known
          ? { status: 304, body: null, headers: { ...headers, etag } }
          : { status: 200, body, headers: { ...headers, etag } };
        return Promise.resolve(answer);
      },
    }),
  );
}
