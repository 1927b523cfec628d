// The monitor UI: sign-in codes, cookie, page files, headers, build (E14, sections 7 and 11).
import { requirements, type Requirement } from '../requirement.ts';

export const uiSignIn: Requirement[] = [
  ...requirements('ui-6', 'monitor-ui', {
    'ui-6.14.1': 'POST /v1/auth/sign-in-codes answers any credential with 201 {code, url, expires_at}.',
    'ui-6.14.2':
      'A code has 32 random bytes, is stored as a hash, is valid for two minutes, and stands in the fragment of url.',
    'ui-6.14.3': 'POST /v1/auth/sessions takes a code as bearer once; a used, expired or unknown code is 401.',
    'ui-6.14.4': 'A code opens no other call and no page.',
    'ui-6.14.5': 'The session of a code has tenant, roles and scopes of the credential that made the code.',
    'ui-6.14.6':
      'The session of a code, and an unused code, end no later than the credential that made the code, and with it.',
    'ui-6.14.7': 'The cookie has a secret of its own, which opens page files and no call; it is not the bearer.',
    'ui-6.14.8': 'A browser that opens the address of a code is signed in, and the code is gone from the address.',
    'ui-6.14.9':
      'After a link from another site the sign-in page opens the address once more, so that the cookie comes.',
    'ui-6.14.10':
      'The sign-in page has the field Token, the button Sign in, and an alert that says the token is not valid.',
    'ui-6.14.11':
      'switchyard open prints a one-time address, opens a browser in a terminal, and with --print never; no argument holds the code.',
    'ui-6.14.12': 'up prints a one-time address where its output is a terminal or the token was generated.',
  }),
  ...requirements('ui-7', 'monitor-ui', {
    'ui-7.1':
      'Pages, the sign-in page and the reference have the strict policy, with Trusted Types and without inline code.',
    'ui-7.2': 'Lint refuses each way to make HTML or code of text in the sources of the pages.',
    'ui-7.4': 'No address that a browser asks for holds a code.',
    'ui-7.5':
      'Every page file needs the cookie or a bearer; the audit has each navigation, and one entry a minute for assets.',
  }),
  ...requirements('ui-11', 'monitor-ui', {
    'ui-11.1': 'No path of a page is the path of an operation.',
    'ui-11.2': 'Known page paths answer the page, also HEAD; other paths are 404.',
    'ui-11.3':
      'Hashed assets are immutable and come as br or gz; index.html is revalidated; build.json is never stored.',
    'ui-11.4': 'Without a build pages are 503 with the command that builds them.',
    'ui-11.5': 'The build replaces dist/ui as a whole; with --if-stale it does nothing while its inputs are the same.',
    'ui-11.6': 'A failed build before the start is one line, and the service starts.',
  }),
  ...requirements('ui-16', 'monitor-ui', {
    'ui-16.1': 'A task, the settings and the inspector open their first part; a part that does not exist is 404.',
    'ui-16.2': 'The paths of the pages of later parts are taken by no operation.',
  }),
];
