// Renders errors of the A2A REST binding: rejected requests, unknown paths below its base, and streams that break off.
import { A2A_ERROR_CODE } from '@a2a-js/sdk/errors';
import { DomainError } from '../../../domain/model/errors.ts';
import type { RequestFailure } from '../../bindings/request-failure.ts';
import type { Operation, RequestView } from '../../pipeline/operation.ts';
import { internalErrorBody, toRpcErrorBody, toStreamErrorBody, type RpcErrorBody } from '../../wire/rpc-envelope.ts';
import { findRequestedVersion } from '../protocol/requested-version.ts';
import type { WireVersion } from '../protocol/versions.ts';
import { errorToRest } from '../protocol/wire-errors.ts';

export type RenderError = NonNullable<Operation['renderError']>;
export type LogFailure = (line: string, details: RequestFailure) => void;

/** Renders the protocol's own error bodies. An unsupported version is reported in the form of v1.0. */
export function createErrorRenderer(log: LogFailure): RenderError {
  return (error, view) => {
    const body = notFoundBody(error) ?? toRpcErrorBody(error);
    if (body === 'http') return undefined;
    if (body === 'broken') log('a request failed', { request_id: view.requestId, error });
    const version = errorVersionOf(view);
    const refusal = errorToRest(version, body === 'broken' ? internalErrorBody(view.requestId) : body);
    return { ...refusal, headers: contentTypeFor(version, view) };
  };
}

const notFoundCodes: Readonly<Record<string, number>> = {
  // A malformed id in a path is rejected by the row's schema, before a verb could throw the protocol's own error.
  task_not_found: A2A_ERROR_CODE.TASK_NOT_FOUND,
  no_such_route: A2A_ERROR_CODE.METHOD_NOT_FOUND,
};

function notFoundBody(error: unknown): RpcErrorBody | undefined {
  if (!(error instanceof DomainError)) return undefined;
  const code = notFoundCodes[error.code];
  return code === undefined ? undefined : { code, message: error.message };
}

function errorVersionOf(view: RequestView): WireVersion {
  try {
    return findRequestedVersion(view) ?? '0.3';
  } catch {
    // The requested version is unsupported, and v0.3 has no error for that.
    return '1.0';
  }
}

/** The data of the last frame of a stream that breaks off. */
export function renderStreamError(version: WireVersion, error: unknown, view: RequestView, log: LogFailure): unknown {
  const body = toStreamErrorBody(error);
  if (body !== 'broken') return errorToRest(version, body).body;
  log('a request failed', { request_id: view.requestId, error });
  return errorToRest(version, internalErrorBody(view.requestId)).body;
}

/** v1.0’s own media type, when the client accepts it. a2a v1.0 §11. */
export function contentTypeFor(version: WireVersion, view: RequestView): Readonly<Record<string, string>> {
  const wantsA2aType = version === '1.0' && /\bapplication\/a2a\+json\b/.test(view.header('accept') ?? '');
  return wantsA2aType ? { 'content-type': 'application/a2a+json' } : {};
}
