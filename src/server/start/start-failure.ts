// Explains failures of the start as StartErrors.
import { AuditFileError } from '../../adapters/audit-file/error.ts';
import { EmbeddedPostgresError } from '../../adapters/postgres/embedded/process/error.ts';
import { DangerousLoginError } from '../../adapters/postgres/setup/login-guard.ts';
import { MigrationError } from '../../adapters/postgres/schema/migrate.ts';
import { StartError } from '../config/errors/start-error.ts';

/** The settings that name a port; `MCP_PORT` is that of the tool protocol. */
export type PortSetting = 'PORT' | 'MCP_PORT';

/** Explains a failed `listen`. */
export function listenFailure(error: unknown, host: string, port: number, setting: PortSetting): unknown {
  const flag = setting === 'PORT' ? '--port' : '--mcp-port';
  const listenAddress = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const code = findErrorCode(error) ?? '';
  const explanations: Record<string, [string, string]> = {
    EADDRINUSE: [
      `The port is taken: another program listens on ${listenAddress}.`,
      `Stop it, or choose another port with ${flag} or ${setting}.`,
    ],
    EACCES: [`This user may not listen on ${listenAddress}.`, `Choose a port above 1023 with ${flag} or ${setting}.`],
    EADDRNOTAVAIL: [`${host} is not an address of this machine.`, 'Choose one with --host or HOST.'],
    ENOTFOUND: [`The host name ${host} is not known here.`, 'Choose an address with --host or HOST.'],
  };
  const [message, remedy] = explanations[code] ?? [];
  if (message === undefined || remedy === undefined) return error;
  return new StartError(code === 'EADDRINUSE' ? 'port_taken' : 'cannot_listen', message, remedy, { cause: error });
}

/** A known failure as a StartError; an unexpected one unchanged. */
export function explainStartFailure(error: unknown): unknown {
  if (error instanceof EmbeddedPostgresError || error instanceof AuditFileError) {
    return new StartError(error.code, error.message, error.remedy, { cause: error });
  }
  if (error instanceof DangerousLoginError) {
    return new StartError('dangerous_login', error.message, '', { cause: error });
  }
  if (error instanceof MigrationError) return new StartError('migration_failed', error.message, '', { cause: error });
  const code = findErrorCode(error) ?? '';
  const reason = error instanceof Error ? error.message || code : String(error);
  const [why, remedy] = explainDatabaseError(code) ?? [];
  if (why === undefined || remedy === undefined) return error;
  return new StartError('database_unavailable', `${why}: ${reason}`, remedy, { cause: error });
}

function explainDatabaseError(code: string): [string, string] | undefined {
  if (/^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT)$/.test(code)) {
    return ['The database at DATABASE_URL cannot be reached', 'Check host and port, and that PostgreSQL runs there.'];
  }
  if (code.startsWith('28')) {
    return ['The database refuses the login of DATABASE_URL', 'Check its name and password, and pg_hba.conf.'];
  }
  if (code === '3D000') return ['The database of DATABASE_URL does not exist', 'Create it, or name another.'];
  if (code.startsWith('57P')) return ['The database is starting or stopping', 'Try again in a moment.'];
  return undefined;
}

function findErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Node tries every address of a name and throws all errors as one.
  return error instanceof AggregateError ? findErrorCode(error.errors[0]) : undefined;
}
