// Renders errors for the wire: as JSON-RPC errors and as REST answers, in both versions of the protocol.
import { A2A_ERROR_CODE } from '@a2a-js/sdk/errors';
import { isObject, type RpcErrorBody } from '../../wire/rpc-envelope.ts';
import type { WireVersion } from './versions.ts';

/** The names that v1.0 gives a code: the reason in its details, and its status on REST. a2a v1.0 §5.4. */
interface ErrorNamesV10 {
  readonly reason: string;
  readonly status: string;
  readonly http: number;
}

const malformedV10: ErrorNamesV10 = { reason: 'INVALID_PARAMS', status: 'INVALID_ARGUMENT', http: 400 };
const internalV10: ErrorNamesV10 = { reason: 'INTERNAL_ERROR', status: 'INTERNAL', http: 500 };
const preconditionV10 = (reason: string): ErrorNamesV10 => ({ reason, status: 'FAILED_PRECONDITION', http: 400 });

const errorNamesV10: Readonly<Record<number, ErrorNamesV10>> = {
  [A2A_ERROR_CODE.PARSE_ERROR]: { ...malformedV10, reason: 'PARSE_ERROR' },
  [A2A_ERROR_CODE.INVALID_REQUEST]: { ...malformedV10, reason: 'INVALID_REQUEST' },
  [A2A_ERROR_CODE.METHOD_NOT_FOUND]: { reason: 'METHOD_NOT_FOUND', status: 'NOT_FOUND', http: 404 },
  [A2A_ERROR_CODE.INVALID_PARAMS]: malformedV10,
  [A2A_ERROR_CODE.INTERNAL_ERROR]: internalV10,
  [A2A_ERROR_CODE.TASK_NOT_FOUND]: { reason: 'TASK_NOT_FOUND', status: 'NOT_FOUND', http: 404 },
  [A2A_ERROR_CODE.TASK_NOT_CANCELABLE]: preconditionV10('TASK_NOT_CANCELABLE'),
  [A2A_ERROR_CODE.PUSH_NOTIFICATION_NOT_SUPPORTED]: preconditionV10('PUSH_NOTIFICATION_NOT_SUPPORTED'),
  [A2A_ERROR_CODE.UNSUPPORTED_OPERATION]: preconditionV10('UNSUPPORTED_OPERATION'),
  [A2A_ERROR_CODE.CONTENT_TYPE_NOT_SUPPORTED]: { ...malformedV10, reason: 'CONTENT_TYPE_NOT_SUPPORTED' },
  [A2A_ERROR_CODE.INVALID_AGENT_RESPONSE]: { ...internalV10, reason: 'INVALID_AGENT_RESPONSE' },
  [A2A_ERROR_CODE.EXTENDED_CARD_NOT_CONFIGURED]: preconditionV10('EXTENDED_AGENT_CARD_NOT_CONFIGURED'),
  [A2A_ERROR_CODE.EXTENSION_SUPPORT_REQUIRED]: preconditionV10('EXTENSION_SUPPORT_REQUIRED'),
  [A2A_ERROR_CODE.VERSION_NOT_SUPPORTED]: preconditionV10('VERSION_NOT_SUPPORTED'),
};

/**
 * v0.3 names no statuses. These are the official SDK's, but 409 for a task that can no longer be cancelled; others are
 * 400.
 */
const restStatusV03: Readonly<Record<number, number>> = {
  [A2A_ERROR_CODE.METHOD_NOT_FOUND]: 404,
  [A2A_ERROR_CODE.TASK_NOT_FOUND]: 404,
  [A2A_ERROR_CODE.TASK_NOT_CANCELABLE]: 409,
  [A2A_ERROR_CODE.INTERNAL_ERROR]: 500,
  [A2A_ERROR_CODE.INVALID_AGENT_RESPONSE]: 500,
};

/** The member `error` of a JSON-RPC answer. */
export function errorToRpc(version: WireVersion, body: RpcErrorBody): RpcErrorBody {
  return version === '0.3' ? body : { ...body, data: errorDetailsV10(body) };
}

/** The status and body of a REST answer. */
export function errorToRest(version: WireVersion, body: RpcErrorBody): { status: number; body: unknown } {
  if (version === '0.3') return { status: restStatusV03[body.code] ?? 400, body };
  const { http, status } = errorNamesV10[body.code] ?? internalV10;
  return {
    status: http,
    body: { error: { code: http, status, message: body.message, details: errorDetailsV10(body) } },
  };
}

/** google.rpc.ErrorInfo, and the invalid fields as google.rpc.BadRequest. a2a v1.0 §9.5. */
function errorDetailsV10({ code, data }: RpcErrorBody): unknown[] {
  if (Array.isArray(data)) return data;
  const domainData = isObject(data) ? data : {};
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: (errorNamesV10[code] ?? internalV10).reason,
    domain: 'a2a-protocol.org',
    ...(typeof domainData['code'] === 'string' ? { metadata: { code: domainData['code'] } } : {}),
  };
  const errors = Array.isArray(domainData['errors']) ? domainData['errors'].filter(isObject) : [];
  if (errors.length === 0) return [info];
  const fieldViolations = errors.map(({ path, message }) => ({ field: path, description: message }));
  return [info, { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }];
}
