// The monitor UI: usage, history, deliveries, audit, health, permissions, drain, the tool inspector (E8 to E13, E15).
import { requirements, type Requirement } from '../requirement.ts';

export const uiInsight: Requirement[] = [
  ...requirements('ui-6', 'monitor-ui', {
    'ui-6.8.1':
      'Usage counts each task that ended: completed, failed, retried, completed by the first attempt, its tokens and cost.',
    'ui-6.8.2': 'Usage includes a task from the moment of its end, folded or not.',
    'ui-6.8.3':
      'Usage groups by day, model, agent, agent type, codebase, creator, worker and run, with a label and a median duration.',
    'ui-6.8.4': 'An unknown cost is null and counted as unpriced, never 0.',
    'ui-6.8.5': 'Usage and history take from and to, by default the last 30 days; from after to is 400.',
    'ui-6.8.6': 'Usage and history show the tasks of the own tenant alone.',
    'ui-6.8.7':
      'The fold of ended tasks counts each task once, with several leaders, after a crash and beside open transactions.',
    'ui-6.8.8': 'Usage outlives its tasks; it is kept for 400 days, the history of the queue for 90.',
    'ui-6.8.9':
      'The history has a point for each step: queued, running, ended by outcome, percentiles of waiting and running.',
    'ui-6.8.10': 'The history has at most 500 points.',
    'ui-6.8.11': 'switchyard usage prints usage by group, from and to.',
    'ui-6.9.1': 'GET /v1/auth/me names the permissions of the credential, and the sign-in session with its expiry.',
    'ui-6.9.2': 'GET /v1/auth/permissions answers any credential with the permissions of each role.',
    'ui-6.9.3': 'GET /v1/automation/models lists the models that a task may name.',
    'ui-6.11.1':
      'GET /v1/automation/deliveries lists the dead deliveries of all tasks of the tenant, newest first, by cursor.',
    'ui-6.11.2': 'GET of a tenant webhook secret answers how many there are and shows none.',
    'ui-6.12.1': 'The audit query filters by task, request and credential.',
    'ui-6.13.1':
      'The service health names replicas, store, broker, policy, sandbox, audit, loops and versions, each with its reason in words.',
    'ui-6.13.2': 'The service health answers in bounded time, whatever hangs.',
    'ui-6.15.1': 'A drained worker is given nothing more by claim or channel, and keeps what it runs.',
    'ui-6.15.2': 'A drained worker takes tasks again after it registers anew.',
    'ui-6.15.3': 'Draining the worker of another credential needs the role operator.',
    'ui-6.15.4': 'A registration takes agents_missing, disk_free and os, and the worker shows them.',
    'ui-6.15.5': 'The worker reports the agents that it lacks, with reasons, its free disk and its system.',
    'ui-6.15.6': 'switchyard worker drain drains a worker by its id.',
  }),
];

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
