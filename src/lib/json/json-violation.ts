// Finds content in parsed JSON that the service does not accept: strings that a database cannot store, numbers that
// overflowed to infinity (they would be stored as null), and nesting without a limit.

/** Why a value is rejected, and where (JSON pointer); undefined for a valid value. */
export type JsonViolation = { readonly path: string; readonly message: string } | undefined;

/**
 * Searches a value that `JSON.parse` returned. The path is built only on the way back from a violation: built for every
 * item, paths took 10 s and 2 GB for a body of seven million numbers (now 0.1 s).
 * @param maxDepth how many arrays and objects may be nested
 */
export function findJsonViolation(value: unknown, maxDepth: number): JsonViolation {
  return violationIn(value, maxDepth, maxDepth);
}

function violationIn(value: unknown, left: number, maxDepth: number): JsonViolation {
  if (typeof value === 'string') {
    return isClean(value) ? undefined : { path: '', message: 'contains a NUL character or half of a surrogate pair' };
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return { path: '', message: 'is too large a number' };
  if (typeof value !== 'object' || value === null) return undefined;
  if (left === 0) return { path: '', message: `is nested deeper than ${maxDepth} levels` };
  return Array.isArray(value) ? violationInItems(value, left, maxDepth) : violationInMembers(value, left, maxDepth);
}

function violationInItems(items: readonly unknown[], left: number, maxDepth: number): JsonViolation {
  for (let i = 0; i < items.length; i += 1) {
    const violation = violationIn(items[i], left - 1, maxDepth);
    if (violation !== undefined) return under(String(i), violation);
  }
  return undefined;
}

function violationInMembers(members: object, left: number, maxDepth: number): JsonViolation {
  for (const key of Object.keys(members)) {
    if (!isClean(key))
      return under(key, { path: '', message: 'is a name with a NUL character or half a surrogate pair' });
    const violation = violationIn(Reflect.get(members, key), left - 1, maxDepth);
    if (violation !== undefined) return under(key, violation);
  }
  return undefined;
}

function isClean(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function under(key: string, violation: { readonly path: string; readonly message: string }): JsonViolation {
  return { ...violation, path: `/${key.slice(0, 100)}${violation.path}` };
}

/** Whether a value has more than `most` items and members in total. Stops counting there. */
export function hasMoreMembers(value: unknown, most: number): boolean {
  return membersLeft(value, most) < 0;
}

/** How many more are allowed; negative when there are too many. */
function membersLeft(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return most;
  let left = most;
  for (const key in value) {
    left = membersLeft(Reflect.get(value, key), left - 1);
    if (left < 0) break;
  }
  return left;
}
