// The requirements of archives and their restore.
import { requirements } from '../requirement.ts';

export const platformArchive = requirements('platform-6', 'backup', {});
