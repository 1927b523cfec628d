// Wires base backups: the loop, its metrics, and what it says to the health.
import { Gauge, type Registry } from 'prom-client';
import { BaseBackupLoop } from '../../../domain/backup/base-backup-loop.ts';
import type { HealthPart } from '../../../domain/insight/service-health.ts';
import type { BaseBackups } from '../../../domain/ports/recovery/base-backups.ts';
import type { ServiceConfig } from '../../config/service-config.ts';

export interface BackupWiring {
  readonly config: Pick<ServiceConfig, 'backup' | 'databaseUrl'>;
  readonly bases?: BaseBackups | undefined;
  readonly now: () => number;
  readonly log: (line: string, details?: unknown) => void;
}

/** A minute of outage costs one file of the log, at least; this much is two hours of a quiet service. */
const maxWaitingBytes = 2 * 1024 ** 3;

/** Undefined where no base backups are taken. */
export function wireBackups({ config, bases, now, log }: BackupWiring): BaseBackupLoop | undefined {
  if (bases === undefined || config.backup === undefined) return undefined;
  return new BaseBackupLoop({ ...config.backup, bases, maxWaitingBytes, now, log });
}

/** The part `backup` of the service's health. */
export function backupPart(loop: BaseBackupLoop | undefined, { databaseUrl }: BackupWiring['config']): HealthPart {
  if (loop === undefined) {
    const reason =
      databaseUrl === undefined
        ? 'BACKUP_DIR is not set.'
        : 'The server of DATABASE_URL is backed up by its own tools, or by `switchyard backup`.';
    return { status: 'off', reason };
  }
  const { problem, lastGoodAt } = loop.state;
  if (problem !== undefined) return { status: 'degraded', reason: problem };
  const reason = lastGoodAt === undefined ? null : `The last one is of ${new Date(lastGoodAt).toISOString()}.`;
  return { status: 'ok', reason };
}

export function registerBackupMetrics(registry: Registry, loop: BaseBackupLoop, now: () => number): void {
  const registers = [registry];
  // Owned by the registry.
  void new Gauge({
    name: 'switchyard_backup_age_seconds',
    help: 'Age of the last whole base backup; +Inf while there is none.',
    registers,
    collect() {
      const { lastGoodAt } = loop.state;
      this.set(lastGoodAt === undefined ? Number.POSITIVE_INFINITY : Math.max(0, now() - lastGoodAt) / 1000);
    },
  });
  void new Gauge({
    name: 'switchyard_backup_failing',
    help: '1 while base backups or the log cannot be stored in BACKUP_DIR.',
    registers,
    collect() {
      this.set(loop.state.problem === undefined ? 0 : 1);
    },
  });
}
