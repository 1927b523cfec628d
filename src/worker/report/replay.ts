// Delivers, under the old leases, the events and results that an earlier process of this worker could not deliver.
import type { WorkerClient } from '../service/client.ts';
import type { Clock } from '../base/clock.ts';
import { OutcomeDelivery } from './outcome-delivery.ts';
import type { WorkerLog } from '../base/log.ts';
import { EventReporter } from './event-reporter.ts';
import { describeError } from '../base/service-error.ts';
import { SpoolEntry } from './spool-entry.ts';
import type { SpoolRecord, Spool } from './spool.ts';

export interface ReplayOptions {
  readonly spool: Spool;
  readonly client: Pick<WorkerClient, 'reportEvents' | 'release'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: WorkerLog;
}

/** How many leases are replayed at once. */
const concurrency = 4;

/** No work goes on under the lease any more, so its loss needs no handling. */
const ignore = (): void => undefined;

async function replayRecord(record: SpoolRecord, options: ReplayOptions, signal: AbortSignal): Promise<void> {
  const { task_id: taskId, lease_token: leaseToken } = record;
  const common = { ...options, taskId, leaseToken, signal };
  const spoolEntry = new SpoolEntry(options.spool, record, 'stored');
  await using reporter = new EventReporter({ ...common, pending: record.events, onLost: ignore, onCancel: ignore });
  if (record.release !== null) {
    const delivery = new OutcomeDelivery({
      ...common,
      reporter,
      spoolEntry,
      leaseGone: () => false,
      leaseLost: () => false,
    });
    await delivery.resume(record.release);
    return;
  }
  // The attempt died with the worker. Its events only complete the log, if the lease still holds.
  await reporter.flush();
  if (!signal.aborted) await spoolEntry.settle();
}

/** Resolves when the spool holds nothing more that this service may take, or `signal` aborts. Never rejects. */
export async function replaySpool(options: ReplayOptions, signal: AbortSignal): Promise<void> {
  const { log, spool } = options;
  try {
    const records = await spool.records();
    if (records.length === 0) return;
    log.info({ leases: records.length }, 'replaying the spool');
    const replayRemaining = async (): Promise<void> => {
      for (let record = records.shift(); record !== undefined && !signal.aborted; record = records.shift()) {
        await replayRecord(record, options, signal);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, replayRemaining));
  } catch (error) {
    log.error({ error: describeError(error) }, 'could not replay the whole spool; the rest waits for the next start');
  }
}
