// The request that is being written. Its texts are all there is: fields read from them and write into them.
import type { CallField } from './callable.ts';
import { parseJson, printJson, valueAt, withValueAt } from './json.ts';

export interface CallDraft {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** One `Name: value` a line. */
  readonly headers: string;
  /** Empty for none. */
  readonly body: string;
}

/** The value that a field shows; undefined when the text around it cannot be read. */
export function fieldValue(draft: CallDraft, field: CallField, template: string): string | undefined {
  const { place, name } = field;
  if (place.in === 'path') return pathValue(draft.path, template, name);
  if (place.in === 'query') return queryOf(draft.path).get(name) ?? '';
  if (place.in === 'header') return headersOf(draft.headers)[name.toLowerCase()] ?? '';
  const parsed = parseJson(draft.body === '' ? '{}' : draft.body);
  if (parsed === undefined) return undefined;
  const value = valueAt(parsed.value, place.pointer);
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : typeof value === 'object' ? undefined : JSON.stringify(value);
}

/** The draft with another value of the field; an empty one takes it away. */
export function withFieldValue(draft: CallDraft, field: CallField, template: string, value: string): CallDraft {
  const { place, name } = field;
  if (place.in === 'path') return { ...draft, path: withPathValue(draft.path, template, name, value) };
  if (place.in === 'query') return { ...draft, path: withQueryValue(draft.path, name, value) };
  if (place.in === 'header') return { ...draft, headers: withHeader(draft.headers, name, value) };
  const parsed = parseJson(draft.body === '' ? '{}' : draft.body);
  if (parsed === undefined) return draft;
  return { ...draft, body: printJson(withValueAt(parsed.value, place.pointer, typedValue(field, value)) ?? {}) };
}

function typedValue({ kind }: CallField, value: string): unknown {
  if (value === '') return undefined;
  if (kind === 'number') return Number.isNaN(Number(value)) ? value : Number(value);
  return kind === 'flag' ? value === 'true' : value;
}

/** Header lines as an object with lower-case names. A line without a colon is left out. */
export function headersOf(lines: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines.split('\n').flatMap((line) => {
      const colon = line.indexOf(':');
      const name = line.slice(0, colon).trim().toLowerCase();
      return colon > 0 && /^[!#$%&'*+.^_`|~\w-]+$/.test(name) ? [[name, line.slice(colon + 1).trim()] as const] : [];
    }),
  );
}

function withHeader(lines: string, name: string, value: string): string {
  const isOther = (line: string): boolean => !line.toLowerCase().startsWith(`${name.toLowerCase()}:`);
  const others = lines.split('\n').filter((line) => line.trim() !== '' && isOther(line));
  return [...others, ...(value === '' ? [] : [`${name}: ${value}`])].join('\n');
}

function splitPath(path: string): readonly [string, string] {
  const mark = path.indexOf('?');
  return mark < 0 ? [path, ''] : [path.slice(0, mark), path.slice(mark + 1)];
}

function queryOf(path: string): URLSearchParams {
  return new URLSearchParams(splitPath(path)[1]);
}

function withQueryValue(path: string, name: string, value: string): string {
  const query = queryOf(path);
  if (value === '') query.delete(name);
  else query.set(name, value);
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return text === '' ? splitPath(path)[0] : `${splitPath(path)[0]}?${text}`;
}

/** The part of a path that stands in place of `{name}`; undefined when the path has left the template. */
function pathValue(path: string, template: string, name: string): string | undefined {
  const match = matchPath(path, template);
  const value = match?.[name];
  if (value === undefined) return undefined;
  return value === `{${name}}` ? '' : decoded(value);
}

function withPathValue(path: string, template: string, name: string, value: string): string {
  const values = matchPath(path, template) ?? {};
  const [, query] = splitPath(path);
  const filled = template.replaceAll(/\{(\w+)\}/g, (hole, key: string) =>
    key === name ? (value === '' ? hole : encodeURIComponent(value)) : (values[key] ?? hole),
  );
  return query === '' ? filled : `${filled}?${query}`;
}

function matchPath(path: string, template: string): Readonly<Record<string, string>> | undefined {
  const pattern = template.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+?)');
  return new RegExp(`^${pattern}$`).exec(splitPath(path)[0])?.groups;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Names of path fields that still stand as `{name}`. */
export function missingOf(path: string): readonly string[] {
  return [...splitPath(path)[0].matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
