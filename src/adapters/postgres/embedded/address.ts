// The address of the embedded PostgreSQL: a Unix socket in a private folder, or loopback on Windows.
import { chmod, chown, mkdir, mkdtemp, readlink, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { EmbeddedPostgresError } from './process/error.ts';
import type { Launcher } from './process/launch.ts';
import { errorCode } from '../../../lib/system/error-code.ts';

/** `host` is what pg takes: the folder of the socket, or an address. */
export interface ListenAddress {
  readonly kind: 'socket' | 'loopback';
  readonly host: string;
  readonly port: number;
}

/** An address that is ready to be listened on; disposing it removes the files outside of `dataDir`. */
interface OpenAddress extends AsyncDisposable {
  readonly address: ListenAddress;
}

const nothing = async (): Promise<void> => undefined;

/** Only part of the socket's name: nobody else listens in the folder. */
const socketPort = 5432;
const temporaryPrefix = 'switchyard-postgres-';

/** The longest path that a socket can have: the field of the system's structure without its closing zero. */
function longestSocketPath(os: NodeJS.Platform): number {
  return os === 'darwin' ? 103 : 107;
}

/** The socket file in `folder`. */
export function socketFile(folder: string): string {
  return path.join(folder, `.s.PGSQL.${socketPort}`);
}

/** Path of the socket's folder: the folder itself, or a link to one in the temporary folder. */
export function socketFolder(dataDir: string): string {
  return path.join(dataDir, 'socket');
}

/**
 * Prepares the address for one start. The caller holds the lock on `dataDir`.
 * @throws EmbeddedPostgresError `start_failed` when no path is short enough
 */
export async function openAddress(options: {
  dataDir: string;
  os: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  launcher: Launcher;
}): Promise<OpenAddress> {
  const { dataDir, os, launcher } = options;
  if (os === 'win32') {
    return {
      address: { kind: 'loopback', host: '127.0.0.1', port: await freePort() },
      [Symbol.asyncDispose]: nothing,
    };
  }
  const place = socketFolder(dataDir);
  await removeLeftover(place);
  if (fits(place, os)) {
    await mkdir(place, { mode: 0o700 });
    await giveFolder(place, launcher);
    return { address: { kind: 'socket', host: place, port: socketPort }, [Symbol.asyncDispose]: nothing };
  }
  const folder = await temporaryFolder(options);
  await giveFolder(folder, launcher);
  // If this service is killed, the next start finds by the link what to remove.
  await symlink(folder, place);
  const dispose = async (): Promise<void> => removeLeftover(place);
  return { address: { kind: 'socket', host: folder, port: socketPort }, [Symbol.asyncDispose]: dispose };
}

function fits(folder: string, os: NodeJS.Platform): boolean {
  return Buffer.byteLength(socketFile(folder)) <= longestSocketPath(os);
}

async function temporaryFolder({ os, env }: { os: NodeJS.Platform; env: NodeJS.ProcessEnv }): Promise<string> {
  const places = [env['TMPDIR'] ?? '/tmp', '/tmp'].filter((place) => path.isAbsolute(place));
  const parent = places.find((place) => fits(path.join(place, `${temporaryPrefix}xxxxxx`), os));
  if (parent !== undefined) return mkdtemp(path.join(parent, temporaryPrefix));
  throw new EmbeddedPostgresError(
    'start_failed',
    `No folder has a path short enough for the socket of PostgreSQL (${longestSocketPath(os)} bytes).`,
    'Set DATA_DIR to a folder with a shorter path.',
  );
}

async function giveFolder(folder: string, launcher: Launcher): Promise<void> {
  await chmod(folder, 0o700);
  if (launcher.owner) await chown(folder, launcher.owner.uid, launcher.owner.gid);
}

/**
 * Removes the socket of the last start: a lock file whose process id belongs to another process now would keep PostgreSQL
 * from starting.
 */
async function removeLeftover(place: string): Promise<void> {
  const target = await linkTarget(place);
  // Only a name that `mkdtemp` above can have made: the folder may have been copied here with a foreign link.
  const isOurs = target?.startsWith('/') === true && path.basename(target).startsWith(temporaryPrefix);
  if (target !== undefined && isOurs) await rm(target, { recursive: true, force: true });
  await rm(place, { recursive: true, force: true });
}

async function linkTarget(place: string): Promise<string | undefined> {
  try {
    return await readlink(place);
  } catch (error) {
    // EINVAL: a folder, not a link.
    if (['ENOENT', 'EINVAL'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  probe.once('error', reject);
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
  });
  return promise;
}
