// Chooses the base backup from which a moment is recovered.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BaseBackup } from '../../../../domain/ports/recovery/base-backups.ts';
import { BackupError } from '../archive/backup-error.ts';
import { BaseFolder } from './base-folder.ts';
import { parseHistory, parseHistoryName, parseLsn } from './wal.ts';

/** @param toMs milliseconds since 1970; undefined: as late as the log goes @throws BackupError */
export async function chooseBase(folder: BaseFolder, toMs: number | undefined): Promise<BaseBackup> {
  const all = await folder.list();
  const oldest = all[0];
  if (oldest === undefined) {
    throw new BackupError(
      'no_such_backup',
      `There is no whole base backup in ${folder.path}.`,
      'Name the BACKUP_DIR of a service, or a folder earlier-… in it.',
    );
  }
  const reachable = await onLatestTimeline(folder, all);
  const base = reachable.findLast(({ endedAt }) => toMs === undefined || Date.parse(endedAt) <= toMs);
  if (base !== undefined) return base;
  throw new BackupError(
    'time_not_covered',
    `No base backup ended before ${new Date(toMs ?? 0).toISOString()}; the oldest one ended at ${oldest.endedAt}.`,
    'Name a later time with --to.',
  );
}

/** After a recovery the log goes on under a new number; backups of what was given up then lead nowhere. */
async function onLatestTimeline(folder: BaseFolder, bases: readonly BaseBackup[]): Promise<readonly BaseBackup[]> {
  const histories = (await readdir(folder.wal)).flatMap((name) => {
    const timeline = parseHistoryName(name);
    return timeline === undefined ? [] : [{ name, timeline }];
  });
  const latest = histories.toSorted((a, b) => a.timeline - b.timeline).at(-1);
  if (latest === undefined) return bases;
  const ends = parseHistory(await readFile(path.join(folder.wal, latest.name), 'utf8'));
  return bases.filter(({ timeline, endLsn }) => {
    const end = ends.get(timeline);
    return timeline === latest.timeline || (end !== undefined && parseLsn(endLsn) <= end);
  });
}
