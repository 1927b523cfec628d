// Stores a new run with its stories, once for each idempotency key, and lets the director begin it.
import { describeActor } from '../../access/acting-owner.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { RunStory } from '../../model/run/run.ts';
import type { IdempotencyKey } from '../../ports/store/queue.ts';
import type { NewRun } from '../../ports/store/runs.ts';
import type { Rows } from '../../ports/store/store.ts';
import { keyReused } from '../../tasks/submit.ts';
import { requireRun } from '../read/require-run.ts';
import { readRunView, type RunView } from '../read/run-view.ts';
import type { RunDeps } from './run-deps.ts';

export interface CreatedRun {
  readonly view: RunView;
  /** True: an earlier request with the same idempotency key created the run. */
  readonly replayed: boolean;
}

/** A run before it is known by which credential it is created. */
export type NewRunFields = Omit<NewRun, 'keyId' | 'actsAs'>;

export interface RunInsertion {
  readonly run: NewRunFields;
  readonly stories: readonly RunStory[];
  readonly idempotency: IdempotencyKey | undefined;
}

/**
 * @param check within the transaction, before the run is inserted; not called for a repeated request
 * @param addRest within the transaction, after it
 * @throws DomainError key_reused; what `check` and `addRest` throw
 */
export async function insertRun(
  deps: Pick<RunDeps, 'store' | 'wake'>,
  caller: Caller,
  { run, stories, idempotency }: RunInsertion,
  check: (rows: Rows) => Promise<void>,
  addRest: (rows: Rows) => Promise<void> = () => Promise.resolve(),
): Promise<CreatedRun> {
  const created = await deps.store.within(caller, async (rows) => {
    if (idempotency !== undefined) {
      const repeat = await rows.repeats.claimKey(run.id, caller.subject, idempotency);
      if (repeat.verdict === 'key_reused') throw keyReused();
      if (repeat.verdict === 'repeated')
        return { view: await readRunView(rows, await requireRun(rows, repeat.taskId)), replayed: true };
    }
    await check(rows);
    const actsAs = await describeActor(rows, caller);
    await rows.runs.insert({ ...run, actsAs, keyId: actsAs.keyId }, stories);
    await addRest(rows);
    await rows.runRecords.appendEvents(run.id, [{ type: 'run', data: { status: run.status, current_iteration: 0 } }]);
    return { view: await readRunView(rows, await requireRun(rows, run.id)), replayed: false };
  });
  if (!created.replayed) announceRun(deps, caller.tenantId, run.id);
  return created;
}

/** Notifies followers of a run and the director. Call it after the commit. */
export function announceRun({ wake }: Pick<RunDeps, 'wake'>, tenantId: string, runId: string): void {
  wake.announce({ kind: 'run', tenantId, runId });
}
