// The tracer that the settings ask for: none, or one that is loaded now.
import type { Tracer } from '../lib/trace/tracer.ts';
import type { TraceSettings } from './trace-settings.ts';

export interface TracerDeps {
  readonly version: string;
  readonly instanceId: string;
  readonly log: (line: string, details?: unknown) => void;
}

/** Undefined: no traces are recorded, and nothing of the SDK is loaded. */
export async function openTracer(
  settings: TraceSettings | undefined,
  deps: TracerDeps,
): Promise<(Tracer & AsyncDisposable) | undefined> {
  if (settings === undefined) return undefined;
  const { openOtlpTracer } = await import('./otlp.ts');
  return openOtlpTracer({ ...settings, ...deps, headers: headersOf(settings.headers) });
}

/** One `name=value` of OTEL_EXPORTER_OTLP_HEADERS. */
export const traceHeader = /^[\w!#$%&'*+.^`|~-]{1,200}=[\x21-\x7e]{0,4096}$/;

function headersOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), decoded(pair.slice(at + 1))];
    }),
  );
}

/** A value that is not percent-encoded as it should be is taken as it stands. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
