// The operation that lets sends go which wait since a restore. platform-6.
import { releaseAnswer } from '../../../contracts/monitor/restore.ts';
import { releaseSends, type ReleaseDeps } from '../../../domain/backup/release-sends.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';

export function restoreOperations(deps: ReleaseDeps): Operation[] {
  return [
    operation({
      name: 'restore.release',
      method: 'POST',
      path: '/v1/restore/release',
      summary: 'Release the sends that wait since a restore.',
      description:
        'After a restore mails, conversions and publish steps of runs wait, because it is not known what was sent after the backup. This concerns the whole installation.',
      permission: 'monitor:write',
      answers: { 200: releaseAnswer },
      run: async (caller) => {
        const restore = await releaseSends(deps, caller);
        const [restoredAt, backupAt] = [restore?.restoredAt ?? null, restore?.backupAt ?? null];
        return { status: 200, body: { released: restore !== undefined, restored_at: restoredAt, backup_at: backupAt } };
      },
    }),
  ];
}
