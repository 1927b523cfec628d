// Tells the service, under the old leases, what an earlier life of this worker could not tell it.
import type { ServiceClient } from '../service/client.ts';
import type { Clock } from '../base/clock.ts';
import { createDelivery } from './delivery.ts';
import type { Log } from '../base/log.ts';
import { createReport } from './report.ts';
import { describeError } from '../base/service-error.ts';
import { createParking } from './parking.ts';
import type { Owed, Spool } from './spool.ts';

export interface ReplayOptions {
  spool: Spool;
  client: Pick<ServiceClient, 'reportEvents' | 'release'>;
  clock: Clock;
  random: () => number;
  log: Log;
}

/** How many leases are told of at once. */
const lanes = 4;

/** Nobody works under the lease any more who would have to be told. */
const nobody = (): void => undefined;

async function replayOne(entry: Owed, options: ReplayOptions, signal: AbortSignal): Promise<void> {
  const { task_id: taskId, lease_token: leaseToken } = entry;
  const common = { ...options, taskId, leaseToken, signal };
  const parking = createParking(options.spool, entry, 'parked');
  await using report = createReport({ ...common, owed: entry.events, onLost: nobody, onCancel: nobody });
  if (entry.release !== null) {
    const delivery = createDelivery({ ...common, report, parking, leaseGone: () => false, leaseLost: () => false });
    await delivery.resume(entry.release);
    return;
  }
  // The run died with the worker; what it said is for its log, if its lease still holds, and for nothing else.
  await report.flush();
  if (!signal.aborted) await parking.settle();
}

/** Resolves when nothing is left in the spool that this service may take, or `signal` aborts. Never rejects. */
export async function replaySpool(options: ReplayOptions, signal: AbortSignal): Promise<void> {
  const { log, spool } = options;
  try {
    const entries = await spool.left();
    if (entries.length === 0) return;
    log.info({ leases: entries.length }, 'telling the service what it could not be told before');
    const lane = async (): Promise<void> => {
      for (let entry = entries.shift(); entry !== undefined && !signal.aborted; entry = entries.shift()) {
        await replayOne(entry, options, signal);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  } catch (error) {
    log.error({ error: describeError(error) }, 'the spool could not be told to its end');
  }
}
