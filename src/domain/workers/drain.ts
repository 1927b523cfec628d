// Drains a worker: it is given nothing more, and keeps what it runs, until it registers anew.
import { changeOwned } from '../access/change-owned.ts';
import type { Caller } from '../model/access/caller.ts';
import { notFound } from '../model/errors.ts';
import type { Worker } from '../model/worker.ts';
import type { Rows } from '../ports/store/store.ts';
import type { WorkerDeps } from './deps.ts';

/**
 * Marks a worker as drained. Repeating it changes nothing. A claim that began before may still be answered.
 * @throws DomainError not_found for an unknown or unregistered worker; forbidden for another credential's worker below
 *   the role operator
 */
export async function drainWorker(
  deps: Pick<WorkerDeps, 'store' | 'policy' | 'wake'>,
  caller: Caller,
  workerId: string,
): Promise<Worker> {
  const find = async (rows: Rows): Promise<Worker> => {
    const found = await rows.workers.find(workerId);
    if (found === undefined || found.status === 'unregistered') throw notFound('worker');
    return found;
  };
  const worker = await changeOwned(deps, caller, {
    ownerOf: async (rows) => (await find(rows)).subject,
    change: async (rows) => {
      await rows.workers.drain(workerId);
      return find(rows);
    },
  });
  deps.wake.announce({ kind: 'workers', tenantId: caller.tenantId, workerId });
  return worker;
}
