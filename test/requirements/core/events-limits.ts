// The service core, sections 6 to 9: events, errors, limits, versioning.
import { requirements, type Requirement } from '../requirement.ts';

export const coreEventsLimits: readonly Requirement[] = [
  ...requirements('core-6.1', 'automation', {
    'core-6.1': 'The completion webhook is sent to the webhook_url of a task when it finishes.',
    'core-6.1.2': 'A webhook gets up to 3 attempts with exponential backoff.',
    'core-6.1.3': 'One webhook event type covers success, failure and cancellation; the status field tells which.',
    'core-6.1.4': 'There is no subscription management for other kinds of event.',
  }),
  ...requirements('core-6.2', 'foundation', {
    'core-6.2': 'message/stream streams task updates as Server-Sent Events.',
    'core-6.2.2': 'Workers receive tasks through a server-push channel.',
  }),
  ...requirements('core-6.2', 'a2a', {
    'core-6.2.3': 'message:stream and tasks/subscribe stream task updates as Server-Sent Events.',
  }),
  ...requirements('core-6.3', 'remote-workers', {
    'core-6.3': 'With A2A_BROKER_URL set, workers subscribe to broker events and pick up tasks almost immediately.',
  }),
  ...requirements('core-6.3', 'foundation', {
    'core-6.3.2': 'Without reactive delivery, workers poll every poll_interval seconds.',
  }),
  ...requirements('core-6.4', 'access', {
    'core-6.4': 'Every API call and session event is appended to the audit log.',
  }),
  ...requirements('core-6.4', 'remote-workers', {
    'core-6.4.2': 'Every tool execution is appended to the audit log.',
  }),
  ...requirements('core-6.4', 'cluster', {
    'core-6.4.3': 'Cluster reconciliation actions are logged in the audit log.',
  }),
  ...requirements('core-7', 'foundation', {
    'core-7.1': '200 means success.',
    'core-7.2': '400 means bad request, invalid parameters.',
    'core-7.3': '401 means missing or invalid token (JSON error).',
    'core-7.4': '403 means insufficient permissions (policy denial).',
    'core-7.5': '404 means the resource does not exist.',
  }),
  ...requirements('core-7', 'automation', {
    'core-7.6': '429 means rate limit exceeded; the header Retry-After is present.',
  }),
  ...requirements('core-7', 'foundation', {
    'core-7.7': '500 means server error.',
    'core-7.8': '503 means service unavailable, a dependency is not ready.',
    'core-7.9': 'Registration by path with no registered worker is answered that no workers are available.',
  }),
  ...requirements('core-7', 'automation', {
    'core-7.10': 'An automation task that stays queued means that no worker is running.',
  }),
  ...requirements('core-8', 'automation', {
    'core-8.1': 'The automation API allows 60 requests per minute per API key.',
    'core-8.2': 'Automation answers carry X-RateLimit-Limit (60), -Remaining and -Reset (Unix seconds).',
    'core-8.2.2': 'A limited automation request is answered with Retry-After.',
    'core-8.3': 'The completion webhook has 3 attempts with exponential backoff.',
  }),
  ...requirements('core-8', 'foundation', {
    'core-8.4': 'The poll interval of workers is 5 seconds by default.',
  }),
  ...requirements('core-8', 'remote-workers', {
    'core-8.5': 'Workers sync sessions about every 60 seconds.',
  }),
  ...requirements('core-8', 'cluster', {
    'core-8.6': 'The cluster manager reconciles every 30 seconds.',
  }),
  ...requirements('core-8', 'remote-workers', {
    'core-8.7': 'The sandbox enforces max_memory_mb, max_cpu_seconds and network_allowed of each manifest.',
  }),
  ...requirements('core-8', 'automation', {
    'core-8.8': 'A repeated POST /v1/automation/tasks with the same Idempotency-Key must not create a duplicate.',
  }),
  ...requirements('core-9', 'foundation', {
    'core-9.1': 'The A2A protocol version is v0.3, by way of the official protocol SDK; the service release is 1.2.0.',
    'core-9.2': 'REST paths are prefixed with /v1/.',
    'core-9.3': 'The agent card carries a version string.',
    'core-9.4': 'After an upgrade, database migrations must be applied.',
    'core-9.4.2': 'After an upgrade, the agent card is reachable at /.well-known/agent-card.json.',
  }),
  ...requirements('core-9', 'tool-protocol', {
    'core-9.5': 'The earlier tool endpoints at /mcp keep working unchanged.',
  }),
  ...requirements('core-9', 'foundation', {
    'core-9.5.2': 'The worker push channel is unchanged across versions.',
  }),
];
