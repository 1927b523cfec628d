// Streamable HTTP requests that are answered without the SDK's transport, because their answer is one message:
// recognises them, and writes the answer in the format of their protocol era. The SDK classifies the era and checks the
// envelope; a request with anything unusual is left to the SDK.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  isJsonContentType,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { sseHeaders } from '../../bindings/stream.ts';
import { isObject, type RpcErrorBody } from '../../wire/rpc-envelope.ts';
import { cacheHints, type ServerInfo } from './sdk-server.ts';
import { serializeResult, type McpOutcome } from '../tools/tool-call-context.ts';

export interface DirectRequest {
  /** Params without the members of the envelope. */
  readonly params: unknown;
  /** Headers of the answer, whose status is 200. */
  readonly headers: Readonly<Record<string, string>>;
  /** Renders the body of the answer. */
  readonly result: (outcome: McpOutcome) => string;
  readonly error: (error: RpcErrorBody) => string;
}

type Header = (name: string) => string | undefined;

/**
 * @param body a request, not a notification, of a method that the SDK does not answer itself
 * @returns undefined when the SDK must answer or reject the request
 */
export function parseDirectRequest(
  body: Readonly<Record<string, unknown>>,
  header: Header,
  info: ServerInfo,
): DirectRequest | undefined {
  const { id, method, params = {} } = body;
  if (typeof method !== 'string' || !hasKnownParams(method, params) || !isJsonContentType(header('content-type')))
    return undefined;
  const era = detectEra(body, header);
  if (era === undefined) return undefined;
  const given = era === 'stateless' ? withoutEnvelope(params) : params;
  // Other members of the protocol in `_meta` have effects that only the SDK implements.
  const { _meta: meta } = given;
  if (isObject(meta) && Object.keys(meta).some((key) => key.startsWith('io.modelcontextprotocol/'))) return undefined;
  const { headers, members, frame } = eraFormats[era];
  return {
    params: given,
    headers,
    result: (outcome) =>
      frame(
        `{"result":${serializeResult(outcome, members(method, outcome, info))},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`,
      ),
    error: (error) => frame(JSON.stringify({ jsonrpc: '2.0', id, error })),
  };
}

/** True for params that the protocol's schemas accept and our methods understand. */
function hasKnownParams(method: string, params: unknown): params is Record<string, unknown> {
  if (!isObject(params) || !Object.keys(params).every((key) => knownParamNames.has(key))) return false;
  const { name, arguments: args, _meta: meta } = params;
  if (method === 'tools/call' && typeof name !== 'string') return false;
  return (args === undefined || isObject(args)) && (meta === undefined || isObject(meta));
}

const knownParamNames = new Set(['name', 'arguments', 'cursor', 'uri', 'ref', 'argument', 'context', '_meta']);

type Era = 'handshake' | 'stateless';

/** The revision of the protocol without a handshake. */
const statelessVersion = '2026-07-28';

function detectEra(body: Readonly<Record<string, unknown>>, header: Header): Era | undefined {
  const version = header('mcp-protocol-version');
  const method = header('mcp-method');
  const name = header('mcp-name');
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    body,
    protocolVersionHeader: version,
    mcpMethodHeader: method,
    mcpNameHeader: name,
  });
  if (route.kind === 'legacy') {
    const isKnown = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version);
    return route.reason === 'no-claim' && isKnown ? 'handshake' : undefined;
  }
  if (route.kind === 'reject' || route.messageKind !== 'request') return undefined;
  const { params } = route.message;
  const headersMatch =
    version === statelessVersion &&
    method === route.message.method &&
    name === params?.[method === 'resources/read' ? 'uri' : 'name'] &&
    // A name that a header cannot carry as plain text is encoded; the SDK decodes it.
    name?.startsWith('=?') !== true;
  return headersMatch ? 'stateless' : undefined;
}

interface EraFormat {
  readonly headers: Readonly<Record<string, string>>;
  /** Members that the era requires in every result. */
  readonly members: (method: string, outcome: McpOutcome, info: ServerInfo) => Record<string, unknown> | undefined;
  readonly frame: (json: string) => string;
}

const eraFormats: Readonly<Record<Era, EraFormat>> = {
  handshake: {
    // The media type as the SDK writes it, so that both ways answer alike.
    headers: { ...sseHeaders, 'content-type': 'text/event-stream' },
    members: () => undefined,
    frame: (json) => `event: message\ndata: ${json}\n\n`,
  },
  stateless: {
    headers: { 'content-type': 'application/json' },
    members: (method, { result: { _meta: meta } }, info) => ({
      resultType: 'complete',
      ...cacheHints[method],
      _meta: { ...(isObject(meta) ? meta : {}), [SERVER_INFO_META_KEY]: info },
    }),
    frame: (json) => json,
  },
};

const envelopeKeys = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
]);

function withoutEnvelope({ _meta, ...others }: Record<string, unknown>): Record<string, unknown> {
  const kept = isObject(_meta) ? Object.entries(_meta).filter(([key]) => !envelopeKeys.has(key)) : [];
  return kept.length === 0 ? others : { ...others, _meta: Object.fromEntries(kept) };
}
