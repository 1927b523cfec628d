// Flows of the platform's families.
import { acrossReplicas, flows, type Flow } from './flow.ts';

export const platform: readonly Flow[] = [
  ...flows('platform-5', acrossReplicas, {
    'analytics-funnel':
      'A product records what visitors do, identifies them, and reads how far they come and where those who pay came from.',
    'analytics-erase': 'A person is erased, and nothing of it is left.',
  }),
  ...flows('platform-6', ['embedded'], {
    'backup-and-restore':
      'The whole installation is backed up while the service runs, and another service goes on from the backup.',
  }),
];
