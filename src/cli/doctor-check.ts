// One line of `doctor`: what was looked at, how it is, what to do.

export interface Check {
  /** Short noun, e.g. `git`. */
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  /** What was found, in one line. */
  readonly found: string;
  /** What to do; empty when nothing is. */
  readonly remedy: string;
}

export function ok(name: string, found: string): Check {
  return { name, state: 'ok', found, remedy: '' };
}

export function warn(name: string, found: string, remedy: string): Check {
  return { name, state: 'warn', found, remedy };
}

export function fail(name: string, found: string, remedy: string): Check {
  return { name, state: 'fail', found, remedy };
}
