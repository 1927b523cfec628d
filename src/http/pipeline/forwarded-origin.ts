// The public origin of the service, as forwarded by a trusted proxy. choices-1.
import type { FastifyRequest } from 'fastify';

const hostPattern = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/**
 * Scheme and host, without a trailing slash. Undefined unless a proxy of TRUSTED_PROXIES forwarded both the client's address
 * and the host: any client can set these headers itself.
 */
export function forwardedOriginOf(request: FastifyRequest): string | undefined {
  const { headers, ips, host, protocol } = request;
  if (headers['x-forwarded-host'] === undefined || ips === undefined || ips.length < 2) return undefined;
  return hostPattern.test(host) && /^https?$/.test(protocol) ? `${protocol}://${host.toLowerCase()}` : undefined;
}
