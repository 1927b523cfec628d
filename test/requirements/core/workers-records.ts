// The service core, sections 2.7 to 2.11: worker, audit entry, tool manifest, webhook payload, tenancy.
import { requirements, type Requirement } from '../requirement.ts';

export const coreWorkersRecords: readonly Requirement[] = [
  ...requirements('core-2.7', 'foundation', {
    'core-2.7.1': 'Worker setting server_url: the service address, required, without a default.',
    'core-2.7.2': 'Worker setting worker_name: the unique worker identifier, by default the host name.',
    'core-2.7.3': 'Worker setting poll_interval: seconds between polls when push is unavailable, by default 5.',
    'core-2.7.4': 'Worker setting codebases: array of codebase objects to register, by default empty.',
    'core-2.7.5': 'Worker setting agent_bin: path to the agent binary, detected by default.',
    'core-2.7.6': 'Worker setting capabilities: advertised capabilities, by default agent, build, deploy.',
  }),
  ...requirements('core-2.7', 'remote-workers', {
    'core-2.7.7': 'Worker setting broker_url: broker for reactive delivery, by default a local one on port 6379.',
  }),
  ...requirements('core-2.7', 'foundation', {
    'core-2.7.8': 'A worker reads A2A_SERVER_URL.',
    'core-2.7.9': 'A worker reads A2A_WORKER_NAME.',
    'core-2.7.10': 'A worker reads A2A_POLL_INTERVAL, in seconds.',
  }),
  ...requirements('core-2.7', 'remote-workers', {
    'core-2.7.11': 'A worker reads the optional A2A_BROKER_URL, which enables real-time task delivery.',
  }),
  ...requirements('core-2.7', 'foundation', {
    'core-2.7.12':
      'GET /v1/monitor/workers answers {workers: [{id, name, status, last_heartbeat, codebases, tasks_completed}]}.',
    'core-2.7.13': 'The status of a worker that is alive is active; last_heartbeat is ISO 8601 UTC.',
    'core-2.7.14': 'A listed worker counts its codebases and its completed tasks as integers.',
    'core-2.7.15': 'With DATABASE_URL set, workers, codebases and sessions lie in that database and survive restarts.',
  }),
  ...requirements('core-2.7', 'remote-workers', {
    'core-2.7.16': 'With DATABASE_URL set, workers, codebases and sessions are shared by several replicas.',
    'core-2.7.17': 'Without DATABASE_URL, workers, codebases and sessions are kept in a shared in-memory store.',
    'core-2.7.18': 'Without DATABASE_URL and shared store, one single instance works by itself.',
    'core-2.7.19': 'Workers push session history to the service about every 60 seconds.',
    'core-2.7.20': 'Session history holds metadata (title, timestamps), message summaries and tool usage statistics.',
  }),
  ...requirements('core-2.8', 'access', {
    'core-2.8.1': 'An audit entry has id, timestamp, actor, action, resource, outcome, metadata, ip and session_id.',
    'core-2.8.2': 'Audit storage is an append-only log with one JSON object per line.',
  }),
  ...requirements('core-2.9', 'remote-workers', {
    'core-2.9.1': 'Manifest tool_id: string, unique tool identifier.',
    'core-2.9.2': 'Manifest version: string, a semantic version.',
    'core-2.9.3': 'Manifest sha256_hash: SHA-256 of the tool content.',
    'core-2.9.4': 'Manifest signature: Ed25519 signature over the manifest, base64.',
    'core-2.9.5': 'Manifest allowed_resources: filesystem paths or network hosts the tool may reach.',
    'core-2.9.6': 'Manifest max_memory_mb: unsigned integer, memory cap.',
    'core-2.9.7': 'Manifest max_cpu_seconds: unsigned integer, CPU time cap.',
    'core-2.9.8': 'Manifest network_allowed: boolean, network access permitted.',
  }),
  ...requirements('core-2.10', 'automation', {
    'core-2.10.1': 'Webhook payload event: the value task_completed.',
    'core-2.10.2': 'Webhook payload run_id: string.',
    'core-2.10.3': 'Webhook payload task_id: string.',
    'core-2.10.4': 'Webhook payload status: completed, failed or cancelled.',
    'core-2.10.5': 'Webhook payload result: string or null.',
    'core-2.10.6': 'Webhook payload error: string or null.',
    'core-2.10.7': 'Webhook payload timestamp: ISO 8601 UTC.',
  }),
  ...requirements('core-2.11', 'access', {
    'core-2.11.1': 'Each user session may carry a tenant_id.',
  }),
  ...requirements('core-2.11', 'foundation', {
    'core-2.11.2': 'The table workers is isolated by tenant_id.',
    'core-2.11.3': 'The table workspaces is isolated by tenant_id.',
    'core-2.11.4': 'The table tasks is isolated by tenant_id.',
    'core-2.11.5': 'The table sessions is isolated by tenant_id.',
    'core-2.11.6': 'The table task_runs is isolated by tenant_id.',
  }),
  ...requirements('core-2.11', 'schedules', {
    'core-2.11.8': 'The table cronjobs is isolated by tenant_id.',
    'core-2.11.9': 'The table cronjob_runs is isolated by tenant_id.',
  }),
  ...requirements('core-2.11', 'objectives', {
    'core-2.11.7': 'The table okrs is isolated by tenant_id.',
    'core-2.11.12': 'The table okr_key_results inherits its isolation from okrs.',
    'core-2.11.13': 'The table okr_runs inherits its isolation from okrs.',
  }),
  ...requirements('core-2.11', 'insight', {
    'core-2.11.10': 'The table analytics_events is isolated by tenant_id.',
    'core-2.11.11': 'The table analytics_identity_map is isolated by tenant_id.',
  }),
];
