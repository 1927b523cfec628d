// The framework's request as the pipeline needs it: its head, its admission and call, its path for the audit.
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../domain/model/errors.ts';
import { plainAddress } from '../../lib/net/client-address.ts';
import type { Admission } from './admission.ts';
import type { AuditedCall } from './audited-call.ts';
import type { InboundRequest } from './inbound-request.ts';
import { traceparentOf } from '../wire/request-span.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `authenticate`, before the body is read. */
    admission: Admission | undefined;
    /** Set once the admission has begun. */
    call: AuditedCall | undefined;
  }
}

export function admissionOf(request: FastifyRequest): Admission {
  if (request.admission === undefined) throw new Error('a handler ran before authentication');
  return request.admission;
}

export function callOf(request: FastifyRequest): AuditedCall {
  if (request.call === undefined) throw new Error('a handler ran before its call had begun');
  return request.call;
}

/** Audits a request that failed: in the entry of its call, or as rejected where no call began. */
export function recordFailure(request: FastifyRequest, error: unknown): void {
  request.call?.failed(error);
  if (request.admission?.settled !== false) return;
  request.admission.reject({ name: 'rpc.unknown', resource: pathOf(request) }, error);
}

export function inboundRequestOf(request: FastifyRequest): InboundRequest {
  const { rawHeaders, socket } = request.raw;
  return {
    authorization: headersNamed(rawHeaders, 'authorization'),
    tenants: request.headers['x-tenant-id'] === undefined ? [] : headersNamed(rawHeaders, 'x-tenant-id'),
    // If the forwarded value is not an address, the proxy's own address identifies the client.
    address: plainAddress(request.ip) ?? plainAddress(socket.remoteAddress ?? '') ?? request.ip,
    requestId: request.id,
    traceparent: traceparentOf(request),
  };
}

/** The path of a request, without its query. */
export function pathOf(request: FastifyRequest): string {
  const query = request.url.indexOf('?');
  return query < 0 ? request.url : request.url.slice(0, query);
}

/** The refusal of a path that has neither an operation nor a file. */
export function noSuchRoute(request: FastifyRequest): DomainError {
  return new DomainError('not_found', 'no_such_route', `There is no ${request.method} ${pathOf(request)}.`);
}

/** A path for the audit: parts that could hold a token or other text are replaced. */
export function resourceOf(path: string): string {
  if (plainPath.test(path)) return path;
  return path
    .split('/')
    .map((part) => (part === '' || plainPart.test(part) ? part : '…'))
    .join('/')
    .slice(0, 300);
}

/** Matches ids, resource names and versions, but no key, session token or sign-in code. */
const plainPart = /^(?!c[cpst]_)[\w.:~@-]{1,64}$/;
const plainPath = /^(?:\/(?!c[cpst]_)[\w.:~@-]{0,64}){1,8}$/;

/** Every occurrence of a header: `headers` keeps only the first, `headersDistinct` would collect all headers. */
function headersNamed(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, i) => {
    const before = i % 2 === 1 ? (rawHeaders[i - 1] ?? '') : '';
    return before.length === name.length && before.toLowerCase() === name;
  });
}
