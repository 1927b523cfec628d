// Who may ask at all, by the headers Host and Origin: before credentials are looked at, so that a page in somebody's
// browser cannot reach this door under a name of its own (DNS rebinding).
import { isIP } from 'node:net';
import { DomainError } from '../../../domain/model/errors.ts';

export interface OriginGuardSettings {
  /** Names that clients may call us by, without a port; undefined: the names that no stranger can register. */
  readonly allowedHosts: readonly string[] | undefined;
  /** Origins, as `https://app.example.com`, of pages that may call. */
  readonly allowedOrigins: readonly string[];
  /** Addresses under which this service is published. */
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
      throw forbidden('host_refused', 'This host name is not one of this service; MCP_ALLOWED_HOSTS names more.');
    }
    if (origin === undefined || origins.has(origin.toLowerCase())) return;
    const page = URL.parse(origin);
    if (page !== null && /^https?:$/.test(page.protocol) && isLoopback(page.hostname)) return;
    throw forbidden('origin_refused', 'Pages of this origin may not call; MCP_ALLOWED_ORIGINS names those that may.');
  };
}

function forbidden(code: string, message: string): DomainError {
  return new DomainError('forbidden', code, message);
}

/** As URLs write it; undefined for what is no host. */
function hostnameOf(host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined;
  return URL.parse(`http://${host}`)?.hostname;
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Addresses, single words and names of closed networks: nobody outside can make one of these point here. */
function isPrivateName(name: string): boolean {
  if (isIP(name) !== 0 || name.startsWith('[')) return true;
  return !name.includes('.') || /\.(local|internal|lan|home\.arpa|svc|cluster)$/.test(name);
}
