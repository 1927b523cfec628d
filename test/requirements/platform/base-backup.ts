// The requirements of base backups, and of restores to any point in time.
import { requirements } from '../requirement.ts';

export const platformBaseBackup = requirements('platform-6.2', 'backup', {
  'platform-6.2.1': 'With BACKUP_DIR a base backup is taken at the start and every BACKUP_EVERY_HOURS.',
  'platform-6.2.2':
    'The embedded database is restored to any moment of the last BACKUP_KEEP_DAYS, such as before a delete.',
  'platform-6.2.3': 'A full or missing BACKUP_DIR never stops the service: /health has backup failing.',
  'platform-6.2.4': 'Base backups and log that nothing needs any more are removed.',
  'platform-6.2.5': 'A moment that is not covered, and a damaged base backup, are refused, and nothing is left behind.',
  'platform-6.2.6': 'What another database left in BACKUP_DIR is set aside, and can still be restored.',
  'platform-6.2.7':
    'The metrics have the age of the last whole base backup, and the loop backup is in the status of loops.',
  'platform-6.2.8': 'After a gap in the log a base backup is taken at once.',
});
