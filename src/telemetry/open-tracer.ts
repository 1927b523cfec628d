// Opens the tracer that the settings ask for, and loads its SDK only then.
import type { Tracer } from '../lib/trace/tracer.ts';
import type { TraceSettings } from './trace-settings.ts';

export interface TracerDeps {
  readonly version: string;
  readonly instanceId: string;
  readonly log: (line: string, details?: unknown) => void;
}

/** @returns undefined when tracing is off; the SDK is not loaded then */
export async function openTracer(
  settings: TraceSettings | undefined,
  deps: TracerDeps,
): Promise<(Tracer & AsyncDisposable) | undefined> {
  if (settings === undefined) return undefined;
  const { openOtlpTracer } = await import('./otlp.ts');
  return openOtlpTracer({ ...settings, ...deps, headers: headersOf(settings.headers) });
}

/** One `name=value` pair of OTEL_EXPORTER_OTLP_HEADERS. */
export const traceHeader = /^[\w!#$%&'*+.^`|~-]{1,200}=[\x21-\x7e]{0,4096}$/;

function headersOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), decoded(pair.slice(at + 1))];
    }),
  );
}

/** A value with invalid percent-encoding is used as it is. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
