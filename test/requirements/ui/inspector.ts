// The monitor UI: Inspector (4.13), and the page of all parts (9.6).
import { requirements, type Requirement } from '../requirement.ts';

export const uiInspector: Requirement[] = [
  ...requirements('ui-4', 'monitor-ui', {
    'ui-4.13.1':
      'The inspector has the parts a2a, mcp, rest and tools; without a part it is a2a, an unknown part is Not found.',
    'ui-4.13.2': 'A form has a field for each flat value, and the JSON beside it; each follows the other.',
    'ui-4.13.3':
      'An answer is shown with status, time, size, headers and foldable JSON; the authorization of the request as Bearer and an ellipsis.',
    'ui-4.13.4': 'Frames of a stream are shown as they come, and Stop ends it.',
    'ui-4.13.5':
      'The last 50 calls of the tab are kept until it is closed; each can be pinned, and edited and sent again.',
    'ui-4.13.6': 'A call is copied as a curl line that does the same with SWITCHYARD_TOKEN set.',
    'ui-4.13.7':
      'A2A: the card is checked with its versions and its signature; a call is made in either version over either binding.',
    'ui-4.13.8': 'A stream of A2A that was stopped goes on after its last frame by Last-Event-ID.',
    'ui-4.13.9':
      'MCP: tools, resources, prompts and completion in the revisions 2026-07-28 and 2025-11-25 and as plain JSON-RPC, with hints, permission and audit action.',
    'ui-4.13.10': 'REST: every operation of the OpenAPI document, with the field Path and the button Send.',
    'ui-4.13.11': 'Tools: each version of each signed tool is run in the sandbox, with its usage and what killed it.',
    'ui-4.13.12': 'Errors that the service names by path stand at their fields.',
    'ui-4.13.13': 'A call goes to the origin of the page, without cookies and redirects, and is cut at 8 MiB.',
  }),
  ...requirements('ui-9', 'monitor-ui', {
    'ui-9.6.1':
      'One page shows each part in all its states; it is accessible, keeps the policy, and is not in the product.',
  }),
];
