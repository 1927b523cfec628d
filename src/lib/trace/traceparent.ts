// The `traceparent` header of W3C Trace Context: the trace of a call, and the span that made the call.

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The parts of a header; undefined for an invalid one. A later version is parsed as version 00, as W3C recommends. */
export function parseTraceparent(
  text: string | undefined,
): { readonly traceId: string; readonly spanId: string; readonly flags: number } | undefined {
  const [, version, traceId, spanId, flags, more] = form.exec(text ?? '') ?? [];
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & 1 };
}

/** The header in version 00, whatever its version was; undefined for an invalid one. */
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
