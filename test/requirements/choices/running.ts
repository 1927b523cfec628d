// Choices, head and section 1: commands, database addresses, environment, what the start prints.
import { requirements, type Requirement } from '../requirement.ts';

export const choicesRunning: readonly Requirement[] = [
  ...requirements('choices, head', 'foundation', {
    'choices-0.1': 'The package and the command are called switchyard.',
    'choices-0.2': 'The embedded store is PostgreSQL rather than process memory.',
  }),
  ...requirements('choices-1', 'foundation', {
    'choices-1.1':
      'npm ci && npm start: embedded PostgreSQL, the service on 8000 and one local worker, on a fresh machine.',
    'choices-1.2': 'npm ci && npm test: the whole test suite, which brings what it needs itself.',
    'choices-1.3': 'npm run serve and npm run worker start one part alone; further arguments follow after --.',
    'choices-1.4':
      'The command line has up, serve, worker, migrate, doctor, task, logs, codebase and config; npm start is up.',
    'choices-1.5': 'Every command takes --json.',
    'choices-1.6': 'The exit codes of the command line are documented, and true.',
    'choices-1.7': 'The command line takes --url and --token, or SWITCHYARD_URL and SWITCHYARD_TOKEN.',
  }),
  ...requirements('choices-1', 'tool-protocol', {
    'choices-1.8': 'npm start also serves the tool server on 9000.',
    'choices-1.9': 'The command line has mcp.',
  }),
  ...requirements('choices-1', 'access', {
    'choices-1.10': 'The command line has key, tenant, user, db, audit and discovery.',
  }),
  ...requirements('choices-1', 'remote-workers', {
    'choices-1.11': 'The command line has tools.',
  }),
  ...requirements('choices-1', 'foundation', {
    'choices-1.12': 'DATABASE_URL is the login of the service; superuser or BYPASSRLS is refused with the remedy.',
    'choices-1.13': 'A login that owns the tables is accepted with a warning.',
    'choices-1.14': 'Logins do not inherit: the bare login, without SET ROLE, gets at no row.',
    'choices-1.15': 'Connections run under SET ROLE a2a_app.',
    'choices-1.16': 'Crossings run under SET LOCAL ROLE a2a_admin, which a policy lets through, without BYPASSRLS.',
    'choices-1.17': 'Data migrations run as a2a_admin, for FORCE binds the owner too.',
    'choices-1.18': 'With RLS_ENABLED=false connections run as a2a_admin.',
    'choices-1.19': 'With RLS_ENABLED=false inserts still carry the tenant of the caller.',
  }),
  ...requirements('choices-1', 'access', {
    'choices-1.20': 'switchyard db setup --owner-url creates the roles, migrates and prints the address to use.',
    'choices-1.21': 'MIGRATION_DATABASE_URL serves later migrations of a login that owns nothing.',
    'choices-1.22': 'The decision is asked at POLICY_URL + /v1/data/switchyard/authz/allow, or POLICY_PATH.',
    'choices-1.23': 'OIDC_ISSUER_URL is https, or http on loopback.',
    'choices-1.24': 'An unknown key id makes one refetch of the keys, at most every 30 seconds.',
  }),
  ...requirements('choices-1', 'foundation', {
    'choices-1.25': 'A request body is at most 1 MiB (MAX_BODY_BYTES).',
    'choices-1.26': 'A2A messages and worker events may be up to 16 MiB.',
    'choices-1.27': 'Settings weigh: flags, then environment, then config file, then default.',
    'choices-1.28': 'switchyard config print shows each value and its origin, secrets masked.',
    'choices-1.29': 'PORT is 8000 by default.',
    'choices-1.30': 'HOST is 127.0.0.1 by default.',
    'choices-1.31': 'BASE_URL is the public address, used in the agent card.',
    'choices-1.32': 'The address in the card is never guessed from a request header.',
    'choices-1.33': 'DATA_DIR is .switchyard/ in the folder the service is started in, by default.',
    'choices-1.34': 'RETENTION_DAYS, 30 by default: finished tasks, logs and events older than that go.',
    'choices-1.35': 'A cursor older than what is retained gets resync.',
    'choices-1.36': 'LOG_LEVEL sets what is logged.',
    'choices-1.37': 'TASK_LEASE_SECONDS is 60 by default.',
    'choices-1.38': 'TASK_MAX_ATTEMPTS is 3 by default.',
    'choices-1.39': 'An unknown or malformed value stops the start with one clear line.',
  }),
  ...requirements('choices-1', 'automation', {
    'choices-1.40': 'WEBHOOK_SIGNING_SECRET signs webhooks; WEBHOOK_BACKOFF_SECONDS is 5 by default.',
    'choices-1.41': 'EGRESS_ALLOW: comma-separated CIDRs or hosts that are reachable although private; default none.',
    'choices-1.42': 'What a caller or a discovery document names goes through the egress guard.',
    'choices-1.43': 'Addresses that an operator configures are allowed by exact scheme, host and port.',
  }),
  ...requirements('choices-1', 'access', {
    'choices-1.44': 'OIDC_TENANT_CLAIM is tenant_id and OIDC_ROLES_CLAIM is roles by default.',
    'choices-1.45': 'OIDC_AUDIENCE is a comma list and serves both ports.',
    'choices-1.46': 'AUDIT_LOG_PATH and AUDIT_SIGNING_KEY_FILE set where the audit lies and what signs it.',
    'choices-1.47': 'TRUSTED_PROXIES says whose forwarded addresses are believed, for BASE_URL too.',
  }),
  ...requirements('choices-1', 'a2a', {
    'choices-1.48': 'A2A_CARD_SIGNING_KEY_FILE sets the key that signs the agent card.',
  }),
  ...requirements('choices-1', 'tool-protocol', {
    'choices-1.49': 'MCP_PORT is 9000 by default.',
    'choices-1.50': 'MCP_ALLOWED_HOSTS, MCP_ALLOWED_ORIGINS and MCP_PUBLIC_URL bound who reaches the tool server.',
  }),
  ...requirements('choices-1', 'cluster', {
    'choices-1.51': 'Beside CLUSTER_SERVICE_HOST the name KUBERNETES_SERVICE_HOST is honoured.',
    'choices-1.52': 'The container is called switchyard.',
  }),
  ...requirements('choices-1', 'remote-workers', {
    'choices-1.53': 'Tool content may be up to 16 MiB.',
  }),
  ...requirements('choices-1', 'foundation', {
    'choices-1.54': 'The start prints the addresses and the database in use.',
    'choices-1.55': 'The start prints the generated token once, and only when SERVICE_AUTH_TOKEN is unset.',
    'choices-1.56': 'The start prints what is off and how to turn it on.',
    'choices-1.57': 'up leaves address and token in DATA_DIR/cli.json (mode 0600), which the command line reads.',
    'choices-1.58': 'Secrets have environment and ...-file forms.',
    'choices-1.59': 'Nothing started or printed carries a secret as an argument.',
    'choices-1.60': 'GET /health is 200 {status: ok | degraded} while the process lives.',
    'choices-1.61': 'GET /health?ready is 503 while the service cannot serve.',
    'choices-1.62': 'The package and the card start at version 1.2.0.',
  }),
];
