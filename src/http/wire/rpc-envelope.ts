// The JSON-RPC 2.0 envelope as values: what a request is, what an error is, and which code says it.
import { hasMoreValues, parseJson, tooManyValues } from '../../lib/json/json-text.ts';
import { DomainError, type ErrorKind } from '../../domain/model/errors.ts';

/** An error in the words of a protocol on JSON-RPC: goes out as it is, as HTTP 200. */
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

/** The id of what came, for its answer; null where it has none that could be answered. JSON-RPC 2.0 §5. */
export function findRpcId(value: unknown): RpcId | null {
  const id = isObject(value) ? value['id'] : undefined;
  // No fractions: the protocol's schema has integers alone, and two parsers may not agree on a fraction.
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : null;
}

/**
 * What a call asks for, with the id to answer under: null for one without, as a notification is.
 * @throws RpcError for a value that is no call (a batch is none)
 */
export function parseCall(value: unknown): Omit<Envelope, 'id'> & { readonly id: RpcId | null } {
  if (Array.isArray(value)) throw new RpcError(rpcCodes.request, 'Invalid request: batches are not supported.');
  if (!isObject(value)) throw new RpcError(rpcCodes.request, 'Invalid request: it is not an object.');
  const { jsonrpc, method, params } = value;
  if (jsonrpc !== '2.0') throw new RpcError(rpcCodes.request, 'Invalid request: jsonrpc must be "2.0".');
  const id = findRpcId(value);
  if (id === null && (value['id'] ?? null) !== null) throw missingIdError();
  if (typeof method !== 'string' || method === '') {
    throw new RpcError(rpcCodes.request, 'Invalid request: method must be a string that names a method.');
  }
  return { id, method, params };
}

/** @throws RpcError for a value that is no request, which has an id */
export function parseEnvelope(value: unknown): Envelope {
  const { id, ...call } = parseCall(value);
  if (id === null) throw missingIdError();
  return { id, ...call };
}

/** The refusal of what has no id that could be answered. */
export function missingIdError(): RpcError {
  return new RpcError(rpcCodes.request, 'Invalid request: id must be a string or a whole number.');
}

/** @throws RpcError for bytes that are no JSON */
export function parseJsonBody(body: unknown): unknown {
  const bytes = body instanceof Uint8Array ? body : new Uint8Array();
  if (hasMoreValues(bytes)) {
    throw new RpcError(rpcCodes.request, `Invalid request: it holds ${tooManyValues}.`);
  }
  try {
    return parseJson(bytes);
  } catch {
    // Where exactly it is wrong helps nobody who did not mean to send JSON.
    throw new RpcError(rpcCodes.parse, 'Parse error: the body is not valid JSON in UTF-8.');
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Kinds that are answered as HTTP on every path; the others have a code here. */
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

/** True for refusals that every path answers as HTTP with the problem body. choices-3. */
export function isHttpRefusal(error: DomainError): boolean {
  return codeByKind[error.kind] === 'http';
}

/** What a refusal of the domain says beside its sentence. */
export function errorData(error: DomainError): Record<string, unknown> {
  return { code: error.code, ...(error.errors === undefined ? {} : { errors: error.errors.map((e) => ({ ...e })) }) };
}

/** The member `error` of an answer. */
export interface RpcErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The error in the protocol's words; `http` for what HTTP answers on every path, `broken` for a fault of ours. */
export function toRpcErrorBody(error: unknown): RpcErrorBody | 'http' | 'broken' {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return { code, message, ...(data === undefined ? {} : { data }) };
  }
  if (!(error instanceof DomainError)) return 'broken';
  if (error.code === 'invalid_json') return { code: rpcCodes.parse, message: error.message };
  const code = codeByKind[error.kind];
  if (code === 'http') return code;
  return code === rpcCodes.internal ? 'broken' : { code, message: error.message, data: errorData(error) };
}

/** Neutral words for a fault of ours; the log has the rest. */
export function internalErrorBody(requestId: string): RpcErrorBody {
  const message = `Something went wrong here. The log has it under the request id ${requestId}.`;
  return { code: rpcCodes.internal, message };
}
