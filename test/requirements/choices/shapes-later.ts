// Choices, section 3: shapes of the monitor, audit, manifest, cluster and automation families.
import { requirements, type Requirement } from '../requirement.ts';

export const choicesShapesLater: readonly Requirement[] = [
  ...requirements('choices-3, monitor', 'foundation', {
    'choices-3.80': 'GET /v1/monitor/stats answers the figures of the service.',
  }),
  ...requirements('choices-3, monitor', 'tool-protocol', {
    'choices-3.81': 'GET /v1/monitor/agents and /messages?q list agents and messages.',
    'choices-3.82': 'GET /v1/monitor/stream streams what happens over SSE.',
    'choices-3.83': 'GET /v1/monitor/export.json and export.csv export what the monitor shows.',
  }),
  ...requirements('choices-3, monitor', 'remote-workers', {
    'choices-3.84':
      'POST /v1/monitor/intervene takes agent_id or task_id, action message|pause|resume|cancel, optional message.',
    'choices-3.85': 'Intervene answers 202 {intervention {id, status}} and reaches the running agent.',
    'choices-3.86': 'An intervention becomes delivered only when the worker says so.',
  }),
  ...requirements('choices-3, audit', 'access', {
    'choices-3.87': 'GET /v1/audit/events?limit&cursor and POST /v1/audit/query answer {events, next_cursor}.',
    'choices-3.88': 'GET /v1/audit/verify answers {ok, entries, head, first_bad_seq?} per chain.',
    'choices-3.89':
      'switchyard audit verify [FILE] ends with 0 whole, 1 tampered (first bad line named), 2 unreadable.',
    'choices-3.90': 'There is one hash chain for the file of each replica.',
    'choices-3.91': 'The audit line of a change is on disk before its answer, else 503 audit_unavailable.',
    'choices-3.92': 'While the audit file cannot be written changes get 503; the missing line is written on recovery.',
    'choices-3.93': 'The view of a tenant reads the copy in the database.',
    'choices-3.94': 'The audit file alone proves the chain; with the database it proves the tail too.',
    'choices-3.95': 'One entry stands for each call, tool execution and session event; GET /health makes none.',
    'choices-3.96': 'Refusals without credentials fold to one entry a minute and address, with a count.',
    'choices-3.97': 'Ticks of loops make no entry, what they change does.',
    'choices-3.98': 'What concerns no tenant belongs to the tenant system, which admins read.',
    'choices-3.99': 'An entry also has seq, tenant_id, prev_hash and hash; outcome is success, failure or denied.',
  }),
  ...requirements('choices-3, manifests', 'remote-workers', {
    'choices-3.100': 'POST /v1/tools/manifests answers 201 {manifest}.',
    'choices-3.101': 'GET /v1/tools/manifests[/{tool_id}] reads manifests; DELETE revokes one.',
    'choices-3.102':
      'PUT /v1/tools/{tool_id}/content?version= stores the bytes whose hash the manifest names, at most 16 MiB.',
    'choices-3.103':
      'POST /v1/tools/{tool_id}/run {version?, arguments, policy?} answers {exit_code, stdout, stderr, usage, killed_by}.',
    'choices-3.104':
      'Signed is the RFC 8785 canonical JSON of every present field but signature, with Ed25519, base64.',
    'choices-3.105': 'Trusted keys come from TOOL_TRUSTED_KEYS of the operator, never with the manifest.',
    'choices-3.106': 'Content is an executable file (a #! line or a static program), as application/octet-stream.',
    'choices-3.107': 'A tool gets its arguments, an object, as JSON on standard input.',
    'choices-3.108': 'The same version with another hash is 409.',
    'choices-3.109': 'A revoked version never comes back.',
    'choices-3.110':
      'A run that names no version takes the highest that is not revoked, even after an older was added.',
  }),
  ...requirements('choices-3, cluster', 'cluster', {
    'choices-3.111': 'Cluster status is {in_cluster, namespace, pod, deployment, pods[], last_reconcile}.',
    'choices-3.112': 'The deployment of a cluster status is {name, replicas, available, updated}.',
    'choices-3.113': 'A cluster action answers {action, accepted, detail}.',
    'choices-3.114': 'Outside a cluster the cluster endpoints answer 503 not_in_cluster.',
  }),
  ...requirements('choices-3, automation', 'automation', {
    'choices-3.115': 'The automation list answers {tasks, next_cursor}.',
    'choices-3.116': 'DELETE answers 200 {task_id, status: "cancelled"}, and 409 when the task is already terminal.',
    'choices-3.117': 'The status of an automation task also has run_id, title, created_at and error.',
    'choices-3.118': 'POST /v1/automation/tasks/{id}/input {message} answers a question.',
    'choices-3.119': 'GET /v1/automation/me answers {subject, name, tenant_id, roles, scopes, credential}.',
    'choices-3.120': 'An automation title has 1-200 characters, a description 1-20,000.',
    'choices-3.121': 'An automation model must be in the catalogue; the error lists the catalogue.',
    'choices-3.122':
      'The catalogue has eleven entries of the form provider:model, in one data file, replaceable by an operator.',
  }),
  ...requirements('choices-3, which folders may be served', 'foundation', {
    'choices-3.130': 'A worker always serves what its own operator configured.',
    'choices-3.131':
      'A path named over the API lies below the codebase_roots of the worker, links resolved; else it declines with path_not_allowed, which names the setting.',
    'choices-3.132':
      'Workers tell their roots when they register; where a worker_id is given the service refuses with 409.',
    'choices-3.133':
      'Below explicit roots codebases:write is enough; where the roots are *, a path needs an operator or the own credential of the worker.',
    'choices-3.134':
      'Closed whatever the roots say: data folders, /proc, /sys, /dev, /run, and every folder that contains one of them.',
    'choices-3.135':
      'Making global exclusive, or binding another worker to an exclusive codebase, needs its owner or an operator.',
    'choices-3.136': 'An assignment carries the binding of its codebase.',
    'choices-3.137': 'codebase_roots: none by default for worker, * for the worker that up starts.',
    'choices-3.138':
      'A worker that gave a task back with unknown_codebase or path_not_allowed is never offered it again.',
    'choices-3.139':
      'The name of a worker belongs to the credential that registered it first, and so does targeting by it.',
  }),
];
