// A deployment of the service as an operator makes one: its processes, its database, and what must hold at its end.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { cloneDatabase } from '../../support/database/database.ts';
import { databaseEnvironment } from '../../support/database/database-url.ts';
import { assertInvariants } from '../../support/database/invariants.ts';
import type { Database } from '../../support/database/invariant.ts';
import { run, temporaryFolder } from '../../support/process/program.ts';
import type { DeploymentName } from '../flows/flow.ts';
import { sharedTokens, tokenOf } from './credentials.ts';
import { installedCommand, ServiceProcess } from './service-process.ts';

/** Signs the webhooks of every deployment. */
export const signingSecret = 'signs-the-webhooks-of-the-walks';

export class Deployment implements AsyncDisposable {
  readonly name: DeploymentName;
  readonly folder: string;
  readonly services: readonly ServiceProcess[];
  /** Sees every tenant. */
  readonly database: Database;
  readonly #opened: AsyncDisposableStack;
  #turn = 0;

  private constructor(
    name: DeploymentName,
    folder: string,
    services: readonly ServiceProcess[],
    database: Database,
    opened: AsyncDisposableStack,
  ) {
    this.name = name;
    this.folder = folder;
    this.services = services;
    this.database = database;
    this.#opened = opened;
  }

  /** @param settings of the service, by the names of their environment variables */
  static async open(name: DeploymentName, settings: Readonly<Record<string, string>> = {}): Promise<Deployment> {
    await using opened = new AsyncDisposableStack();
    const folder = opened.use(await temporaryFolder(`switchyard walks ${name} `)).path;
    const secrets = await secretFiles(folder);
    const env = {
      ...secrets,
      EGRESS_ALLOW: '127.0.0.0/8',
      WEBHOOK_BACKOFF_SECONDS: '0.2',
      LOG_LEVEL: 'warn',
      ...settings,
    };
    const start = async (place: string, more: Record<string, string> = {}): Promise<ServiceProcess> =>
      opened.use(await ServiceProcess.start({ folder: path.join(folder, place), env: { ...env, ...more } }));
    if (name === 'embedded') {
      const service = await start('service');
      const pool = opened.adopt(embeddedDatabase(service), async (one) => one.end());
      const database: Database = { query: async (text, values) => (await pool.query(text, values)).rows };
      return new Deployment(name, folder, [service], database, opened.move());
    }
    const database = opened.use(await cloneDatabase());
    const address = databaseEnvironment(database);
    const services = await Promise.all(['one', 'two'].map((place) => start(place, address)));
    return new Deployment(name, folder, services, database, opened.move());
  }

  /** Each replica in turn, as a load balancer has it. */
  next(): ServiceProcess {
    this.#turn += 1;
    return this.at(this.#turn);
  }

  /** A replica by number; there may be one alone. */
  at(n: number): ServiceProcess {
    const service = this.services[n % this.services.length];
    if (service === undefined) throw new Error('the deployment has no service');
    return service;
  }

  /** @throws Error when the database, the audit or the end of a service is not as it has to be */
  async assertSound(): Promise<void> {
    await assertInvariants(this.database);
    for (const service of this.services) {
      await service.stop();
      const verified = await run(['audit', 'verify', '--data-dir', service.dataDir], {
        command: installedCommand,
        cwd: this.folder,
      });
      if (verified.code !== 0) throw new Error(`the audit is not whole: ${verified.out}${verified.err}`);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.disposeAsync();
  }
}

/** Secrets in files, as an orchestrator mounts them. */
async function secretFiles(folder: string): Promise<Record<string, string>> {
  const secrets = {
    SERVICE_AUTH_TOKEN: tokenOf('admin'),
    A2A_AUTH_TOKENS: sharedTokens,
    WEBHOOK_SIGNING_SECRET: signingSecret,
  };
  const files = Object.entries(secrets).map(async ([name, secret]) => {
    const file = path.join(folder, name.toLowerCase());
    await writeFile(file, `${secret}\n`, { mode: 0o600 });
    return [`${name}_FILE`, file] as const;
  });
  return Object.fromEntries(await Promise.all(files));
}

/** The address of an embedded database, and its superuser, as DATA_DIR has them. */
function embeddedDatabase({ dataDir }: ServiceProcess): pg.Pool {
  const pool = new pg.Pool({
    host: path.join(dataDir, 'socket'),
    user: 'postgres',
    password: async () => (await readFile(path.join(dataDir, 'postgres-password'), 'utf8')).trim(),
    database: 'switchyard',
    max: 2,
  });
  // A connection that breaks with its server is opened anew by the next query.
  pool.on('error', () => undefined);
  return pool;
}
