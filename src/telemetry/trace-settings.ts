// Where traces go, and how many: the settings of OpenTelemetry that the service and the worker share.

/** What the settings say of traces. */
export interface TraceSettings {
  readonly endpoint: string;
  /** As `name=value`, the values percent-encoded; may hold credentials. */
  readonly headers: readonly string[];
  readonly serviceName: string;
  /** Of traces that begin here, 0 to 1. */
  readonly ratio: number;
}

/** Settings as a table holds them, under OpenTelemetry's own names in small letters. */
interface TraceValues {
  readonly otel_exporter_otlp_endpoint?: string | undefined;
  readonly otel_exporter_otlp_headers: readonly string[];
  readonly otel_service_name: string;
  readonly otel_traces_sampler_arg: number;
}

/** Undefined without a collector: nothing is recorded then. */
export function toTraceSettings(values: TraceValues): TraceSettings | undefined {
  const { otel_exporter_otlp_endpoint: endpoint } = values;
  if (endpoint === undefined) return undefined;
  return {
    endpoint,
    headers: values.otel_exporter_otlp_headers,
    serviceName: values.otel_service_name,
    ratio: values.otel_traces_sampler_arg,
  };
}
