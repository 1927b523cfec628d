// The requirements of backups in one file, of their restore, and of the time after it.
import { requirements } from '../requirement.ts';

export const platformArchive = [
  ...requirements('platform-6.1', 'backup', {
    'platform-6.1.1': 'A backup holds every table as of one moment, of the embedded database and of one of your own.',
    'platform-6.1.2': 'A backup restored, backed up and restored elsewhere is equal table by table.',
    'platform-6.1.3': 'Every table of the schema is in a backup, or is listed as left out with a reason.',
    'platform-6.1.4': 'Rows of partitioned tables are restored with the partitions that they need.',
    'platform-6.1.5': 'A changed byte, a cut end and a missing table are refused before anything is written.',
    'platform-6.1.6': 'A backup of a newer schema is refused by name, one of an older schema is migrated.',
    'platform-6.1.7': 'A backup may be encrypted for recipients of age, and opens with their keys alone.',
    'platform-6.1.8':
      'A backup appears whole under its name, readable by its user alone, or not at all: a full disk too.',
    'platform-6.1.9': 'A restore into a place that is not empty is restore_not_empty, and changes nothing.',
    'platform-6.1.10':
      'After a kill -9 of a backup or restore nothing starts by mistake, and the same command succeeds.',
    'platform-6.1.11': 'Every task that was acknowledged before a backup began is in it.',
    'platform-6.1.12': 'The isolation of tenants is proven on the restored database.',
    'platform-6.1.13': 'Usage counts each ended task once, over a restore too.',
    'platform-6.1.14': 'In a terminal backup, verify and restore show how far they are.',
    'platform-6.1.15': 'No private key and no setting is in a backup.',
  }),
  ...requirements('platform-6.3', 'backup', {
    'platform-6.3.1': 'After a restore publish steps wait until restore release, and /health says held_by_restore.',
    'platform-6.3.2': 'After a restore webhooks that were pending are sent, and running tasks are given back.',
    'platform-6.3.3': 'Nothing is sent from a clone, and no credential of the original opens it.',
    'platform-6.3.4': 'The first line of the next audit chain names the restored chain, its head and the backup.',
    'platform-6.3.5': 'The audit check covers the restored chain too, and finds a line that was changed in its file.',
    'platform-6.3.6': 'A service does not start on a restore that was interrupted.',
    'platform-6.3.7': 'A cluster of another major version is refused with the way over backup and restore.',
  }),
];
