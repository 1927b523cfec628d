// Starts the postmaster and waits until it serves, trying again for a while when something still holds the cluster.
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './process/error.ts';
import { failureFromOutput, mostRelevantLine } from './process/failure.ts';
import type { ServerContext } from './process/launch.ts';
import { type Postmaster, startPostmaster } from './process/postmaster.ts';
import { type SuperuserAddress, waitUntilReady } from './readiness.ts';

/** The server to start: `args` are PostgreSQL's own. */
interface StartOptions {
  readonly site: ServerContext;
  readonly dir: string;
  readonly args: readonly string[];
  readonly superuser: SuperuserAddress;
}

/** How long the children of a killed server, or a zombie, may hold the cluster. */
const retryMs = 10_000;
/** Replaying `max_wal_size` takes seconds; a disk that is slower than this needs a person. */
const readyMs = 300_000;
const isHeld = /lock file ".*" already exists|pre-existing shared memory block/;

/**
 * Resolves with a server that answers; one that does not is stopped before this rejects.
 * @throws EmbeddedPostgresError
 */
export async function startUntilReady(options: StartOptions): Promise<Postmaster> {
  const { site, dir, args } = options;
  const deadline = performance.now() + retryMs;
  let isLogged = false;
  for (;;) {
    site.signal?.throwIfAborted();
    const postmaster = await startPostmaster(site, dir, args);
    const failure = await serve(postmaster, options);
    if (failure === undefined) {
      postmaster.log.passOn = true;
      return postmaster;
    }
    const lines = [...postmaster.log.lines];
    const held = lines.find((line) => isHeld.test(line));
    if (held === undefined) throw explain(failure, lines, dir, site.log);
    if (performance.now() > deadline) throw stillHeld(lines, dir);
    if (!isLogged) site.log(`Waiting for the process that still holds the database: ${held}`);
    isLogged = true;
    await delay(200, undefined, { signal: site.signal });
  }
}

/** @returns the error that kept it from serving; it is then stopped */
async function serve(postmaster: Postmaster, { site, superuser }: StartOptions): Promise<Error | 'exited' | undefined> {
  const over = new AbortController();
  const signals = [over.signal, ...(site.signal ? [site.signal] : [])];
  void postmaster.exited.then(() => over.abort());
  try {
    await waitUntilReady(superuser, readyMs, AbortSignal.any(signals), site.log);
    // Another server on the address would not have known the password; still, ours must be alive.
    return over.signal.aborted ? 'exited' : undefined;
  } catch (error) {
    const hasExited = over.signal.aborted;
    await postmaster.stop();
    site.signal?.throwIfAborted();
    if (hasExited) return 'exited';
    return error instanceof Error ? error : new Error(String(error));
  }
}

function explain(
  failure: Error | 'exited',
  lines: readonly string[],
  dir: string,
  log: (line: string) => void,
): EmbeddedPostgresError {
  for (const line of lines) log(`postgres: ${line}`);
  if (failure === 'exited') return failureFromOutput(lines, dir, 'start_failed');
  return new EmbeddedPostgresError(
    'start_failed',
    `The embedded PostgreSQL in ${dir} started, but refuses the service: ${failure.message}`,
    'See the lines above from PostgreSQL; pg_hba.conf must allow the user postgres with scram-sha-256. To set a new password, remove postgres-password from DATA_DIR.',
    { cause: failure },
  );
}

function stillHeld(lines: readonly string[], dir: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'data_dir_locked',
    `Another PostgreSQL still holds ${dir}: ${mostRelevantLine(lines)}`,
    'Stop it first, or give this service a folder of its own with DATA_DIR.',
  );
}
