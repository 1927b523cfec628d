// Renders errors of MCP calls: as HTTP rejections with the challenge, which names the authorization servers and the missing
// scopes (RFC 6750, RFC 9728), and as JSON-RPC errors. Errors of a tool are results: see tool-error.ts. choices-7.
import { DomainError } from '../../../domain/model/errors.ts';
import { toDomainError, renderProblem } from '../../wire/problem.ts';
import type { Operation } from '../../pipeline/operation.ts';
import {
  errorData,
  internalErrorBody,
  isHttpRefusal,
  RpcError,
  rpcCodes,
  type RpcErrorBody,
  type RpcId,
} from '../../wire/rpc-envelope.ts';

export interface Challenges {
  /** Address of the protected-resource metadata. */
  readonly metadataUrl: () => string;
  /** The trusted identity providers. */
  readonly authorizationServers: readonly string[];
}

export interface Refusal {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
}

/** The JSON-RPC code of a forbidden call: outside the ranges that JSON-RPC and the protocol reserve. */
const forbiddenCode = 403;

/**
 * The problem body of a rejection; 401 and 403 have the challenge too.
 * @param call the rejected JSON-RPC call: a 403 has its JSON-RPC error too
 */
export function renderHttpRefusal(
  { metadataUrl, authorizationServers }: Challenges,
  error: unknown,
  requestId: string,
  call?: { readonly id: RpcId | null },
): Refusal {
  const refusal = toDomainError(error);
  const { status, headers, body } = renderProblem(refusal, requestId);
  const resource = `resource_metadata="${metadataUrl()}"`;
  if (status === 401) {
    const challenge = `Bearer realm="switchyard", error="invalid_token", scope="mcp:read mcp:write", ${resource}`;
    return {
      status,
      headers: { ...headers, 'www-authenticate': challenge },
      body: { ...body, authorization_servers: [...authorizationServers], resource_metadata: metadataUrl() },
    };
  }
  if (status !== 403) return { status, headers, body: { ...body } };
  const { permissions = [] } = refusal;
  const challenge = `Bearer error="insufficient_scope", scope="${permissions.join(' ')}", ${resource}`;
  const challenged: Record<string, string> = permissions.length === 0 ? {} : { 'www-authenticate': challenge };
  const rpc = call === undefined ? {} : { jsonrpc: '2.0', id: call.id, error: forbiddenError(refusal) };
  return { status, headers: { ...headers, ...challenged }, body: { ...body, ...rpc } };
}

function forbiddenError(refusal: DomainError): Record<string, unknown> {
  const { permissions } = refusal;
  const requiredScopes = permissions === undefined ? {} : { required_scopes: permissions };
  return { code: forbiddenCode, message: refusal.message, data: { ...errorData(refusal), ...requiredScopes } };
}

/** Renders rejections of operations over plain HTTP that need a challenge; all others have the ordinary problem body. */
export function createChallengeRenderer(challenges: Challenges): NonNullable<Operation['renderError']> {
  return (error, view) => (isChallenged(error) ? renderHttpRefusal(challenges, error, view.requestId) : undefined);
}

/** True for rejections that have a challenge. */
export function isChallenged(error: unknown): boolean {
  return error instanceof DomainError && (error.kind === 'unauthenticated' || error.kind === 'forbidden');
}

/**
 * Renders an error of a call as a JSON-RPC error of this transport.
 * @param logFailure logs an internal error; returns the id under which the log has it
 */
export function renderMcpError(error: unknown, logFailure: (error: unknown) => string): RpcErrorBody {
  if (error instanceof RpcError) return { code: error.code, message: error.message, data: error.data };
  if (!(error instanceof DomainError) || error.kind === 'internal') return internalErrorBody(logFailure(error));
  // The head of the answer may already be sent, so a rejection that has an HTTP status elsewhere is a JSON-RPC error
  // here.
  const code = isHttpRefusal(error) ? rpcCodes.internal : rpcCodes.params;
  return { code, message: error.message, data: errorData(error) };
}
