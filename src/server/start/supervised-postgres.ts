// Keeps the embedded PostgreSQL running: a server that dies is restarted, and the service recovers by itself.
import { startEmbeddedPostgres, type EmbeddedServer } from '../../adapters/postgres/embedded/server.ts';
import { sleep, whenAborted } from '../../lib/wait.ts';

export interface SupervisedPostgres extends AsyncDisposable {
  /** The superuser of the current server; read it again for each connection. */
  readonly superuser: EmbeddedServer['superuser'];
  /** The user that it runs as, when not this one. */
  readonly owner: EmbeddedServer['owner'];
  /** Ends the server at once, without waiting, for a process that is about to exit. */
  kill(): void;
}

export interface SuperviseOptions {
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string, details?: unknown) => void;
  readonly signal?: AbortSignal | undefined;
  /** PostgreSQL's own, by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

const firstRetryMs = 500;
const longestRetryMs = 30_000;

/**
 * Starts the embedded PostgreSQL and restarts it whenever it ends unexpectedly. Roles and passwords are stored in the
 * cluster, so a restarted server accepts the same logins.
 * @throws EmbeddedPostgresError when the first start fails
 */
export async function superviseEmbeddedPostgres(options: SuperviseOptions): Promise<SupervisedPostgres> {
  const stop = new AbortController();
  const stopped = whenAborted(stop.signal);
  let server = await startEmbeddedPostgres({ ...options, log: (line) => options.log(line) });
  const watching = watch();
  return {
    get superuser() {
      return server.superuser;
    },
    owner: server.owner,
    kill: () => killPostmaster(server.pid),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await watching;
      await server.stop();
    },
  };

  async function watch(): Promise<void> {
    while (!stop.signal.aborted) {
      const why = await Promise.race([server.crashed, stopped]);
      if (why === undefined) return;
      options.log('the embedded PostgreSQL ended; restarting it', new Error(why));
      await server.stop();
      await restart();
    }
  }

  async function restart(): Promise<void> {
    for (let waitMs = firstRetryMs; !stop.signal.aborted; waitMs = Math.min(longestRetryMs, waitMs * 2)) {
      try {
        server = await startEmbeddedPostgres({ ...options, log: (line) => options.log(line), signal: stop.signal });
        options.log('the embedded PostgreSQL is running again');
        return;
      } catch (error) {
        if (stop.signal.aborted) return;
        options.log('the embedded PostgreSQL does not start; will retry', error);
        await sleep(waitMs, stop.signal, { ref: false });
      }
    }
  }
}

/** Immediate shutdown; what was acknowledged is in the log on disk, from which the next start recovers. */
function killPostmaster(pid: number): void {
  try {
    process.kill(pid, 'SIGQUIT');
  } catch {
    // It has already ended.
  }
}
