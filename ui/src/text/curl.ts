// A call of the service as a line of a POSIX shell, with the token of the environment and never a real one.
import { replaceHidden } from './clean.ts';

export interface CallLine {
  readonly method: string;
  /** The path from the root, already encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>> | undefined;
  readonly body?: unknown;
  /** Headers beside the authorization, such as `X-Tenant-Id`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The curl line of a call to the service at `origin`. It runs as it stands where `SWITCHYARD_TOKEN` is set. */
export function curlLine(call: CallLine, origin: string): string {
  const method = call.method.toUpperCase();
  const hasBody = call.body !== undefined;
  const headers = Object.entries(call.headers ?? {}).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`);
  return [
    // The address is no pattern: curl would expand brackets and braces.
    'curl -sS -g',
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['-I'] : [`-X ${shellQuote(method)}`]),
    shellQuote(`${origin}${call.path}${queryOf(call)}`),
    '-H "Authorization: Bearer $SWITCHYARD_TOKEN"',
    ...headers,
    ...(hasBody ? [`-H 'Content-Type: application/json'`, `--data-binary ${shellQuote(visibleJson(call.body))}`] : []),
  ].join(' ');
}

/**
 * One word of a POSIX shell; NUL, which no word can hold, is left out. What nobody would see stands as octal bytes, so that the
 * line does what it shows.
 */
export function shellQuote(text: string): string {
  const word = text.replaceAll('\0', '');
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  const quoted = `'${word.replaceAll("'", String.raw`'\''`)}'`;
  return replaceHidden(quoted, (character) => `'"$(printf '${octalOf(character)}')"'`);
}

function octalOf(character: string): string {
  return [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** JSON in which every hidden character is an escape. */
function visibleJson(value: unknown): string {
  return replaceHidden(JSON.stringify(value), (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

function queryOf({ query = {} }: CallLine): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(name, String(one));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
