// The agent card in each of its forms, from one set of facts. Pure. By hand: the SDK has v0.3's form only as the answer
// of a method for another card, without `protocolVersion` 0.3.0, the history flag and the main interface. a2a-v0.3 §5.5,
// a2a-v1.0 §8.
import { unreachable } from '../../../lib/net/unreachable.ts';
import { isObject } from '../../wire/rpc-envelope.ts';
import { extensions } from '../protocol/extensions.ts';
import type { Skill } from './skills.ts';

/** v0.3 and v1.0 pure; both in one; and v0.3 in the JSON of its proto file. */
export type CardForm = '0.3' | '1.0' | 'hybrid' | '0.3 proto';

export interface CardFacts {
  /** Address of the service, without a trailing slash. */
  readonly base: string;
  readonly version: string;
  readonly pushNotifications: boolean;
  readonly skills: readonly Skill[];
  /** Discovery document of the identity provider whose tokens are taken; undefined without one, or where it is not https. */
  readonly openIdConnectUrl: string | undefined;
}

export type CardJson = Record<string, unknown>;

const name = 'Switchyard';
const description =
  'Hands work to agents. A message becomes a durable task; a worker that has the code runs an agent on it, streams ' +
  'what happens, and leaves the result, the diff and the changed files as artifacts.';
const inputModes = ['text/plain', 'application/json', 'application/octet-stream'];
/** What a task may leave: its words, a diff, lists of files, files. */
export const outputModes = ['text/plain', 'text/x-diff', 'application/json', 'application/octet-stream'];

export function cardIn(form: CardForm, facts: CardFacts): CardJson {
  switch (form) {
    case '0.3':
      return v03(facts);
    case '1.0':
      return v10(facts);
    case 'hybrid':
      return hybrid(facts);
    case '0.3 proto':
      return proto(facts);
    default:
      return unreachable(form);
  }
}

const shared = ({ version, skills }: CardFacts): CardJson => ({
  name,
  description,
  version,
  defaultInputModes: inputModes,
  defaultOutputModes: outputModes,
  skills,
});

function v03(facts: CardFacts): CardJson {
  const { base, pushNotifications, openIdConnectUrl } = facts;
  const url = `${base}/a2a/jsonrpc`;
  return {
    ...shared(facts),
    protocolVersion: '0.3.0',
    url,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [
      { url, transport: 'JSONRPC' },
      { url: `${base}/v1/a2a`, transport: 'JSONRPC' },
      { url: `${base}/a2a/rest`, transport: 'HTTP+JSON' },
    ],
    capabilities: {
      streaming: true,
      pushNotifications,
      // A task's history is its exchange; its states are in its events, which the protocol has no method for.
      stateTransitionHistory: false,
      extensions,
    },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      ...(openIdConnectUrl === undefined ? {} : { openid: { type: 'openIdConnect', openIdConnectUrl } }),
    },
    security: schemeNames(facts).map((scheme) => ({ [scheme]: [] })),
    supportsAuthenticatedExtendedCard: true,
  };
}

function schemeNames({ openIdConnectUrl }: CardFacts): string[] {
  return openIdConnectUrl === undefined ? ['bearer'] : ['bearer', 'openid'];
}

function v10(facts: CardFacts): CardJson {
  const { base, pushNotifications } = facts;
  const bindings = [
    { url: `${base}/a2a/jsonrpc`, protocolBinding: 'JSONRPC' },
    { url: `${base}/a2a/rest`, protocolBinding: 'HTTP+JSON' },
  ];
  return {
    ...shared(facts),
    supportedInterfaces: ['1.0', '0.3'].flatMap((protocolVersion) =>
      bindings.map((binding) => ({ ...binding, protocolVersion })),
    ),
    capabilities: { streaming: true, pushNotifications, extendedAgentCard: true, extensions },
    securitySchemes: protoSchemes(facts),
    securityRequirements: protoRequirements(facts),
  };
}

function protoSchemes({ openIdConnectUrl }: CardFacts): CardJson {
  return {
    bearer: { httpAuthSecurityScheme: { scheme: 'bearer' } },
    ...(openIdConnectUrl === undefined ? {} : { openid: { openIdConnectSecurityScheme: { openIdConnectUrl } } }),
  };
}

function protoRequirements(facts: CardFacts): CardJson[] {
  return schemeNames(facts).map((scheme) => ({ schemes: { [scheme]: { list: [] } } }));
}

/** Valid by both: readers of each version pass over what the other's needs. */
function hybrid(facts: CardFacts): CardJson {
  const [older, newer] = [v03(facts), v10(facts)];
  return {
    ...newer,
    ...older,
    capabilities: { ...objectIn(newer, 'capabilities'), ...objectIn(older, 'capabilities') },
    securitySchemes: Object.fromEntries(
      schemeNames(facts).map((scheme) => [
        scheme,
        {
          ...objectIn(objectIn(older, 'securitySchemes'), scheme),
          ...objectIn(objectIn(newer, 'securitySchemes'), scheme),
        },
      ]),
    ),
  };
}

function objectIn(card: CardJson, member: string): CardJson {
  const value = card[member];
  return isObject(value) ? value : {};
}

function proto(facts: CardFacts): CardJson {
  const { stateTransitionHistory: _history, ...capabilities } = objectIn(v03(facts), 'capabilities');
  return { ...v03(facts), capabilities, securitySchemes: protoSchemes(facts), security: protoRequirements(facts) };
}
