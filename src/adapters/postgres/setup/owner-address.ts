// The address of an owner or superuser, and the service's address made from it.
import { SetupError } from './setup-error.ts';
import { serviceDatabase } from './setup.ts';

export interface OwnerAddress {
  readonly url: URL;
  /** The database to set up: from the option, else from the address. */
  readonly database: string;
}

/** Databases that every server has: to log in to, not to set up. */
const systemDatabases = ['postgres', 'template0', 'template1'];
/** Parameters that belong to the owner's login only. */
const ownerOnlyParameters = ['user', 'password', 'host', 'port', 'dbname', 'sslcert', 'sslkey', 'sslpassword'];

/** @throws SetupError `bad_owner_url`; the message does not repeat the address, which may hold a password */
export function readOwnerAddress(text: string, database: string | undefined): OwnerAddress {
  const url = URL.parse(text.trim());
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new SetupError(
      'bad_owner_url',
      'The owner address is not one of PostgreSQL.',
      'Write postgresql://login:password@host:port/database.',
    );
  }
  const named = decodeURIComponent(url.pathname.slice(1));
  const fallback = named === '' || systemDatabases.includes(named) ? serviceDatabase : named;
  return { url, database: database ?? fallback };
}

/** The same server, another database. */
export function inDatabase({ url }: OwnerAddress, database: string): { connectionString: string } {
  const inside = new URL(url);
  inside.pathname = `/${encodeURIComponent(database)}`;
  return { connectionString: inside.href };
}

/**
 * The service's address of the database that was set up.
 * @param password undefined if unknown: the address then has a placeholder
 */
export function serviceAddress(owner: OwnerAddress, login: string, password: string | undefined): string {
  const { url, database } = owner;
  const parameters = new URLSearchParams(url.search);
  const host = url.host === '' ? hostOf(parameters) : url.host;
  for (const name of ownerOnlyParameters) parameters.delete(name);
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  const rest = parameters.size === 0 ? '' : `?${parameters.toString()}`;
  return `postgresql://${encodeURIComponent(login)}${secret}@${host}/${encodeURIComponent(database)}${rest}`;
}

/** `postgresql:///db?host=/run/postgresql`: the host as a parameter, which may be the folder of a socket. */
function hostOf(parameters: URLSearchParams): string {
  const port = parameters.get('port');
  return `${encodeURIComponent(parameters.get('host') ?? 'localhost')}${port === null ? '' : `:${port}`}`;
}
