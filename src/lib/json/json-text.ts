// Parses JSON from bytes, and rejects a text that would block the event loop for long before it is parsed.

/** Most values in one JSON text. Parsing many more would block every other request for the duration. */
export const maxJsonValues = 200_000;
/** Most members of one object. Code that walks all keys gets slower per key as their number grows. */
export const maxObjectMembers = 10_000;
/** The message for a text for which `hasMoreValues` is true. */
export const tooManyValues = `more than ${maxJsonValues} JSON values, or an object of more than ${maxObjectMembers} members`;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws SyntaxError or TypeError unless the bytes are JSON in UTF-8 */
export function parseJson(bytes: Uint8Array): unknown {
  return JSON.parse(utf8.decode(bytes));
}

/** The value of a JSON text; undefined for text that is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Whether JSON text holds more than `most` values, or an object of more than `mostMembers` members. Scans the bytes
 * without parsing: about 1 ms for 1 MB (parsing eight million small values takes half a second). The answer for text
 * that is not JSON is arbitrary.
 */
export function hasMoreValues(bytes: Uint8Array, most = maxJsonValues, mostMembers = maxObjectMembers): boolean {
  // Each value but the first takes at least one byte and one separator; a member also takes its quotes.
  if (bytes.length < Math.min(most * 2, mostMembers * 5)) return false;
  let left = most;
  let quoted = false;
  /** Number of members of each open object, the innermost last. Arrays have no entry. */
  const members: number[] = [];
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (quoted) {
      if (byte === backslash) i += 1;
      else if (byte === quote) quoted = false;
    } else if (byte === quote) {
      quoted = true;
    } else if (byte === comma || byte === colon || byte === bracket || byte === brace) {
      left -= 1;
      if (left < 0) return true;
      if (byte === brace) members.push(0);
      else if (byte === colon) {
        const count = (members.pop() ?? 0) + 1;
        if (count > mostMembers) return true;
        members.push(count);
      }
    } else if (byte === braceEnd) {
      members.pop();
    }
  }
  return false;
}

const [quote, backslash, comma, colon, bracket, brace, braceEnd] = [0x22, 0x5c, 0x2c, 0x3a, 0x5b, 0x7b, 0x7d];
