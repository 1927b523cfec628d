// Finds a key that stands twice in one object of a JSON text: `JSON.parse` keeps the last one without a word.

/** The first doubled key of a valid JSON text; undefined when there is none. */
export function findDoubledKey(json: string): string | undefined {
  /** The keys of each open object, the innermost last; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of json.matchAll(/"(?:[^"\\]+|\\.)*"|[{}[\]:]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const key: unknown = JSON.parse(last);
      const keys = open.at(-1);
      if (keys?.has(String(key)) === true) return String(key);
      keys?.add(String(key));
    } else last = token;
  }
  return undefined;
}
