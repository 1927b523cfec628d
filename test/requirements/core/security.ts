// The service core, sections 5: authentication, policy, isolation, signing, verification of tools.
import { requirements, type Requirement } from '../requirement.ts';

export const coreSecurity: readonly Requirement[] = [
  ...requirements('core-5.1', 'foundation', {
    'core-5.1': 'Every HTTP endpoint requires Authorization: Bearer <ACCESS_TOKEN>, except GET /health.',
    'core-5.1.2': 'The bearer check cannot be disabled or removed.',
  }),
  ...requirements('core-5.2', 'foundation', {
    'core-5.2': 'A request without a valid bearer token receives 401 with a JSON error body.',
  }),
  ...requirements('core-5.3', 'foundation', {
    'core-5.3': 'SERVICE_AUTH_TOKEN sets a fixed token.',
    'core-5.3.2': 'Unset, the server generates a token: HMAC-SHA256 over host name and a timestamp.',
    'core-5.3.3': 'The generated token is logged once, at startup.',
  }),
  ...requirements('core-5.4', 'access', {
    'core-5.4': 'Access tokens of an identity provider (OAuth 2.0 client-credentials grant) are accepted.',
    'core-5.4.2': 'Per-user API keys that start with ct_ are accepted.',
  }),
  ...requirements('core-5.4', 'foundation', {
    'core-5.4.3': 'Shared tokens configured with A2A_AUTH_TOKENS are accepted.',
  }),
  ...requirements('core-5.5', 'foundation', {
    'core-5.5': 'Policy is evaluated for every path and method, each mapped to a required permission.',
    'core-5.5.2': 'GET /v1/agent/tasks needs tasks:read.',
    'core-5.5.3': 'POST /v1/agent/codebases needs codebases:write.',
  }),
  ...requirements('core-5.5', 'remote-workers', {
    'core-5.5.4': 'POST /v1/monitor/intervene needs monitor:write.',
  }),
  ...requirements('core-5.5', 'tool-protocol', {
    'core-5.5.5': 'POST /mcp/v1/rpc needs mcp:write.',
  }),
  ...requirements('core-5.5', 'insight', {
    'core-5.5.6': 'GET /v1/analytics/funnel needs analytics:admin.',
  }),
  ...requirements('core-5.6', 'foundation', {
    'core-5.6': 'Roles are hierarchical and five, among them in order admin, operator, editor, viewer.',
    'core-5.6.2': 'Cross-tenant access is blocked.',
  }),
  ...requirements('core-5.6', 'access', {
    'core-5.6.3': 'API key scopes have the form resource:action and are enforced.',
    'core-5.6.4': 'An admin may bypass tenant isolation.',
    'core-5.6.5': 'Ownership is checked on write and delete.',
  }),
  ...requirements('core-5.7', 'foundation', {
    'core-5.7': 'Policy evaluation runs in process with POLICY_LOCAL_MODE=true.',
  }),
  ...requirements('core-5.7', 'access', {
    'core-5.7.2': 'Policy evaluation runs against a policy sidecar at the address in POLICY_URL.',
  }),
  ...requirements('core-5.8', 'foundation', {
    'core-5.8': 'Before a query the API sets the session variable app.current_tenant_id.',
    'core-5.8.2': 'Database policies return only rows whose tenant_id equals app.current_tenant_id.',
    'core-5.8.3': 'The database role a2a_admin bypasses row-level security.',
    'core-5.8.4': 'RLS_ENABLED is true by default.',
    'core-5.8.5': 'With RLS_ENABLED=false the variable is not set and access is unrestricted.',
  }),
  ...requirements('core-5.9', 'automation', {
    'core-5.9':
      'With a secret, each webhook carries X-Service-Signature: sha256=<hex HMAC-SHA256 of the JSON payload keyed by it>.',
    'core-5.9.2': 'With a secret, each webhook carries X-Service-Timestamp in Unix seconds.',
  }),
  ...requirements('core-5.10', 'remote-workers', {
    'core-5.10': 'Tool execution is rejected when no manifest exists.',
    'core-5.10.2': 'Tool execution is rejected when the Ed25519 signature is invalid.',
    'core-5.10.3': 'Tool execution is rejected when the SHA-256 hash does not match.',
    'core-5.10.4': 'Tool execution is rejected when the resource limits are not acceptable.',
    'core-5.10.5': 'A tool that passes verification runs in a sandbox.',
    'core-5.10.6': 'Sandbox policy Default: standard limits, network allowed.',
    'core-5.10.7': 'Sandbox policy Restricted: minimal resources, no network, limited filesystem.',
    'core-5.10.8': 'Sandbox policy Custom: limits per tool.',
  }),
];
