// Checks the headers Host and Origin before authentication, so that a web page cannot reach MCP through a host name of
// its own (DNS rebinding).
import { isIP } from 'node:net';
import { DomainError } from '../../../domain/model/errors.ts';

export interface OriginGuardSettings {
  /** Accepted host names, without a port; undefined accepts every name that cannot be registered publicly. */
  readonly allowedHosts: readonly string[] | undefined;
  /** Origins of web pages that may call, as `https://app.example.com`. */
  readonly allowedOrigins: readonly string[];
  /** Public addresses of this service. */
  readonly publicUrls: readonly string[];
}

export type OriginGuard = (host: string | undefined, origin: string | undefined) => void;

/** @returns a check that throws DomainError forbidden: `host_refused`, `origin_refused` */
export function createOriginGuard({ allowedHosts, allowedOrigins, publicUrls }: OriginGuardSettings): OriginGuard {
  const published = publicUrls.flatMap((text) => URL.parse(text) ?? []);
  const hosts = new Set([
    ...(allowedHosts ?? []).map((name) => name.toLowerCase()),
    ...published.map(({ hostname }) => hostname),
  ]);
  const origins = new Set([
    ...allowedOrigins.map((text) => text.toLowerCase()),
    ...published.map(({ origin }) => origin),
  ]);
  return (host, origin) => {
    const name = hostnameOf(host);
    if (
      name === undefined ||
      !(hosts.has(name) || isLoopback(name) || (allowedHosts === undefined && isPrivateName(name)))
    ) {
      throw forbidden('host_refused', 'This host name is not allowed; add it to MCP_ALLOWED_HOSTS.');
    }
    if (origin === undefined || origins.has(origin.toLowerCase())) return;
    const page = URL.parse(origin);
    if (page !== null && /^https?:$/.test(page.protocol) && isLoopback(page.hostname)) return;
    throw forbidden('origin_refused', 'Pages of this origin are not allowed; add it to MCP_ALLOWED_ORIGINS.');
  };
}

function forbidden(code: string, message: string): DomainError {
  return new DomainError('forbidden', code, message);
}

/** The host name in the form of URLs; undefined for an invalid header. */
function hostnameOf(host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined;
  return URL.parse(`http://${host}`)?.hostname;
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}

/** IP addresses, single words and names of private networks: an outsider cannot register one that resolves to us. */
function isPrivateName(name: string): boolean {
  if (isIP(name) !== 0 || name.startsWith('[')) return true;
  return !name.includes('.') || /\.(local|internal|lan|home\.arpa|svc|cluster)$/.test(name);
}
