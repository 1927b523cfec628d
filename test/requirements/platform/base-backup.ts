// The requirements of base backups and point in time.
import { requirements } from '../requirement.ts';

export const platformBaseBackup = requirements('platform-6', 'backup', {});
