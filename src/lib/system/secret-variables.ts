// The environment variables in which this product takes a secret, or an address that may hold one.

/** Each but the last few is a setting of the service or of the worker that is secret; a test holds the list to both. */
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
  // The command line's own, and names under which others keep such things beside ours.
  'SWITCHYARD_OWNER_URL',
  'OIDC_CLIENT_SECRET',
  'PGPASSWORD',
  'REDIS_URL',
];
