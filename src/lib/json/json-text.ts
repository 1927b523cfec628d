// JSON as bytes, made into a value; what would keep the process busy for long is refused before it is parsed.

/** JSON text holds no more values than this: many more would stop everybody else for as long as they are parsed. */
export const maxJsonValues = 200_000;
/** Members of one object. Whatever goes through all names of one takes longer for each, the more there are. */
export const maxObjectMembers = 10_000;
/** What is wrong with a text of which `hasMoreValues` is true. */
export const tooManyValues = `more than ${maxJsonValues} JSON values, or an object of more than ${maxObjectMembers} members`;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws SyntaxError or TypeError unless the bytes are JSON in UTF-8 */
export function parseJson(bytes: Uint8Array): unknown {
  return JSON.parse(utf8.decode(bytes));
}

/**
 * Whether JSON text holds more than so many values, or an object of more than so many members, found without parsing it: a
 * byte at a time, about 1 ms for 1 MB (to parse eight million small values takes half a second). Text that is no JSON gets
 * some answer.
 */
export function hasMoreValues(bytes: Uint8Array, most = maxJsonValues, mostMembers = maxObjectMembers): boolean {
  // Each value but the first has at least one byte of its own and one that separates it; a member has its quotes too.
  if (bytes.length < Math.min(most * 2, mostMembers * 5)) return false;
  let left = most;
  let quoted = false;
  /** Members of the objects that are open, the innermost last. Arrays have none. */
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
