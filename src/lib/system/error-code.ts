// The word that the system, the driver or Node has for an error.

/** The code of an error, as `ENOENT` or `40001`; undefined where it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
