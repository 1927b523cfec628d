// Renders HTTP rejections of MCP calls: the problem body with the challenge, which names the authorization servers and
// the missing scopes (RFC 6750, RFC 9728). choices-7.
import { DomainError } from '../../../domain/model/errors.ts';
import { toDomainError, renderProblem } from '../../wire/problem.ts';
import { errorData, type RpcId } from '../../wire/rpc-envelope.ts';

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
