// Restores an archive into a database of the operator's own: roles and database as `db setup` makes them, then the rows.
import pg from 'pg';
import { inDatabase, readOwnerAddress } from '../../setup/owner-address.ts';
import { ownerRole } from '../../setup/setup.ts';
import { setUpDatabase, type SetupResult } from '../../setup/setup-external.ts';
import { fillDatabase, finishDatabase, type FillOptions } from './fill-database.ts';
import { prepareTarget } from './own-target.ts';
import { proveRestored } from './restore-embedded.ts';

export interface OwnRestoreOptions extends FillOptions {
  /** Address of a superuser, of the owner of the tables, or of a login that may create roles. */
  readonly ownerUrl: string;
}

export interface OwnRestoreResult extends SetupResult {
  /** False: the isolation of tenants was not proven, because the password of the service's login is not known here. */
  readonly proven: boolean;
}

/** @throws BackupError; SetupError; MigrationError; the driver's error */
export async function restoreOwn(options: OwnRestoreOptions): Promise<OwnRestoreResult> {
  const { ownerUrl, summary } = options;
  const owner = readOwnerAddress(ownerUrl, undefined);
  const { backup_id: backupId, migrations } = summary.header;
  const state = await prepareTarget(inDatabase(owner, owner.database), { backupId, migrations });
  const setup = await setUpDatabase({
    ownerUrl,
    database: undefined,
    login: undefined,
    rotatePassword: false,
    makeTables: (address) => (state === 'filled' ? finishDatabase(address) : fillDatabase(address, ownerRole, options)),
  });
  return { ...setup, proven: await prove(setup, inDatabase(owner, owner.database)) };
}

/** As the service's login, which a superuser may become without its password. */
async function prove(setup: SetupResult, owner: { connectionString: string }): Promise<boolean> {
  if (setup.hasPassword) {
    await proveRestored({ connectionString: setup.address });
    return true;
  }
  if (!(await isSuperuser(owner))) return false;
  await proveRestored(owner, setup.login);
  return true;
}

async function isSuperuser(address: { connectionString: string }): Promise<boolean> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ super: boolean }>(
      'select rolsuper as super from pg_roles where rolname = session_user',
    );
    return rows[0]?.super === true;
  } finally {
    await client.end();
  }
}
