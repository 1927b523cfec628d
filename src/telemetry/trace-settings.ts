// The OpenTelemetry settings that the service and the worker share: the collector and the sampling ratio.

export interface TraceSettings {
  readonly endpoint: string;
  /** Pairs of `name=value` with percent-encoded values; may hold credentials. */
  readonly headers: readonly string[];
  readonly serviceName: string;
  /** Share of the traces that start here, 0 to 1. */
  readonly ratio: number;
}

/** The settings under OpenTelemetry's own names in lower case, as the setting tables hold them. */
interface TraceValues {
  readonly otel_exporter_otlp_endpoint?: string | undefined;
  readonly otel_exporter_otlp_headers: readonly string[];
  readonly otel_service_name: string;
  readonly otel_traces_sampler_arg: number;
}

/** @returns undefined without a collector: tracing is off then */
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
