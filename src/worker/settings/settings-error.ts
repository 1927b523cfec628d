// A setting that stops the start: one line that names it, its origin and what to write instead.

/** Its message is one line for the author of the setting; it never quotes a secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
