// Builds the agent card in each of its formats. Pure. The v0.3 format is written by hand, because the SDK translates
// cards to v0.3 without `protocolVersion` 0.3.0, the history flag and the main interface. a2a-v0.3 §5.5, a2a-v1.0 §8.
import { unreachable } from '../../../lib/net/unreachable.ts';
import { isObject } from '../../wire/rpc-envelope.ts';
import { extensions } from '../protocol/extensions.ts';
import type { Skill } from './skills.ts';

/** Pure v0.3, pure v1.0, both in one card, and v0.3 in the JSON of its proto file. */
export type CardFormat = '0.3' | '1.0' | 'hybrid' | '0.3 proto';

export interface CardInfo {
  /** Address of the service, without a trailing slash. */
  readonly base: string;
  readonly version: string;
  readonly pushNotifications: boolean;
  readonly skills: readonly Skill[];
  /** Discovery document of the trusted identity provider; undefined without one, or when its address is not https. */
  readonly openIdConnectUrl: string | undefined;
}

export type CardJson = Record<string, unknown>;

const name = 'Switchyard';
const description =
  'Runs coding tasks on agents. A message becomes a durable task; a worker that has the code runs an agent on it, ' +
  'streams its events, and stores the result, the diff and the changed files as artifacts.';
const inputModes = ['text/plain', 'application/json', 'application/octet-stream'];
/** The media types of a task's output: text, a diff, lists of files, files. */
export const outputModes = ['text/plain', 'text/x-diff', 'application/json', 'application/octet-stream'];

export function buildCard(format: CardFormat, info: CardInfo): CardJson {
  switch (format) {
    case '0.3':
      return buildCardV03(info);
    case '1.0':
      return buildCardV10(info);
    case 'hybrid':
      return buildCardHybrid(info);
    case '0.3 proto':
      return buildCardProto(info);
    default:
      return unreachable(format);
  }
}

const commonFields = ({ version, skills }: CardInfo): CardJson => ({
  name,
  description,
  version,
  defaultInputModes: inputModes,
  defaultOutputModes: outputModes,
  skills,
});

function buildCardV03(info: CardInfo): CardJson {
  const { base, pushNotifications, openIdConnectUrl } = info;
  const url = `${base}/a2a/jsonrpc`;
  return {
    ...commonFields(info),
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
      // A task's history holds its messages. Past states are in its event log, which the protocol cannot read.
      stateTransitionHistory: false,
      extensions,
    },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      ...(openIdConnectUrl === undefined ? {} : { openid: { type: 'openIdConnect', openIdConnectUrl } }),
    },
    security: schemeNames(info).map((scheme) => ({ [scheme]: [] })),
    supportsAuthenticatedExtendedCard: true,
  };
}

function schemeNames({ openIdConnectUrl }: CardInfo): string[] {
  return openIdConnectUrl === undefined ? ['bearer'] : ['bearer', 'openid'];
}

function buildCardV10(info: CardInfo): CardJson {
  const { base, pushNotifications } = info;
  const bindings = [
    { url: `${base}/a2a/jsonrpc`, protocolBinding: 'JSONRPC' },
    { url: `${base}/a2a/rest`, protocolBinding: 'HTTP+JSON' },
  ];
  return {
    ...commonFields(info),
    supportedInterfaces: ['1.0', '0.3'].flatMap((protocolVersion) =>
      bindings.map((binding) => ({ ...binding, protocolVersion })),
    ),
    capabilities: { streaming: true, pushNotifications, extendedAgentCard: true, extensions },
    securitySchemes: securitySchemesV10(info),
    securityRequirements: securityRequirementsV10(info),
  };
}

function securitySchemesV10({ openIdConnectUrl }: CardInfo): CardJson {
  return {
    bearer: { httpAuthSecurityScheme: { scheme: 'bearer' } },
    ...(openIdConnectUrl === undefined ? {} : { openid: { openIdConnectSecurityScheme: { openIdConnectUrl } } }),
  };
}

function securityRequirementsV10(info: CardInfo): CardJson[] {
  return schemeNames(info).map((scheme) => ({ schemes: { [scheme]: { list: [] } } }));
}

/** Valid in both versions: readers of one version ignore the members of the other. */
function buildCardHybrid(info: CardInfo): CardJson {
  const [cardV03, cardV10] = [buildCardV03(info), buildCardV10(info)];
  return {
    ...cardV10,
    ...cardV03,
    capabilities: { ...objectMember(cardV10, 'capabilities'), ...objectMember(cardV03, 'capabilities') },
    securitySchemes: Object.fromEntries(
      schemeNames(info).map((scheme) => [
        scheme,
        {
          ...objectMember(objectMember(cardV03, 'securitySchemes'), scheme),
          ...objectMember(objectMember(cardV10, 'securitySchemes'), scheme),
        },
      ]),
    ),
  };
}

function objectMember(card: CardJson, member: string): CardJson {
  const value = card[member];
  return isObject(value) ? value : {};
}

function buildCardProto(info: CardInfo): CardJson {
  const { stateTransitionHistory: _history, ...capabilities } = objectMember(buildCardV03(info), 'capabilities');
  return {
    ...buildCardV03(info),
    capabilities,
    securitySchemes: securitySchemesV10(info),
    security: securityRequirementsV10(info),
  };
}
