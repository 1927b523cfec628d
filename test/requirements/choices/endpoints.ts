// Choices, sections 6 to 10: A2A, tool protocol, webhooks, idempotency and limits, the small families.
import { requirements, type Requirement } from '../requirement.ts';

export const choicesEndpoints: readonly Requirement[] = [
  ...requirements('choices-6', 'foundation', {
    'choices-6.1': 'All of A2A is behind the bearer, the agent card included.',
    'choices-6.2':
      'metadata of a message or of the params carries codebase_id, priority, required_capabilities, target_agent.',
    'choices-6.3': 'metadata of a message or of the params carries target_worker_id, model, agent_type, deadline_at.',
    'choices-6.4': 'metadata of a message or of the params carries webhook_url.',
    'choices-6.5':
      'The legacy wrapper {task, message: {parts: [{type, content}]}} answers a message of {type, content} parts.',
    'choices-6.6': 'The legacy wrapper is answered on POST / and /v1/a2a only.',
    'choices-6.7': 'messageId may be missing on POST / and /v1/a2a, role in the legacy form only.',
    'choices-6.8': 'On /a2a/jsonrpc messageId and role are both required, parts of every form are taken.',
    'choices-6.9': 'A message to a terminal task is -32602 on v0.3.',
    'choices-6.10': 'v0.3 streams end with final: true, at input-required too.',
    'choices-6.11': 'A first send is made idempotent by the header Idempotency-Key, not by messageId.',
    'choices-6.12':
      'tasks/list over v0.3 JSON-RPC takes camelCase filters and answers {tasks, nextPageToken, pageSize, totalSize}.',
  }),
  ...requirements('choices-6', 'a2a', {
    'choices-6.13': 'Both protocol versions and both bindings are on the same addresses; a trailing slash is forgiven.',
    'choices-6.14': 'messageId may be missing in the document dialect of /a2a/rest/* (no version header).',
    'choices-6.15': 'On /a2a/rest/v1 and in v1.0 messageId and role are both required, parts of every form are taken.',
    'choices-6.16':
      'A message to a pending or running task joins its history and reaches the agent as an intervention.',
    'choices-6.17': 'A message to a terminal task is -32004 on v1.0.',
    'choices-6.18': 'The default wait of v1.0 is bounded at 60 s like that of v0.3.',
    'choices-6.19': 'An absent A2A-Version goes by the style of the method on JSON-RPC; on REST it means 0.3.',
    'choices-6.20': 'The extended card on the v0.3 REST path is proto-JSON.',
    'choices-6.21':
      'A JSON-RPC request without an id gets id null and its most precise error, else -32600, and is never executed.',
    'choices-6.22': 'authentication: {} of a push config is no authentication.',
  }),
  ...requirements('choices-7', 'tool-protocol', {
    'choices-7.1':
      'The four unnamed tools: create_codebase, get_codebase, delete_codebase, get_active_codebase (an alias).',
    'choices-7.2': 'A missing permission for a tool is HTTP 403 with the challenge of the protocol and an RPC error.',
    'choices-7.3': 'Port 9000 takes the same credentials and the same policy as 8000; /mcp* is on both.',
    'choices-7.4': 'Discovery stays behind the bearer, protected-resource metadata (RFC 9728) included.',
    'choices-7.5': 'A 401 names the metadata in WWW-Authenticate and has authorization_servers in its body.',
  }),
  ...requirements('choices-7', 'access', {
    'choices-7.6': 'switchyard discovery export DIR writes cards and metadata for serving elsewhere.',
  }),
  ...requirements('choices-8', 'automation', {
    'choices-8.1': 'The signature headers of a webhook are over the exact bytes sent.',
    'choices-8.2': 'Beside them stand webhook-id, webhook-timestamp, webhook-signature (Standard Webhooks).',
    'choices-8.3': 'WEBHOOK_SIGNING_SECRET is a comma list: the first signs, all verify in multi-signature form.',
    'choices-8.4': 'PUT /v1/auth/tenants/{id}/webhook-secret sets a secret for one tenant.',
    'choices-8.5': 'A whsec_ secret is decoded for Standard Webhooks; the other signature takes the text as it is.',
    'choices-8.6': 'A literal private webhook address is refused at creation with 400.',
    'choices-8.7':
      'Deliveries are {delivery_id, status: pending|delivered|dead, url, attempts: [{at, status_code, error}]}.',
    'choices-8.8': 'With a single attempt at the task, the run_id of the webhook is the one from creation.',
    'choices-8.9': 'An attempt lasts at most 10 s, follows no redirect and reads a capped answer.',
    'choices-8.10': 'Three attempts with exponential backoff and jitter, then dead.',
    'choices-8.11': 'GET /v1/automation/tasks/{id}/deliveries lists them; POST .../redeliver sends one again.',
    'choices-8.12': 'Webhooks are sent for tasks of every family, for completed, failed and cancelled.',
    'choices-8.13': 'The body bytes of a webhook are stored once.',
  }),
  ...requirements('choices-9', 'foundation', {
    'choices-9.1': 'An Idempotency-Key has 1-255 printable characters.',
    'choices-9.2': 'A key is scoped to tenant, subject, method and path.',
    'choices-9.3': 'The same key with the same meaning replays the task id, the answer rendered anew.',
    'choices-9.4': 'A replay carries Idempotency-Replayed: true.',
    'choices-9.5': 'The same key with another body is 422.',
    'choices-9.6': 'Simultaneous equal requests wait for the first and replay it.',
    'choices-9.7': 'The key is stored in the transaction that creates the task.',
    'choices-9.8': 'The header works on every call that creates a task.',
    'choices-9.9': 'Keys are kept IDEMPOTENCY_HOURS, by default 48.',
    'choices-9.10': 'A replayed RPC call is answered with the new RPC id; a repeated stream subscribes.',
  }),
  ...requirements('choices-9', 'automation', {
    'choices-9.11': 'The 60 requests a minute hold for each credential, over all automation routes and replicas.',
    'choices-9.12': 'The 61st is refused: fixed windows of 60 s on database time, from the first call on.',
  }),
  ...requirements('choices-9', 'automation', {
    'choices-9.13': 'A credential has MAX_STREAMS_PER_CREDENTIAL streams (1,000), over it 429 too_many_streams.',
    'choices-9.14': 'Push channels count apart: one for each worker; a second one of the same worker ends the first.',
    'choices-9.15':
      'The artifacts of a task have MAX_TASK_ARTIFACT_BYTES in sum (256 MiB), over it 409 artifacts_full.',
  }),
  ...requirements('choices-10', 'schedules', {
    'choices-10.1':
      'GET /v1/cognition/status: {enabled, running, loops: [{name, leader, interval_seconds, last_tick_at, ...}]}.',
    'choices-10.6': '/v1/cronjobs: create, read, update, delete; /{id}/trigger, /{id}/runs, POST /validate.',
    'choices-10.7': 'A cron job is a cron expression with time zone and a task template.',
    'choices-10.8': 'Each due time of a cron job fires once over all replicas.',
  }),
  ...requirements('choices-10', 'objectives', {
    'choices-10.2': '/v1/okr: list, create, get, update, delete.',
    'choices-10.3': '/v1/okr/{id}/key-results: create, read, update, delete; /v1/okr/{id}/runs.',
    'choices-10.4': 'Objectives go draft, approved, running, then completed or denied.',
    'choices-10.5': 'Key results are not-started, in-progress, completed or blocked, with progress 0-100.',
  }),
  ...requirements('choices-10', 'insight', {
    'choices-10.9': '/v1/analytics: POST /track, /identify, /page.',
    'choices-10.10': '/v1/analytics: GET /funnel?funnel_id&days and GET /attribution/{user_id}.',
  }),
];
