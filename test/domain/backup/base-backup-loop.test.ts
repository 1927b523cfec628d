// The loop backup: what it does about folders that are full, missing, or there again.
import { describe, expect, it } from 'vitest';
import { BaseBackupLoop } from '../../../src/domain/backup/base-backup-loop.ts';
import type { BaseBackup, BaseBackups, LogArchiving } from '../../../src/domain/ports/recovery/base-backups.ts';

const base: BaseBackup = {
  id: '20260101T000000Z',
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:01:00.000Z',
  timeline: 1,
  startLsn: '0/0',
  endLsn: '0/0',
  bytes: 1,
};
const startMs = Date.parse(base.endedAt);

class FakeBases implements BaseBackups {
  readonly calls: string[] = [];
  known: BaseBackup[] = [];
  log: LogArchiving = { problem: undefined, waitingBytes: 0, isDropping: false };
  isNew = false;
  broken: string | undefined;
  takeFails = false;

  prepare(): Promise<boolean> {
    if (this.broken !== undefined) return Promise.reject(new Error(this.broken));
    this.log = { ...this.log, isDropping: false };
    const wasNew = this.isNew;
    this.isNew = false;
    return Promise.resolve(wasNew);
  }
  archiving = (): Promise<LogArchiving> => Promise.resolve(this.log);
  dropLog(): Promise<void> {
    this.calls.push('drop');
    this.log = { ...this.log, isDropping: true };
    this.isNew = true;
    return Promise.resolve();
  }
  list = (): Promise<BaseBackup[]> => Promise.resolve([...this.known]);
  take(): Promise<BaseBackup> {
    this.calls.push('take');
    if (this.takeFails) return Promise.reject(new Error('no room'));
    this.known.push(base);
    return Promise.resolve(base);
  }
  tidy = (): Promise<void> => Promise.resolve();
}

function openLoop(bases: FakeBases) {
  const clock = { now: startMs };
  const loop = new BaseBackupLoop({
    bases,
    everyHours: 24,
    keepDays: 7,
    maxWaitingBytes: 100,
    now: () => clock.now,
    log: () => undefined,
  });
  const tick = async (): Promise<void> => {
    await loop.tick();
    await loop.settled();
  };
  return { loop, clock, tick };
}

describe('the loop backup', () => {
  it('takes the first base backup at the start and the next a day later [platform-6.2.1]', async () => {
    const bases = new FakeBases();
    const { loop, clock, tick } = openLoop(bases);
    await tick();
    expect(loop.state).toEqual({ problem: undefined, lastGoodAt: startMs });
    await tick();
    expect(bases.calls).toEqual(['take']);
    clock.now += 24 * 3_600_000;
    await tick();
    expect(bases.calls).toEqual(['take', 'take']);
  });

  it('says why it fails, tries again after a minute, and is well again [platform-6.2.3]', async () => {
    const bases = new FakeBases();
    const { loop, clock, tick } = openLoop(bases);
    bases.takeFails = true;
    await tick();
    expect(loop.state.problem).toContain('no room');
    await tick();
    expect(bases.calls).toEqual(['take']);
    expect(loop.state.problem).toContain('no room');
    bases.takeFails = false;
    clock.now += 60_000;
    await tick();
    expect(loop.state).toEqual({ problem: undefined, lastGoodAt: startMs });
  });

  it('is failing while the folder is missing, and then the log is dropped before the disk is full [platform-6.2.3] [platform-6.2.8]', async () => {
    const bases = new FakeBases();
    const { loop, tick } = openLoop(bases);
    await tick();
    bases.broken = 'ENOENT: no such file or directory';
    bases.log = { problem: 'it was refused', waitingBytes: 100, isDropping: false };
    await expect(tick()).rejects.toThrow('ENOENT');
    expect(loop.state.problem).toContain('ENOENT');
    expect(bases.calls).toEqual(['take']);
    bases.log = { problem: 'it was refused', waitingBytes: 101, isDropping: false };
    await expect(tick()).rejects.toThrow('ENOENT');
    expect(bases.calls).toEqual(['take', 'drop']);
    await expect(tick()).rejects.toThrow('ENOENT');
    expect(bases.calls).toEqual(['take', 'drop']);
    bases.broken = undefined;
    bases.log = { problem: undefined, waitingBytes: 0, isDropping: true };
    await tick();
    // The newest is a minute old: the gap alone makes another one due.
    expect(bases.calls).toEqual(['take', 'drop', 'take']);
    expect(loop.state.problem).toBeUndefined();
  });

  it('drops no log that only waits for its turn', async () => {
    const bases = new FakeBases();
    const { tick } = openLoop(bases);
    bases.log = { problem: undefined, waitingBytes: 1_000, isDropping: false };
    await tick();
    expect(bases.calls).toEqual(['take']);
  });
});
