// Reads of JSON whose shape the page does not know beforehand.

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object, or an empty one for anything else. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value at the pointer; undefined if there is none. */
export function valueAt(value: unknown, pointer: readonly string[]): unknown {
  let found = value;
  for (const key of pointer) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}

/** A copy with another value at the pointer; undefined takes the member away. Objects on the way are made. */
export function withValueAt(value: unknown, pointer: readonly string[], to: unknown): unknown {
  const [key, ...rest] = pointer;
  if (key === undefined) return to;
  if (Array.isArray(value))
    return value.map((entry, index) => (String(index) === key ? withValueAt(entry, rest, to) : entry));
  const { [key]: before, ...others } = objectOf(value);
  const after = withValueAt(before, rest, to);
  if (after === undefined) return others;
  return Object.fromEntries(
    before === undefined
      ? [...Object.entries(others), [key, after]]
      : Object.entries(objectOf(value)).map(([name, entry]) => [name, name === key ? after : entry]),
  );
}

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return undefined;
  }
}

export function printJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
