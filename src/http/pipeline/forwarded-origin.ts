// The address by which clients reach the service, as a proxy that is trusted tells it. choices-1.
import type { FastifyRequest } from 'fastify';

const hostPattern = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/**
 * Scheme and host, without a trailing slash. Undefined unless the request came through a proxy of TRUSTED_PROXIES that
 * says who asked and by which host: any other header is a guess, and the client's own word.
 */
export function forwardedOriginOf(request: FastifyRequest): string | undefined {
  const { headers, ips, host, protocol } = request;
  if (headers['x-forwarded-host'] === undefined || ips === undefined || ips.length < 2) return undefined;
  return hostPattern.test(host) && /^https?$/.test(protocol) ? `${protocol}://${host.toLowerCase()}` : undefined;
}
