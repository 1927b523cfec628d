// The error code that the operating system, a driver or Node attaches to an error.

/** The code of an error, e.g. `ENOENT` or `40001`; undefined for an error without one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
