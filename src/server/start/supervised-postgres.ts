// Keeps the embedded PostgreSQL running: one that dies is started again, and the service recovers by itself.
import { startEmbeddedPostgres, type EmbeddedServer } from '../../adapters/postgres/embedded/server.ts';
import { sleep, whenAborted } from '../../lib/wait.ts';

export interface SupervisedPostgres extends AsyncDisposable {
  /** Of the server that runs now; read it anew for each connection. */
  readonly superuser: EmbeddedServer['superuser'];
  /** Ends the server at once and without waiting, for a process that has no time left. */
  kill(): void;
}

export interface SuperviseOptions {
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string, details?: unknown) => void;
  readonly signal?: AbortSignal | undefined;
}

const firstRetryMs = 500;
const longestRetryMs = 30_000;

/**
 * Starts the embedded PostgreSQL and starts it again whenever it ends unasked. Roles and passwords lie in the
 * cluster, so that a restarted server is reached as before.
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
      options.log('the embedded PostgreSQL ended; starting it again', new Error(why));
      await server.stop();
      await restart();
    }
  }

  async function restart(): Promise<void> {
    for (let waitMs = firstRetryMs; !stop.signal.aborted; waitMs = Math.min(longestRetryMs, waitMs * 2)) {
      try {
        server = await startEmbeddedPostgres({ ...options, log: (line) => options.log(line), signal: stop.signal });
        options.log('the embedded PostgreSQL runs again');
        return;
      } catch (error) {
        if (stop.signal.aborted) return;
        options.log('the embedded PostgreSQL does not start; trying again', error);
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
    // It has ended already: that is what was wanted.
  }
}
