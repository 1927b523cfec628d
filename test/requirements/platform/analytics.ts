// The requirements of analytics: its tables, its calls, and the partitions of its events.
import { requirements } from '../requirement.ts';

export const platformAnalytics = [
  ...requirements('platform-5.1', 'insight', {
    'platform-5.1.1': 'The tables of analytics have the columns that the design names, under row-level security.',
    'platform-5.1.2': 'analytics_events is partitioned by month of event_id.',
    'platform-5.1.3': 'The identity map has a row only where the user of a visitor changes.',
    'platform-5.1.4': 'Events count for ANALYTICS_RETENTION_DAYS, 400 by default.',
  }),
  ...requirements('platform-5.2', 'insight', {
    'platform-5.2.1': 'POST /track stores an event and answers 201 with its id and duplicate false.',
    'platform-5.2.2': 'The same message_id within 48 hours is 200 with the first event_id, and nothing is stored.',
    'platform-5.2.3': 'Calls with one message_id at the same time store one event.',
    'platform-5.2.4': 'POST /page stores page_view, with the name among its properties.',
    'platform-5.2.5': 'POST /identify answers 201 with event_id, user_id, anonymous_id and linked.',
    'platform-5.2.6': 'POST /batch takes up to 500 events of three types and leaves one audit entry.',
    'platform-5.2.7': 'A timestamp more than an hour ahead counts as now.',
    'platform-5.2.8': 'A timestamp older than the retention is 400 too_old.',
    'platform-5.2.9':
      'An event names a visitor or a user; a currency is of ISO 4217 and needs a value; properties have 16 KiB.',
    'platform-5.2.10': 'Recording needs analytics:write, reading analytics:read, funnels and erasing analytics:admin.',
  }),
  ...requirements('platform-7.3', 'insight', {
    'platform-7.3.1': 'Partitions of the present and four beyond are made ahead.',
    'platform-7.3.2': 'Partitions are made and dropped by functions of the owner that take no name, only now.',
    'platform-7.3.3': 'A partition is dropped when its time is over, and kept while a row of it is needed.',
    'platform-7.3.4': 'A metric counts the partitions that are kept beyond their time.',
    'platform-7.3.5': 'Service roles have no right on partitions, and the isolation proof checks it.',
    'platform-7.3.6': 'The loop partitions is in the status of the background loops.',
  }),
  ...requirements('platform-10', 'insight', {
    'platform-10.31': 'Results of a batch are in order, each an event or an error; a bad one stops no other.',
    'platform-10.32': 'An empty batch or one over 500 is 400.',
    'platform-10.33': 'Erasing a person erases all events whose person it is, anonymous ones too.',
  }),
];
