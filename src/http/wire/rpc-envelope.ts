// JSON-RPC 2.0 envelopes: parsing requests, rendering errors, and the table of error codes.
import { hasMoreValues, parseJson, tooManyValues } from '../../lib/json/json-text.ts';
import { DomainError, type ErrorKind } from '../../domain/model/errors.ts';

/** An error of a JSON-RPC protocol. It is sent as it is, with HTTP 200. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const rpcCodes = { parse: -32700, request: -32600, method: -32601, params: -32602, internal: -32603 } as const;

export type RpcId = string | number;

export interface Envelope {
  readonly id: RpcId;
  readonly method: string;
  readonly params: unknown;
}

/** The id of a message, for its answer; null without a usable id. JSON-RPC 2.0 §5. */
export function findRpcId(value: unknown): RpcId | null {
  const id = isObject(value) ? value['id'] : undefined;
  // No fractions: the protocol's schema allows only integers, and parsers may disagree about a fraction.
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : null;
}

/**
 * The call in a message; its id is null for a notification.
 * @throws RpcError for a value that is no call, such as a batch
 */
export function parseCall(value: unknown): Omit<Envelope, 'id'> & { readonly id: RpcId | null } {
  if (Array.isArray(value)) throw new RpcError(rpcCodes.request, 'Invalid request: batches are not supported.');
  if (!isObject(value)) throw new RpcError(rpcCodes.request, 'Invalid request: the message must be an object.');
  const { jsonrpc, method, params } = value;
  if (jsonrpc !== '2.0') throw new RpcError(rpcCodes.request, 'Invalid request: jsonrpc must be "2.0".');
  const id = findRpcId(value);
  if (id === null && (value['id'] ?? null) !== null) throw missingIdError();
  if (typeof method !== 'string' || method === '') {
    throw new RpcError(rpcCodes.request, 'Invalid request: method must be a non-empty string.');
  }
  return { id, method, params };
}

/** As `parseCall`, for a request, which has an id. @throws RpcError */
export function parseEnvelope(value: unknown): Envelope {
  const { id, ...call } = parseCall(value);
  if (id === null) throw missingIdError();
  return { id, ...call };
}

/** The error for a call without a usable id. */
export function missingIdError(): RpcError {
  return new RpcError(rpcCodes.request, 'Invalid request: id must be a string or a whole number.');
}

/** @throws RpcError for bytes that are not JSON */
export function parseJsonBody(body: unknown): unknown {
  const bytes = body instanceof Uint8Array ? body : new Uint8Array();
  if (hasMoreValues(bytes)) {
    throw new RpcError(rpcCodes.request, `Invalid request: the body holds ${tooManyValues}.`);
  }
  try {
    return parseJson(bytes);
  } catch {
    // The parser's position is left out: most such bodies were never meant to be JSON.
    throw new RpcError(rpcCodes.parse, 'Parse error: the body is not valid JSON in UTF-8.');
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON-RPC code of an error kind, or `http` where HTTP answers it on every path. */
const codeByKind: Record<ErrorKind, number | 'http'> = {
  invalid: rpcCodes.params,
  unauthenticated: 'http',
  forbidden: 'http',
  not_found: rpcCodes.params,
  conflict: rpcCodes.params,
  too_large: 'http',
  unsupported_type: 'http',
  key_reused: rpcCodes.params,
  limited: 'http',
  unavailable: 'http',
  internal: rpcCodes.internal,
};

/** True for errors that every path answers as HTTP with the problem body. choices-3. */
export function isHttpRefusal(error: DomainError): boolean {
  return codeByKind[error.kind] === 'http';
}

/** The member `data` of a domain error. */
export function errorData(error: DomainError): Record<string, unknown> {
  return { code: error.code, errors: error.errors?.map((e) => ({ ...e })) };
}

/** The member `error` of a response. */
export interface RpcErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The error as JSON-RPC; `http` where HTTP answers it on every path, `broken` for an internal error. */
export function toRpcErrorBody(error: unknown): RpcErrorBody | 'http' | 'broken' {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return { code, message, data };
  }
  if (!(error instanceof DomainError)) return 'broken';
  if (error.code === 'invalid_json') return { code: rpcCodes.parse, message: error.message };
  const code = codeByKind[error.kind];
  if (code === 'http') return code;
  return code === rpcCodes.internal ? 'broken' : { code, message: error.message, data: errorData(error) };
}

/** The error as the last frame of a stream, where HTTP can no longer answer it; `broken` for an internal error. */
export function toStreamErrorBody(error: unknown): RpcErrorBody | 'broken' {
  if (error instanceof DomainError && error.kind !== 'internal') {
    return { code: rpcCodes.internal, message: error.message };
  }
  const body = toRpcErrorBody(error);
  return typeof body === 'object' ? body : 'broken';
}

/** The body for an internal error; only the log has the details. */
export function internalErrorBody(requestId: string): RpcErrorBody {
  const message = `An internal error occurred. The log has the details under the request id ${requestId}.`;
  return { code: rpcCodes.internal, message };
}
