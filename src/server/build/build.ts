// The wiring: adapters into verbs, verbs into doors, loops around them. Nothing here decides anything.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { dueDeliveries } from '../../adapters/postgres/store/due-deliveries.ts';
import { postgresLoopLeaders } from '../../adapters/postgres/store/loop-leaders.ts';
import { TenantLog } from '../../domain/events/tenant-log.ts';
import { DeliverySender } from '../../domain/webhooks/sender.ts';
import { notificationForm } from '../../http/a2a/call/push.ts';
import type { Mcp } from '../../http/mcp/build.ts';
import type { Operation, RpcOperation } from '../../http/pipeline/operation.ts';
import { openApps } from './apps.ts';
import { startBackground } from './background.ts';
import { elapsedMs, type BuildOptions } from './build-options.ts';
import { mountDoors } from './doors.ts';
import { openGround, type Ground } from './ground.ts';
import { wireHallway } from './hallway.ts';
import { LoopLead } from '../loops/loop-lead.ts';
import { tracedEgress } from './traced-egress.ts';

export interface Service extends AsyncDisposable {
  readonly app: FastifyInstance;
  /** The tool protocol alone, for its own port. */
  readonly toolApp: FastifyInstance;
  /** Every operation of the REST families, as mounted. */
  readonly operations: readonly Operation[];
  /** Every method of the RPC doors, as mounted. */
  readonly rpcOperations: readonly RpcOperation[];
  /** The tool protocol: its methods and tools. */
  readonly mcp: Mcp;
  /** From now on the service says that it is not ready, and answers all the same. */
  turnAway(): void;
}

/** Wires a service on a database that is up and migrated; it listens only when its `app` is told to. */
export async function buildService(given: BuildOptions): Promise<Service> {
  const { config, log } = given;
  await using opening = new AsyncDisposableStack();
  const ground = await openGround(given, opening);
  const { now } = ground;
  const options = { ...given, now };
  const tenantLog = opening.use(new TenantLog({ ...ground, retentionDays: config.retentionDays, log }));
  const sender = opening.use(openSender(options, ground));
  const { hallway, access } = wireHallway(options, ground, opening);
  let isLeaving = false;
  const leaving = (): boolean => isLeaving;
  const apps = openApps(options, ground, { hallway, leaving }, opening);
  const replica = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const leaders = postgresLoopLeaders(ground.pool);
  const loops = opening.use(new LoopLead({ leaders, replica, now, elapsedMs, log }));
  const doors = mountDoors(options, ground, { ...apps, hallway, access, loops, tenantLog, sender, leaving });
  await startBackground(options, ground, { loops, access, sender }, opening);

  const turnAway = (): void => {
    isLeaving = true;
  };
  const closing = opening.move();
  return { ...apps, ...doors, turnAway, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

function openSender({ config, version, log }: BuildOptions, ground: Ground): DeliverySender {
  const { pool, store, queue, wake, egress, tracer, metrics, now } = ground;
  return new DeliverySender({
    store,
    queue,
    outbox: dueDeliveries(pool),
    wake,
    egress: tracer === undefined ? egress : tracedEgress(egress, tracer),
    notification: notificationForm,
    signingSecrets: config.webhookSecrets,
    backoffSeconds: config.webhookBackoffSeconds,
    userAgent: `switchyard/${version}`,
    now,
    random: Math.random,
    tally: metrics,
    log,
  });
}
