// Sets up an operator's own PostgreSQL for `db setup`; failures become StartErrors.
import { DangerousLoginError } from '../../adapters/postgres/setup/login-guard.ts';
import { MigrationError } from '../../adapters/postgres/schema/migrate.ts';
import { SetupError } from '../../adapters/postgres/setup/setup-error.ts';
import { setUpDatabase, type SetupResult, type SetupOptions } from '../../adapters/postgres/setup/setup-external.ts';
import { StartError } from '../config/errors/start-error.ts';
import { errorCode } from '../../lib/system/error-code.ts';

/** @throws StartError; its message never holds an address or a password */
export async function setUpServiceDatabase(options: SetupOptions): Promise<SetupResult> {
  try {
    return await setUpDatabase(options);
  } catch (error) {
    throw toStartError(error);
  }
}

function toStartError(error: unknown): unknown {
  if (error instanceof SetupError) return new StartError(error.code, error.message, error.remedy, { cause: error });
  if (error instanceof MigrationError) return new StartError('migration_failed', error.message, '', { cause: error });
  if (error instanceof DangerousLoginError)
    return new StartError('dangerous_login', error.message, '', { cause: error });
  if (!(error instanceof Error)) return error;
  const code = errorCode(error) ?? '';
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  const [kind, reason, remedy] = explainFailure(code);
  return new StartError(kind, `${reason}: ${first.message || code}`, remedy, { cause: error });
}

function explainFailure(code: string): [kind: string, why: string, remedy: string] {
  if (code.startsWith('28')) {
    return [
      'login_refused',
      'The server refuses the login of the owner address',
      'Check its name and password, and pg_hba.conf.',
    ];
  }
  if (code === '42501') {
    return ['not_allowed', 'The login of the owner address may not do this', 'Give the address of a superuser.'];
  }
  if (/^[0-9A-Z]{5}$/.test(code) && !code.startsWith('57P')) {
    return [
      'setup_failed',
      'PostgreSQL refuses a step of the setup',
      'Nothing is half done that a second run cannot mend.',
    ];
  }
  return [
    'database_unavailable',
    'No PostgreSQL can be reached at the owner address',
    'Check host, port and TLS parameters, and that the server runs.',
  ];
}
