// The environment variables that hold a secret, or an address that may contain one.

/** All but the last few are secret settings of the service or the worker; a test compares the list with both. */
export const secretVariables: readonly string[] = [
  'A2A_AUTH_TOKENS',
  'A2A_BROKER_URL',
  'BROKER_SHARED_SECRET',
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'MODEL_PROVIDER_API_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'SERVICE_AUTH_TOKEN',
  'SWITCHYARD_TOKEN',
  'WEBHOOK_SIGNING_SECRET',
  // Variables of the command line, and common names for secrets of other programs.
  'SWITCHYARD_OWNER_URL',
  'OIDC_CLIENT_SECRET',
  'PGPASSWORD',
  'REDIS_URL',
];
