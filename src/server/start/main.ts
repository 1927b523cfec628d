// Runs the service: opens the database, builds, listens, and stops without leaving anything running.
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { buildService } from '../build/build.ts';
import { openDatabase } from './database.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import type { ServiceLog } from './service-log.ts';
import { explainStartFailure, listenFailure, type PortSetting } from './start-failure.ts';
import { configWarnings } from './start-message.ts';

export interface ServiceIo {
  readonly version: string;
  /** PostgreSQL's programs read PATH and TMPDIR from it. */
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
  readonly log: ServiceLog;
  /** Aborts the start. */
  readonly signal?: AbortSignal;
}

export interface RunningService {
  /** The address of the service on this machine. */
  readonly url: string;
  /** The address of the tool protocol on this machine. */
  readonly toolUrl: string;
  /** Names the database in one line. */
  readonly database: string;
  /** The state of the cluster manager; undefined: no setting names a cluster. */
  readonly cluster: string | undefined;
  readonly warnings: readonly string[];
  /** Resolves when the service has stopped completely. */
  readonly done: Promise<void>;
  /** Reports not ready for the setting's `drainSeconds`; then stops listening, ends streams, closes pools, stops PostgreSQL. May be called twice. */
  stop(): Promise<void>;
  /** Ends the embedded PostgreSQL, which would outlive this process, at once and without waiting. */
  kill(): void;
}

/**
 * Starts the service; resolves once it accepts requests.
 * @throws StartError with one line and a remedy; the reason of `signal`; unexpected errors unchanged
 */
export async function runService(config: ServiceConfig, io: ServiceIo): Promise<RunningService> {
  await using opened = new AsyncDisposableStack();
  const { version, env, now, log, signal } = io;
  try {
    const database = opened.use(await openDatabase(config, { env, log, signal }));
    const service = opened.use(
      await buildService({ config, address: database.address, bases: database.bases(now), version, now, log }),
    );
    signal?.throwIfAborted();
    const { app, toolApp } = service;
    await listen(app, config.host, config.port, 'PORT');
    await listen(toolApp, config.host, config.mcpPort, 'MCP_PORT');
    const warnings = [...configWarnings(config), ...database.warnings];
    for (const line of warnings) log(`warning: ${line}`);
    if (service.cluster !== undefined) log(`cluster management: ${service.cluster}`);
    const url = localUrl(app.server.address());
    const toolUrl = `${localUrl(toolApp.server.address())}/mcp`;
    log('the service listens', { url, tools: toolUrl, policy: config.policy });
    const running = opened.move();
    const { promise: done, resolve } = Promise.withResolvers<void>();
    let stopping: Promise<void> | undefined;
    const drainAndClose = async (): Promise<void> => {
      service.startDraining();
      if (config.drainSeconds > 0) await delay(config.drainSeconds * 1000);
      await running.disposeAsync();
    };
    const stop = (): Promise<void> => (stopping ??= drainAndClose().finally(resolve));
    return {
      url,
      toolUrl,
      database: database.description,
      cluster: service.cluster,
      warnings,
      done,
      stop,
      kill: () => database.kill(),
    };
  } catch (error) {
    throw explainStartFailure(error);
  }
}

/** @throws StartError naming the setting to change */
async function listen(app: FastifyInstance, host: string, port: number, setting: PortSetting): Promise<void> {
  try {
    await app.listen({ port, host });
  } catch (error) {
    throw listenFailure(error, host, port, setting);
  }
}

/** A wildcard address is reached through loopback. */
function localUrl(bound: AddressInfo | string | null): string {
  if (bound === null || typeof bound === 'string') throw new Error('the service does not listen on a port');
  const { address, port } = bound;
  const reachable = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
