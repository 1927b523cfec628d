// Verbs that read workers.
import type { Caller } from '../model/caller.ts';
import { notFound } from '../model/errors.ts';
import type { Worker, WorkerStatus } from '../model/worker.ts';
import type { Store } from '../ports/store.ts';

export interface WorkerFilter {
  readonly status?: WorkerStatus | undefined;
  readonly capability?: string | undefined;
  readonly codebaseId?: string | undefined;
}

/** @throws DomainError not_found */
export async function getWorker(deps: { store: Store }, caller: Caller, workerId: string): Promise<Worker> {
  const worker = await deps.store.within(caller, (rows) => rows.workers.find(workerId));
  if (worker === undefined) throw notFound('worker');
  return worker;
}

/** Newest first; unregistered ones only when asked for. */
export async function listWorkers(
  deps: { store: Store },
  caller: Caller,
  filter: WorkerFilter,
  page: { limit: number; before: string | undefined },
): Promise<{ workers: Worker[]; next: string | null }> {
  return deps.store.within(caller, async (rows) => {
    const workers: Worker[] = [];
    let before = page.before;
    for (;;) {
      const found = await rows.workers.list({ limit: page.limit + 1, before });
      for (const worker of found.slice(0, page.limit)) {
        before = worker.workerId;
        if (matches(worker, filter)) workers.push(worker);
        if (workers.length === page.limit) break;
      }
      const last = found.at(-1)?.workerId === before || found.length === 0;
      if (workers.length === page.limit || last) return { workers, next: last ? null : (before ?? null) };
    }
  });
}

function matches(worker: Worker, filter: WorkerFilter): boolean {
  if (filter.status === undefined ? worker.status === 'unregistered' : worker.status !== filter.status) return false;
  if (filter.capability !== undefined && !worker.capabilities.includes(filter.capability)) return false;
  return filter.codebaseId === undefined || worker.codebaseIds.includes(filter.codebaseId);
}
