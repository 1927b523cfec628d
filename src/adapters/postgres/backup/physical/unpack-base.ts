// Unpacks a base backup and the log after it into a data folder that is being made.
import { copyFile, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createReadStream } from 'node:fs';
import { createZstdDecompress } from 'node:zlib';
import { extract } from 'tar';
import type { BaseBackup } from '../../../../domain/ports/recovery/base-backups.ts';
import { clusterDir } from '../../embedded/cluster.ts';
import { BackupError } from '../archive/backup-error.ts';
import { baseDamaged, checkManifest } from './base-manifest.ts';
import type { BaseFolder } from './base-folder.ts';
import { parseHistoryName, parseSegment, segmentBytes, segmentOf } from './wal.ts';

/** Within the cluster, so that it belongs to the user that PostgreSQL runs as. Removed after the recovery. */
export const logFolder = 'switchyard-log';
/** Lets us in without a password, which is not known yet, by a socket that is in a folder of our own. */
export const trustFile = 'switchyard-hba.conf';

/** @throws BackupError base_damaged; the system's error */
export async function unpackBase(folder: BaseFolder, base: BaseBackup, dataDir: string): Promise<void> {
  const cluster = clusterDir(dataDir);
  await mkdir(cluster, { mode: 0o700 });
  const dir = folder.baseDir(base.id);
  try {
    // The server may have run as another user inside a namespace: its files become ours.
    await extract({ file: path.join(dir, 'base.tar.gz'), cwd: cluster, preserveOwner: false, strict: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code))) throw error;
    throw baseDamaged('it cannot be unpacked', error);
  }
  await checkManifest(path.join(dir, 'backup_manifest'), cluster);
  await unpackLog(folder, segmentOf(base.startLsn), path.join(cluster, logFolder));
  const trusted = ['local all postgres trust', 'host all postgres 127.0.0.1/32 trust'];
  const rules = [...trusted, 'local all all scram-sha-256', 'host all all 127.0.0.1/32 scram-sha-256'];
  await writeFile(path.join(cluster, trustFile), `${rules.join('\n')}\n`, { mode: 0o600 });
  await writeFile(path.join(cluster, 'recovery.signal'), '', { mode: 0o600 });
}

/** Removes the files that only the recovery needed. */
export async function removeLeftovers(dataDir: string): Promise<void> {
  const cluster = clusterDir(dataDir);
  for (const name of [logFolder, trustFile, 'recovery.done', 'backup_label.old', 'backup_manifest']) {
    await rm(path.join(cluster, name), { recursive: true, force: true });
  }
}

async function unpackLog(folder: BaseFolder, fromSegment: number, target: string): Promise<void> {
  await mkdir(target, { mode: 0o700 });
  for (const name of await readdir(folder.wal)) {
    const segment = parseSegment(name);
    const isNeeded = segment !== undefined && segment.form !== 'label' && segment.number >= fromSegment;
    if (!isNeeded && parseHistoryName(name) === undefined) continue;
    const source = path.join(folder.wal, name);
    if (segment?.form === 'compressed') await unpackSegment(source, path.join(target, segment.name));
    else await copyFile(source, path.join(target, name));
  }
}

/** Without the zeros at its end, which take no room then: a segment that was closed by time has little else. */
async function unpackSegment(source: string, target: string): Promise<void> {
  await using file = await open(target, 'w', 0o600);
  let position = 0;
  try {
    for await (const chunk of createReadStream(source).pipe(createZstdDecompress())) {
      if (!(chunk instanceof Uint8Array)) throw new Error('a stream of bytes returned something else');
      if (chunk.some((byte) => byte !== 0)) await file.write(chunk, 0, chunk.length, position);
      position += chunk.length;
    }
  } catch (cause) {
    throw new BackupError(
      'base_damaged',
      `The file ${path.basename(source)} of the log is damaged.`,
      'Restore to a moment before it (--to).',
      { cause },
    );
  }
  await file.truncate(Math.max(position, segmentBytes));
}
