// A setting that stops the start.

/** Its message is one line: the value, its origin and what is allowed. It never quotes a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
