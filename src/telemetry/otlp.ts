// Exports traces with OpenTelemetry over OTLP/HTTP as JSON. Loaded only when tracing is on: the SDK costs memory and
// start-up time.
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { parseTraceparent, formatTraceparent } from '../lib/trace/traceparent.ts';
import type { SpanStart, Tracer } from '../lib/trace/tracer.ts';

export interface OtlpOptions {
  /** Base URL of the collector; `/v1/traces` is appended. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly version: string;
  /** Identifies this process among the replicas of the service. */
  readonly instanceId: string;
  /** Share of the traces that start here, 0 to 1. A trace started elsewhere keeps its own sampling decision. */
  readonly ratio: number;
  /** Called once when exports begin to fail, and once when they work again. */
  readonly log: (line: string, details?: unknown) => void;
}

/** Spans waiting for export; further spans are dropped. */
const maxQueueSize = 2_048;
const scheduledDelayMs = 1_000;
const exportTimeoutMs = 10_000;
/** How long shutdown waits for the last export. */
const shutdownTimeoutMs = 2_000;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/** Only disposal waits for the collector, for two seconds at most. */
export function openOtlpTracer(options: OtlpOptions): Tracer & AsyncDisposable {
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...options.headers },
    timeoutMillis: exportTimeoutMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'service.version': options.version,
      'service.instance.id': options.instanceId,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportExportFailures(exporter, options.log),
        maxQueueSize,
        scheduledDelayMillis: scheduledDelayMs,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  const tracer = provider.getTracer('switchyard', options.version);
  return {
    start(request) {
      const span = tracer.startSpan(request.name, toSpanOptions(request), toParentContext(request.parent));
      const { traceId, spanId, traceFlags: flags } = span.spanContext();
      return {
        traceparent: formatTraceparent({ traceId, spanId, flags }),
        end({ failed, attributes = {} } = {}) {
          span.setAttributes({ ...attributes });
          if (failed !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failed });
          span.end();
        },
      };
    },
    async [Symbol.asyncDispose]() {
      const timeout = Promise.withResolvers<void>();
      const timer = setTimeout(timeout.resolve, shutdownTimeoutMs);
      // A failed export was logged before.
      await Promise.race([provider.shutdown().catch(() => undefined), timeout.promise]);
      clearTimeout(timer);
    },
  };
}

function toSpanOptions({
  kind,
  attributes = {},
  startedAtMs,
}: SpanStart): Parameters<ReturnType<TracerProvider['getTracer']>['startSpan']>[1] {
  return {
    kind: kinds[kind],
    attributes: { ...attributes },
    startTime: startedAtMs,
  };
}

function toParentContext(parent: string | undefined): Context {
  const parts = parseTraceparent(parent);
  if (parts === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, flags: traceFlags } = parts;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** Logs one line when exports begin to fail and one when they work again, whatever the number of spans. */
function reportExportFailures(exporter: SpanExporter, log: OtlpOptions['log']): SpanExporter {
  let failing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { error } = result;
        if ((error !== undefined) !== failing) {
          failing = error !== undefined;
          if (failing)
            log('failed to export traces; spans are dropped until the collector answers', { reason: error?.name });
          else log('trace export works again');
        }
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}
