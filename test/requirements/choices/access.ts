// Choices, section 4: credentials, roles, permissions, browser pages.
import { requirements, type Requirement } from '../requirement.ts';

export const choicesAccess: readonly Requirement[] = [
  ...requirements('choices-4', 'foundation', {
    'choices-4.1': 'A2A_AUTH_TOKENS is comma-separated name:token, name:token@role or name:token@role/tenant.',
    'choices-4.2': 'The default role of a shared token is operator, its default tenant is default.',
    'choices-4.3': 'SERVICE_AUTH_TOKEN has role admin and tenant default.',
    'choices-4.4': 'The HMAC key of the generated token is 32 random bytes.',
  }),
  ...requirements('choices-4', 'access', {
    'choices-4.5': '/v1/auth/* is behind a bearer throughout.',
    'choices-4.6': 'GET /v1/auth/me and GET /v1/auth/status answer who calls and how access is set up.',
    'choices-4.7':
      'POST /v1/auth/api-keys {name, scopes[], expires_in_days?} answers a ct_ key, shown once, kept hashed.',
    'choices-4.8': 'The scopes of an API key are never wider than those of the caller.',
    'choices-4.9': 'GET /v1/auth/api-keys lists keys; DELETE /v1/auth/api-keys/{id} revokes one.',
    'choices-4.10': 'POST /v1/auth/sessions turns a bearer into a session for the monitor pages.',
    'choices-4.11': 'GET /v1/auth/sessions lists sessions; DELETE /v1/auth/sessions/{id} ends one.',
    'choices-4.12': 'GET and POST /v1/auth/tenants, GET, PUT and DELETE /v1/auth/users/{id} are for admins.',
  }),
  ...requirements('choices-4', 'foundation', {
    'choices-4.13': 'Five roles: admin, operator, editor, viewer, each holding all of the next, and agent outside.',
    'choices-4.14': 'Own sign-in sessions, me, status, cards, OpenAPI and docs: any valid credential.',
    'choices-4.15': 'tasks: viewer read; editor write, execute; admin delete; agent read, write, execute.',
    'choices-4.16': 'codebases: viewer read; editor write; admin delete; agent read, write.',
    'choices-4.17': 'workers: viewer read; operator write; admin delete; agent read, write.',
    'choices-4.18': 'sessions of agents: viewer read; editor write; admin delete; agent read, write.',
    'choices-4.19': 'automation: viewer read; editor write (cancelling own included); operator delete; agent nothing.',
    'choices-4.20': 'a2a: viewer read; editor write; agent read, write.',
    'choices-4.21': 'mcp: viewer read; editor write; agent read, write.',
    'choices-4.22': 'monitor (metrics and cognition too): viewer read; operator write; agent read.',
    'choices-4.23': 'ralph: viewer read; editor write; admin delete; agent read, write.',
    'choices-4.24': 'marketing: viewer read; editor write; admin delete; agent read, write.',
    'choices-4.25': 'cronjobs and okr: viewer read; editor write; admin delete; agent nothing.',
    'choices-4.26': 'tools: viewer read; editor execute; operator write; admin delete; agent read, execute.',
    'choices-4.27': 'analytics: viewer nothing; editor write; operator read; admin admin; agent write.',
    'choices-4.28': 'api_keys: viewer nothing; editor own read, write, delete; admin those of others; agent nothing.',
    'choices-4.29': 'audit and k8s: operator read; admin write; nobody else anything.',
    'choices-4.30': 'tenants and users: admin read, write, delete; nobody else anything.',
    'choices-4.31': 'Every route, RPC method and tool names its permission; one without stops the start.',
  }),
  ...requirements('choices-4', 'access', {
    'choices-4.32': 'write or delete on a thing that another subject owns needs operator or higher.',
    'choices-4.33': 'API-key scopes (resource:action, resource:*) only narrow what the owner of the key may do.',
    'choices-4.34': 'An admin crosses tenants by naming one in X-Tenant-Id; from anyone else the header is refused.',
    'choices-4.35': 'Without X-Tenant-Id an admin too sees his own tenant only.',
    'choices-4.36': 'Every crossing is audited with both tenants.',
  }),
  ...requirements('choices-4', 'foundation', {
    'choices-4.37': 'Worker register, heartbeat, unregister and stream need workers:write.',
    'choices-4.38': 'Worker claim, events and release need tasks:execute.',
    'choices-4.39': 'Trigger and task creation need tasks:write.',
    'choices-4.40': 'The A2A methods need a2a:read or a2a:write.',
    'choices-4.41': 'A request without any credential gets 401 always, never 429.',
  }),
  ...requirements('choices-4', 'access', {
    'choices-4.42': 'Failed credentials may be throttled with 429.',
    'choices-4.43': 'A provider token without a tenant claim, with an unknown tenant or without a known role is 403.',
    'choices-4.44': 'Such a token creates nothing and nothing falls to the tenant default.',
  }),
  ...requirements('choices-4', 'monitor-ui', {
    'choices-4.45':
      'An unauthenticated navigation to /v1/monitor/, /dashboard/ or /docs gets 401 with a sign-in page as body.',
    'choices-4.46': 'The sign-in page is self-contained and turns a pasted token into a session.',
    'choices-4.47': 'Every other unauthenticated request gets the 401 JSON.',
    'choices-4.48': 'The session cookie (HttpOnly, SameSite=Strict) opens page files only.',
    'choices-4.49': 'Data calls of the pages always carry the bearer header.',
    'choices-4.50': 'POST /v1/auth/sessions answers {session_id, access_token, expires_at} beside the cookie.',
  }),
  ...requirements('choices-4', 'foundation', {
    'choices-4.51': 'Tokens never stand in the path or query of a URL.',
  }),
  ...requirements('choices-4', 'schedules', {
    'choices-4.65':
      'What makes tasks later, such as runs, PRD turns and cron jobs, needs tasks:write beside its own permission.',
    'choices-4.66':
      'What makes tasks later acts with the present roles of its owner and the scopes it was made with; once the owner is disabled or the credential revoked it makes nothing.',
    'choices-4.67':
      "A person alone answers a run's question, changes its stories and commits it; the role agent gets 403 needs_person, over REST, A2A, the tool protocol and the input of a step's task.",
  }),
];
