// Formats a pino record as one readable line: `20:29:47 info  message key=value …`.

/**
 * @param record one JSON object, as pino writes it; any other text is returned unchanged
 * @param omitted keys that the line leaves out
 */
export function formatRecord(record: string, omitted: readonly string[] = []): string {
  const parsed: unknown = JSON.parse(record);
  if (!isObject(parsed)) return record;
  const { level, time, msg, ...rest } = parsed;
  const fields = Object.entries(rest).flatMap(([key, value]) =>
    omitted.includes(key) ? [] : [` ${key}=${formatValue(value)}`],
  );
  // A message may quote what an agent or the service sent: it stays one line, without control characters.
  const message = textOf(msg).replaceAll(/\p{Cc}+/gu, ' ');
  return `${textOf(time).slice(11, 19)} ${textOf(level).padEnd(5)} ${message}${fields.join('')}\n`;
}

/** JSON, except for plain words. Of an error only the messages of its chain: the JSON format has its stack. */
function formatValue(value: unknown): string {
  if (isObject(value) && typeof value['message'] === 'string') return JSON.stringify(errorText(value));
  if (typeof value === 'string' && /^[\w./:@+-]+$/.test(value)) return value;
  return JSON.stringify(value);
}

function errorText({ message, code, cause }: Readonly<Record<string, unknown>>): string {
  const own = code === undefined ? textOf(message) : `${textOf(message)} (${textOf(code)})`;
  if (!isObject(cause) || typeof cause['message'] !== 'string') return own;
  return `${own}: ${errorText(cause)}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
