// The monitor UI: costs, audit, settings (sections 4.11, 4.12, 4.15), and what the frame says of sessions and builds.
import { requirements, type Requirement } from '../requirement.ts';

export const uiAdmin: Requirement[] = [
  ...requirements('ui-4', 'monitor-ui', {
    'ui-4.11.1':
      'Costs shows what ended tasks cost by day, and by model, agent, codebase, person, worker and run with their share.',
    'ui-4.11.2': 'Tasks without a price are counted apart; an unknown cost is never shown as 0.',
    'ui-4.11.3': 'The days and the grouping of the costs stand in the address, and CSV saves the table of now.',
    'ui-4.11.4': 'A saved CSV keeps separators and quotes, and no text in it begins a formula.',
    'ui-4.12.1':
      'Audit lists the entries newest first, with its filters in the address; a request of the palette leads there.',
    'ui-4.12.2':
      'Verify reads every chain again and says whole with the number of entries, or where a chain is broken.',
    'ui-4.12.3':
      'An entry opens in a panel with its hash and the one before, and copies as curl, command line and JSON.',
    'ui-4.12.4': 'Denied entries are marked by shape and word.',
    'ui-4.12.5': 'A page without its read permission names the permission and who can give it.',
    'ui-4.15.1':
      'A new key gets a name and the scopes that its maker holds, each a checkbox with the whole name of the scope.',
    'ui-4.15.2': 'The secret of a key is shown once; after I have it the page holds it nowhere.',
    'ui-4.15.3': 'Revoke asks first, and its first button, which has the focus, keeps the key.',
    'ui-4.15.4':
      'Open on a phone shows the address of a one-time code as QR and as text, and the address signs another browser in.',
    'ui-4.15.5': 'Settings lists the sessions, ends others, and signs this browser out.',
    'ui-4.15.6': 'Administrators change the roles and status of users, and make tenants.',
    'ui-4.15.7':
      'Webhooks lists the dead ones over all tasks, sends them again, and sets the secret without ever showing one.',
    'ui-4.15.8': 'Keyboard shortcuts can be switched off for a browser, which keeps the choice.',
    'ui-4.15.9': 'Every part of the settings is accessible and one column wide on a phone.',
  }),
  ...requirements('ui-3', 'monitor-ui', {
    'ui-3.2.11': 'A newer build of the pages is told with a button that reloads.',
  }),
  ...requirements('ui-8', 'monitor-ui', {
    'ui-8.0.11': 'A session warns five minutes before its end and continues in place, with the page as it was.',
  }),
];
