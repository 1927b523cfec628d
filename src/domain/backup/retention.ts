// Decides which base backups are due and which may be removed. Pure.
import type { BaseBackup } from '../ports/recovery/base-backups.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Whether the newest is too old, or there is none. */
export function isBaseDue(bases: readonly BaseBackup[], nowMs: number, everyHours: number): boolean {
  const newest = bases.at(-1);
  return newest === undefined || nowMs - Date.parse(newest.startedAt) >= everyHours * hourMs;
}

/**
 * Those that nothing within the last `keepDays` days needs: to recover to the first moment of that time, the newest backup
 * before it has to stay.
 * @param bases oldest first
 */
export function superfluousBases(bases: readonly BaseBackup[], nowMs: number, keepDays: number): BaseBackup[] {
  const beginMs = nowMs - keepDays * dayMs;
  const lastBefore = bases.findLastIndex(({ endedAt }) => Date.parse(endedAt) <= beginMs);
  return bases.slice(0, Math.max(0, lastBefore));
}
