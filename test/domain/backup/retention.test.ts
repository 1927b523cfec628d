// The choice of base backups that are due, and of those that may be removed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBaseDue, superfluousBases } from '../../../src/domain/backup/retention.ts';
import type { BaseBackup } from '../../../src/domain/ports/recovery/base-backups.ts';

const hour = 3_600_000;
const day = 24 * hour;
const now = Date.parse('2026-06-01T00:00:00Z');

function baseAt(ms: number): BaseBackup {
  const at = new Date(ms).toISOString();
  return { id: at, startedAt: at, endedAt: at, timeline: 1, startLsn: '0/0', endLsn: '0/0', bytes: 1 };
}

describe('base backups', () => {
  it('are due at the start, and then every so many hours [platform-6.2.1]', () => {
    expect(isBaseDue([], now, 24)).toBe(true);
    expect(isBaseDue([baseAt(now - 24 * hour + 1)], now, 24)).toBe(false);
    expect(isBaseDue([baseAt(now - 30 * day), baseAt(now - 24 * hour)], now, 24)).toBe(true);
  });

  it('stay while a moment of the kept days needs them, and no longer [platform-6.2.4] [platform-6.2.2]', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 40 * 24 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 20 }),
        (hoursAgo, keepDays) => {
          const bases = hoursAgo.toSorted((a, b) => b - a).map((hours) => baseAt(now - hours * hour));
          const removed = superfluousBases(bases, now, keepDays);
          const kept = bases.filter((base) => !removed.includes(base));
          const begin = now - keepDays * day;
          const covers = (list: readonly BaseBackup[], moment: number): boolean =>
            list.some(({ endedAt }) => Date.parse(endedAt) <= moment);
          for (let moment = begin; moment <= now; moment += 6 * hour) {
            expect(covers(kept, moment)).toBe(covers(bases, moment));
          }
          // One before the kept days is needed, two are not.
          expect(kept.filter(({ endedAt }) => Date.parse(endedAt) <= begin).length).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
