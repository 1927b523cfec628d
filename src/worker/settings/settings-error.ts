// A setting that stops the start: one line that names it, where it came from and what to write instead.

/** Its message is one line for the person who wrote the setting; it never quotes a secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
