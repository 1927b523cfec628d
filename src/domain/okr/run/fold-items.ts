// Folds the items of a run whose tasks have ended, each once. platform-4.
import type { OkrRun, OkrRunItem, OkrView } from '../../model/okr/okr.ts';
import type { Rows } from '../../ports/store/store.ts';
import type { OkrDeps } from '../base/okr-deps.ts';
import { countItem, foldItem } from './fold-item.ts';

export interface FoldedItems {
  /** All items of the run, which are stored. */
  readonly items: readonly OkrRunItem[];
  /** Those that have ended now. */
  readonly ended: readonly OkrRunItem[];
}

/** In the transaction that holds the lock of the objective: an item that has ended once is never folded again. */
export async function foldItems(
  deps: Pick<OkrDeps, 'parseReport' | 'metrics'>,
  rows: Rows,
  okr: OkrView,
  run: OkrRun,
): Promise<FoldedItems> {
  const items = [...run.items];
  const ended: OkrRunItem[] = [];
  for (const [at, item] of run.items.entries()) {
    const folded = await foldItem(deps, rows, okr, item);
    if (folded === undefined) continue;
    items[at] = folded;
    // The share of completed tasks counts the items that are stored.
    await rows.okrRuns.update(run, { items });
    const counted = await countItem(rows, okr, folded);
    items[at] = counted;
    ended.push(counted);
    deps.metrics.folded(counted.status);
  }
  if (ended.length > 0) await rows.okrRuns.update(run, { items });
  return { items, ended };
}
