// The header `traceparent` of W3C Trace Context: which trace a call belongs to, and which span of it made the call.

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Its parts; undefined for what is none. A later version's is read as ours, as the recommendation asks. */
export function parseTraceparent(
  text: string | undefined,
): { readonly traceId: string; readonly spanId: string; readonly flags: number } | undefined {
  const [, version, traceId, spanId, flags, more] = form.exec(text ?? '') ?? [];
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & 1 };
}

/** In version 00, whatever version it came in; undefined for what is none. */
export function normalizeTraceparent(text: string | undefined): string | undefined {
  const parts = parseTraceparent(text);
  return parts === undefined ? undefined : formatTraceparent(parts);
}

/** @param traceId 32 hexadecimal digits @param spanId 16 of them @param flags 1: recorded */
export function formatTraceparent(parts: {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}): string {
  return `00-${parts.traceId}-${parts.spanId}-0${parts.flags & 1}`;
}
