// Finds the PostgreSQL that a running service has started on a DATA_DIR, for a second client beside that service.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { clusterDir } from './cluster.ts';
import { readPassword } from './password.ts';
import { tryConnection, type SuperuserAddress } from './readiness.ts';
import { errorCode } from '../../../lib/system/error-code.ts';

/** Undefined when none runs there, or this user may not see it. It may still not accept connections. */
export async function findRunningServer(dataDir: string): Promise<SuperuserAddress | undefined> {
  try {
    const password = await readPassword(dataDir);
    // Lines of postmaster.pid: process id, data folder, start time, port, folder of the socket, address.
    const lines = (await readFile(path.join(clusterDir(dataDir), 'postmaster.pid'), 'utf8')).split('\n');
    const [port, socket, listen] = lines.slice(3, 6).map((line) => line.trim());
    const host = socket === undefined || socket === '' ? listen : socket;
    if (password === undefined || host === undefined || host === '' || !Number.isInteger(Number(port)))
      return undefined;
    return { host, port: Number(port), user: 'postgres', password, database: 'postgres' };
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** Whether a server answers there: the file that names it outlives a server that was killed. */
export async function answers(address: SuperuserAddress): Promise<boolean> {
  return tryConnection(address).then(
    () => true,
    (error: unknown) => {
      if (['ENOENT', 'ECONNREFUSED'].includes(errorCode(error) ?? '')) return false;
      throw error;
    },
  );
}
