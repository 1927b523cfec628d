// The embedded PostgreSQL: a real server in DATA_DIR, started and stopped with the service.
import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { openAddress } from './address.ts';
import { type Binaries, copyBinaries, linkLibraries, locateBinaries, type HostPlatform } from './process/binaries.ts';
import { openCluster, openRecovering } from './cluster.ts';
import { lockDataDir } from './process/data-lock.ts';
import { explainSystemError, mostRelevantLine } from './process/failure.ts';
import { chooseLauncher, type Launcher, type ServerContext } from './process/launch.ts';
import { allowTraversal } from './process/ownership.ts';
import type { Postmaster } from './process/postmaster.ts';
import type { UserIds } from './process/system-user.ts';
import type { SuperuserAddress } from './readiness.ts';
import { serverSettings, settingArguments } from './settings.ts';
import { startUntilReady } from './start-until-ready.ts';
import { stopOrphan } from './stop-orphan.ts';
import { makeFolder } from '../../../lib/system/make-folder.ts';

/** A running server; disposing it is `stop()`. */
export interface EmbeddedServer extends AsyncDisposable {
  /** Superuser address of the cluster, for setup only: goes to pg's ClientConfig. */
  readonly superuser: SuperuserAddress;
  readonly pid: number;
  /** The user that it runs as, when not this one. */
  readonly owner: UserIds | undefined;
  /** Resolves when PostgreSQL ended without `stop()` having been called, with a line that says so. */
  readonly crashed: Promise<string>;
  /** Fast shutdown: waits for the end, then frees DATA_DIR. May be called twice. */
  stop(): Promise<void>;
}

/** `settings` are PostgreSQL's own names and win over the defaults of settings.ts; `env` is read for PATH and TMPDIR. */
interface EmbeddedServerOptions {
  readonly dataDir: string;
  readonly log: (line: string) => void;
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  readonly settings?: Readonly<Record<string, string>>;
  /** A cluster from a base backup, which recovers now: its password is not known, and its settings let us in without. */
  readonly recovers?: true;
}

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, making the folder and the database when they are missing, and resolves
 * when it answers (design.md §3).
 * @throws EmbeddedPostgresError with a code and a remedy; the reason of `signal` when that aborts the start
 */
export async function startEmbeddedPostgres(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  try {
    const { log, env, signal } = options;
    const dataDir = await openDataDir(options.dataDir);
    return await startIn({ dataDir, log, env, signal }, options, thisPlatform());
  } catch (error) {
    throw explainSystemError(error, options.dataDir);
  }
}

async function startIn(
  place: Omit<ServerContext, 'runnable'>,
  { settings = {}, recovers }: Pick<EmbeddedServerOptions, 'settings' | 'recovers'>,
  platform: HostPlatform,
): Promise<EmbeddedServer> {
  const { dataDir, env, signal } = place;
  await using opened = new AsyncDisposableStack();
  opened.use(await lockDataDir(dataDir));
  const runnable = await findRunnable(place, platform);
  const site: ServerContext = { ...place, runnable };
  signal?.throwIfAborted();
  await allowTraversal(dataDir, runnable.launcher);
  await stopOrphan(site, platform.os);
  const cluster = recovers === true ? await openRecovering(site) : await openCluster(site);
  signal?.throwIfAborted();
  const { address } = opened.use(await openAddress({ dataDir, os: platform.os, env, launcher: runnable.launcher }));
  const superuser = {
    host: address.host,
    port: address.port,
    user: 'postgres',
    password: cluster.password,
    database: 'postgres',
  };
  const args = settingArguments(serverSettings(address, platform.os, settings));
  const postmaster = await startUntilReady({ site, dir: cluster.dir, args, superuser });
  opened.defer(async () => postmaster.stop());
  const { owner } = runnable.launcher;
  return toEmbeddedServer({ postmaster, superuser, owner }, opened.move());
}

/** The promise of a crash keeps `opened` alive: the lock would end if it were garbage collected. */
function toEmbeddedServer(
  { postmaster, superuser, owner }: { readonly postmaster: Postmaster } & Pick<EmbeddedServer, 'superuser' | 'owner'>,
  opened: AsyncDisposableStack,
): EmbeddedServer {
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => (stopping ??= opened.disposeAsync());
  const crash = Promise.withResolvers<string>();
  const reportCrash = async (): Promise<void> => {
    const how = await postmaster.exited;
    if (stopping !== undefined || opened.disposed) return;
    crash.resolve(`PostgreSQL (process ${postmaster.pid}) ${how} unasked: ${mostRelevantLine(postmaster.log.lines)}`);
  };
  void reportCrash();
  return { superuser, owner, pid: postmaster.pid, crashed: crash.promise, stop, [Symbol.asyncDispose]: stop };
}

/** Finds the programs and a way to run them. @throws EmbeddedPostgresError */
export async function findRunnable(
  place: Omit<ServerContext, 'runnable'>,
  platform: HostPlatform = thisPlatform(),
): Promise<ServerContext['runnable']> {
  const { dataDir, env, signal } = place;
  const located = await locateBinaries(platform);
  const packaged = (await linkLibraries(located)) ? located : undefined;
  const copy = async (launcher: Launcher): Promise<Binaries> => {
    await allowTraversal(dataDir, launcher);
    return copyBinaries(located, dataDir, platform.os);
  };
  return chooseLauncher({ dataDir, uid: process.getuid?.(), env, packaged, copy, signal });
}

/** The real path, because PostgreSQL's own files are compared with it. */
async function openDataDir(dir: string): Promise<string> {
  await makeFolder(dir, 0o700);
  await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  return realpath(dir);
}

function thisPlatform(): HostPlatform {
  const { resolve } = createRequire(import.meta.url);
  return { os: process.platform, arch: process.arch, resolvePackage: (name) => resolve(name) };
}
