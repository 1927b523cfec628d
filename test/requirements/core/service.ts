// The service core, sections 1: what the service does, and its endpoint families.
import { requirements, type Requirement } from '../requirement.ts';

export const coreService: readonly Requirement[] = [
  ...requirements('core-1.1', 'foundation', {
    'core-1.1': 'The service implements the A2A protocol v0.3 through a JSON-RPC 2.0 binding.',
    'core-1.1.2': 'It publishes an agent card for discovery.',
  }),
  ...requirements('core-1.1', 'a2a', {
    'core-1.1.3': 'The service implements the A2A protocol v0.3 through a REST (HTTP+JSON) binding.',
  }),
  ...requirements('core-1.2', 'foundation', {
    'core-1.2': 'It accepts messages and tasks and queues them.',
    'core-1.2.2': 'Queued tasks are handed to distributed workers, which execute them against registered codebases.',
  }),
  ...requirements('core-1.3', 'foundation', {
    'core-1.3': '/v1/agent/* is a REST family for managing codebases and the sessions of agents in them.',
    'core-1.3.2': '/v1/monitor/* is a REST family for monitoring.',
  }),
  ...requirements('core-1.3', 'access', {
    'core-1.3.3': '/v1/auth/* is a REST family for authentication.',
  }),
  ...requirements('core-1.3', 'automation', {
    'core-1.3.4': '/v1/automation/* is a simplified task API for automation platforms.',
  }),
  ...requirements('core-1.4', 'automation', {
    'core-1.4': 'A webhook is sent when a task finishes.',
  }),
  ...requirements('core-1.4', 'foundation', {
    'core-1.4.2': 'Updates of a task are streamed over Server-Sent Events.',
  }),
  ...requirements('core-1.5', 'foundation', {
    'core-1.5': 'Bearer authentication is mandatory.',
    'core-1.5.2': 'Authorization is policy-based, by the roles of the caller.',
    'core-1.5.3': 'Row-level security of the database isolates tenants from each other.',
  }),
  ...requirements('core-1.5', 'access', {
    'core-1.5.4': 'Authorization also weighs scopes, tenant isolation and ownership.',
    'core-1.5.5': 'There is an append-only audit log.',
  }),
  ...requirements('core-1.5', 'remote-workers', {
    'core-1.5.6': 'Tools are signed and run in a sandbox.',
  }),
  ...requirements('core-1.5', 'cluster', {
    'core-1.5.7': 'The service can manage its own deployment inside a container orchestration cluster.',
  }),
  ...requirements('core-1.6', 'monitor-ui', {
    'core-1.6': 'A monitor UI is served at /v1/monitor/.',
  }),
  ...requirements('core-1', 'foundation', {
    'core-1.7': 'Port 8000: /v1/a2a, with the alias POST /, speaks JSON-RPC 2.0 for A2A communication.',
    'core-1.8': 'Port 8000: /a2a/jsonrpc is the A2A JSON-RPC binding.',
  }),
  ...requirements('core-1', 'a2a', {
    'core-1.8.2': '/a2a/jsonrpc offers all A2A operations.',
    'core-1.9': 'Port 8000: /a2a/rest/* is the A2A REST binding.',
  }),
  ...requirements('core-1', 'foundation', {
    'core-1.10': 'Port 8000: /v1/agent/* serves codebases, tasks, sessions and workers over REST.',
    'core-1.11': 'Port 8000: /v1/monitor/* serves stats and workers over REST.',
  }),
  ...requirements('core-1', 'tool-protocol', {
    'core-1.11.2': 'Port 8000: /v1/monitor/* serves agents and messages over REST.',
  }),
  ...requirements('core-1', 'access', {
    'core-1.12': 'Port 8000: /v1/auth/* serves tokens and sessions over REST.',
  }),
  ...requirements('core-1', 'automation', {
    'core-1.13': 'Port 8000: /v1/automation/* serves the simplified task API over REST.',
  }),
  ...requirements('core-1', 'access', {
    'core-1.14': 'Port 8000: /v1/audit/* serves the audit over REST.',
  }),
  ...requirements('core-1', 'cluster', {
    'core-1.14.2': 'Port 8000: /v1/k8s/* serves cluster self-management over REST.',
  }),
  ...requirements('core-1', 'remote-workers', {
    'core-1.14.3': 'Port 8000: /v1/tools/* serves tool manifests over REST.',
  }),
  ...requirements('core-1', 'foundation', {
    'core-1.15': 'Port 8000: /.well-known/agent-card.json serves discovery.',
    'core-1.16': 'Port 8000: /health is the health check and needs no authentication.',
  }),
  ...requirements('core-1', 'tool-protocol', {
    'core-1.17': 'Port 9000: /mcp/v1/* speaks the tool protocol over JSON-RPC.',
  }),
];
