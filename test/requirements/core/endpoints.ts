// The service core, sections 4: the endpoints of the main port.
import { requirements, type Requirement } from '../requirement.ts';

export const coreEndpoints: readonly Requirement[] = [
  ...requirements('core-4', 'foundation', {
    'core-4.0.1': 'All endpoints except GET /health require Authorization: Bearer <ACCESS_TOKEN>.',
    'core-4.0.2': 'Request bodies are JSON with Content-Type: application/json.',
  }),
  ...requirements('core-4.1', 'foundation', {
    'core-4.1.1': 'GET /.well-known/agent-card.json returns the agent card.',
    'core-4.1.2': 'GET /health needs no authentication and serves liveness and readiness probes.',
  }),
  ...requirements('core-4.2', 'foundation', {
    'core-4.2.1': 'POST /v1/a2a, its alias POST / and POST /a2a/jsonrpc take A2A JSON-RPC.',
    'core-4.2.2': 'An RPC request is {jsonrpc: "2.0", id: string or number, method: string, params: object}.',
    'core-4.2.3': 'An RPC response is {jsonrpc, id, result} with the id echoed.',
    'core-4.2.4': 'message/send takes message {role, parts} and results in a task or the legacy wrapper.',
    'core-4.2.5': 'message/stream takes a message and Accept: text/event-stream, and streams task updates over SSE.',
    'core-4.2.6': 'tasks/get takes id and results in the task with status.state and optional status.message.',
    'core-4.2.7': 'tasks/cancel takes id and results in the task.',
  }),
  ...requirements('core-4.2', 'a2a', {
    'core-4.2.8': 'tasks/subscribe takes a task identifier and streams task updates over SSE.',
  }),
  ...requirements('core-4.2', 'foundation', {
    'core-4.2.9': 'tasks/list, a service extension, results in a list of tasks.',
  }),
  ...requirements('core-4.3', 'a2a', {
    'core-4.3.1': 'POST /a2a/rest/message:send takes {message: {role, parts}} and returns a task.',
    'core-4.3.2': 'POST /a2a/rest/message:stream takes the same body and Accept: text/event-stream; SSE response.',
    'core-4.3.3': 'GET /a2a/rest/tasks/{id} returns the task.',
    'core-4.3.4': 'POST /a2a/rest/tasks/{id}:cancel takes no body and cancels the task.',
    'core-4.3.5': 'Extension beside the protocol: targeted messaging to a named agent.',
    'core-4.3.6': 'Extension beside the protocol: capability-based routing.',
    'core-4.3.7': 'Extension beside the protocol: priority queuing.',
    'core-4.3.8': 'Extension beside the protocol: conversation threading.',
  }),
  ...requirements('core-4.4', 'foundation', {
    'core-4.4.1':
      'POST /v1/agent/codebases registers a codebase from name, path, description, optional worker_id and codebase_id.',
    'core-4.4.2': 'POST /v1/agent/codebases/{codebase_id}/trigger takes {prompt, agent}, for example agent build.',
    'core-4.4.3': 'POST /v1/agent/codebases/{id}/tasks creates a task in that codebase.',
    'core-4.4.4': 'POST /v1/agent/tasks creates a task.',
    'core-4.4.5': 'GET /v1/agent/tasks lists tasks.',
    'core-4.4.6': 'GET /v1/agent/tasks/{id} answers one task, to poll for its status.',
    'core-4.4.7': 'GET /v1/agent/workers lists the registered workers.',
  }),
  ...requirements('core-4.5', 'monitor-ui', {
    'core-4.5.1': 'GET /v1/monitor/ is the monitor UI: agents, tasks, message streams, health.',
  }),
  ...requirements('core-4.5', 'foundation', {
    'core-4.5.2': 'GET /v1/monitor/workers answers {workers: [...]}, the listing of workers.',
  }),
  ...requirements('core-4.5', 'remote-workers', {
    'core-4.5.3': 'POST /v1/monitor/intervene requires the permission monitor:write.',
  }),
  ...requirements('core-4.6', 'automation', {
    'core-4.6.1': 'POST /v1/automation/tasks creates a task and takes an optional Idempotency-Key header.',
    'core-4.6.2': 'GET /v1/automation/tasks/{id} answers the status of a task.',
    'core-4.6.3': 'GET /v1/automation/tasks lists tasks, with an optional query parameter status.',
    'core-4.6.4': 'DELETE /v1/automation/tasks/{id} cancels a task.',
    'core-4.6.5': 'GET /v1/automation/me verifies the credential and returns user information.',
  }),
  ...requirements('core-4.7', 'access', {
    'core-4.7.1': 'GET /v1/audit/events returns recent audit entries.',
    'core-4.7.2':
      'POST /v1/audit/query returns the entries that match optional actor, action, resource, from and to (ISO 8601 UTC).',
  }),
  ...requirements('core-4.8', 'remote-workers', {
    'core-4.8.1':
      'POST /v1/tools/manifests registers a signed manifest: tool_id, version, sha256_hash, signature, optional limits.',
  }),
  ...requirements('core-4.9', 'cluster', {
    'core-4.9.1': 'GET /v1/k8s/status answers cluster and pod status.',
    'core-4.9.2': 'POST /v1/k8s/scale takes {replicas: integer}.',
    'core-4.9.3': 'POST /v1/k8s/health triggers a health check: rolling restart of unhealthy pods.',
    'core-4.9.4': 'POST /v1/k8s/reconcile triggers reconciliation.',
    'core-4.9.5': 'On startup the service checks for the environment variable CLUSTER_SERVICE_HOST.',
    'core-4.9.6': 'With it present, the cluster manager starts with the in-cluster service-account configuration.',
    'core-4.9.7': 'Cluster operation: detect the cluster.',
    'core-4.9.8': 'Cluster operation: read the metadata of its own pod.',
    'core-4.9.9': 'Cluster operation: create or update its own deployment.',
    'core-4.9.10': 'Cluster operation: scale replicas.',
    'core-4.9.11': 'Cluster operation: health check.',
    'core-4.9.12': 'Cluster operation: self-heal.',
    'core-4.9.13': 'When enabled, a background reconcile runs every 30 seconds.',
    'core-4.9.14': 'Reconcile checks all pods of the deployment and finds unhealthy or crashed ones.',
    'core-4.9.15': 'Reconcile triggers rolling restarts for the unhealthy pods.',
    'core-4.9.16': 'Reconcile writes every action to the audit log.',
  }),
  ...requirements('core-4.10', 'schedules', {
    'core-4.10.1': 'GET /v1/cognition/status exists.',
  }),
  ...requirements('core-4.10', 'insight', {
    'core-4.10.2': 'GET /v1/analytics/funnel exists and needs the permission analytics:admin.',
  }),
  ...requirements('core-4.10', 'objectives', {
    'core-4.10.3': 'GET /v1/okr exists.',
  }),
];
