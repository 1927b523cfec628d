// Read operations on workers.
import { cutPage } from '../access/cut-page.ts';
import type { Caller } from '../model/access/caller.ts';
import { notFound } from '../model/errors.ts';
import type { Worker } from '../model/worker.ts';
import type { Store, WorkerFilter } from '../ports/store/store.ts';

/** @throws DomainError not_found */
export async function getWorker(deps: { store: Store }, caller: Caller, workerId: string): Promise<Worker> {
  const worker = await deps.store.within(caller, (rows) => rows.workers.find(workerId));
  if (worker === undefined) throw notFound('worker');
  return worker;
}

/** Lists workers, newest first; unregistered ones only when the filter asks for them. */
export async function listWorkers(
  deps: { store: Store },
  caller: Caller,
  filter: WorkerFilter,
  page: { limit: number; before: string | undefined },
): Promise<{ workers: readonly Worker[]; next: string | null }> {
  const found = await deps.store.within(caller, (rows) =>
    rows.workers.list(filter, { limit: page.limit + 1, before: page.before }),
  );
  const { items: workers, next } = cutPage(found, page.limit, (worker) => worker.workerId);
  return { workers, next };
}
