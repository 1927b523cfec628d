// Refusals in the words of the protocol: what JSON-RPC carries as an error, and what REST answers, in both versions.
import { A2A_ERROR_CODE } from '@a2a-js/sdk/errors';
import { isObject, type RpcErrorBody } from '../../wire/rpc-envelope.ts';
import type { WireVersion } from './versions.ts';

/** What v1.0 calls each code: the reason in its details, and on REST its status. a2a v1.0 §5.4. */
interface V10Words {
  readonly reason: string;
  readonly status: string;
  readonly http: number;
}

const malformed: V10Words = { reason: 'INVALID_PARAMS', status: 'INVALID_ARGUMENT', http: 400 };
const broken: V10Words = { reason: 'INTERNAL_ERROR', status: 'INTERNAL', http: 500 };
const precondition = (reason: string): V10Words => ({ reason, status: 'FAILED_PRECONDITION', http: 400 });

const v10Words: Readonly<Record<number, V10Words>> = {
  [A2A_ERROR_CODE.PARSE_ERROR]: { ...malformed, reason: 'PARSE_ERROR' },
  [A2A_ERROR_CODE.INVALID_REQUEST]: { ...malformed, reason: 'INVALID_REQUEST' },
  [A2A_ERROR_CODE.METHOD_NOT_FOUND]: { reason: 'METHOD_NOT_FOUND', status: 'NOT_FOUND', http: 404 },
  [A2A_ERROR_CODE.INVALID_PARAMS]: malformed,
  [A2A_ERROR_CODE.INTERNAL_ERROR]: broken,
  [A2A_ERROR_CODE.TASK_NOT_FOUND]: { reason: 'TASK_NOT_FOUND', status: 'NOT_FOUND', http: 404 },
  [A2A_ERROR_CODE.TASK_NOT_CANCELABLE]: precondition('TASK_NOT_CANCELABLE'),
  [A2A_ERROR_CODE.PUSH_NOTIFICATION_NOT_SUPPORTED]: precondition('PUSH_NOTIFICATION_NOT_SUPPORTED'),
  [A2A_ERROR_CODE.UNSUPPORTED_OPERATION]: precondition('UNSUPPORTED_OPERATION'),
  [A2A_ERROR_CODE.CONTENT_TYPE_NOT_SUPPORTED]: { ...malformed, reason: 'CONTENT_TYPE_NOT_SUPPORTED' },
  [A2A_ERROR_CODE.INVALID_AGENT_RESPONSE]: { ...broken, reason: 'INVALID_AGENT_RESPONSE' },
  [A2A_ERROR_CODE.EXTENDED_CARD_NOT_CONFIGURED]: precondition('EXTENDED_AGENT_CARD_NOT_CONFIGURED'),
  [A2A_ERROR_CODE.EXTENSION_SUPPORT_REQUIRED]: precondition('EXTENSION_SUPPORT_REQUIRED'),
  [A2A_ERROR_CODE.VERSION_NOT_SUPPORTED]: precondition('VERSION_NOT_SUPPORTED'),
};

/** v0.3 names no statuses; these are those of the official SDK, but 409 for what cannot be cancelled any more. */
const v03Status: Readonly<Record<number, number>> = {
  [A2A_ERROR_CODE.METHOD_NOT_FOUND]: 404,
  [A2A_ERROR_CODE.TASK_NOT_FOUND]: 404,
  [A2A_ERROR_CODE.TASK_NOT_CANCELABLE]: 409,
  [A2A_ERROR_CODE.INTERNAL_ERROR]: 500,
  [A2A_ERROR_CODE.INVALID_AGENT_RESPONSE]: 500,
};

/** The error as JSON-RPC of a version carries it. */
export function errorIn(version: WireVersion, body: RpcErrorBody): RpcErrorBody {
  return version === '0.3' ? body : { ...body, data: detailsOf(body) };
}

/** The error as REST of a version answers it. */
export function restErrorIn(version: WireVersion, body: RpcErrorBody): { status: number; body: unknown } {
  if (version === '0.3') return { status: v03Status[body.code] ?? 400, body };
  const { http, status } = v10Words[body.code] ?? broken;
  return { status: http, body: { error: { code: http, status, message: body.message, details: detailsOf(body) } } };
}

/** google.rpc.ErrorInfo, and the fields at fault as google.rpc.BadRequest. a2a v1.0 §9.5. */
function detailsOf({ code, data }: RpcErrorBody): unknown[] {
  if (Array.isArray(data)) return data;
  const facts = isObject(data) ? data : {};
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: (v10Words[code] ?? broken).reason,
    domain: 'a2a-protocol.org',
    ...(typeof facts['code'] === 'string' ? { metadata: { code: facts['code'] } } : {}),
  };
  const errors = Array.isArray(facts['errors']) ? facts['errors'].filter(isObject) : [];
  if (errors.length === 0) return [info];
  const fieldViolations = errors.map(({ path, message }) => ({ field: path, description: message }));
  return [info, { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }];
}
