// A collector of traces on loopback: takes OTLP over HTTP as JSON, and keeps the spans that came.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { until } from '../until.ts';

export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** 2: an error. */
  readonly status: number;
}

export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Every body that came, as text, and the headers of the last. */
  readonly bodies: readonly string[];
  readonly headers: Readonly<Record<string, unknown>>;
  named(name: string, traceId?: string): Promise<CollectedSpan>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'attributes' | 'status' | 'service'> & {
        readonly attributes: readonly Attribute[];
        readonly status: { readonly code?: number };
      })[];
    }[];
  }[];
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

function spansIn(sent: Sent): CollectedSpan[] {
  return sent.resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    const spans = scopeSpans.flatMap((scope) => scope.spans);
    return spans.map((span) => ({
      ...span,
      service,
      attributes: valuesOf(span.attributes),
      status: span.status.code ?? 0,
    }));
  });
}

/** @param answer status of every answer; undefined: none ever comes */
export async function openCollector(answer: number | undefined = 200): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  let headers: Record<string, unknown> = {};
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      headers = request.headers;
      bodies.push(body);
      if (request.url === '/v1/traces' && answer === 200) spans.push(...spansIn(JSON.parse(body) as Sent));
      if (answer !== undefined) response.writeHead(answer, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    bodies,
    get headers() {
      return headers;
    },
    named: (name, traceId) =>
      until(`the span ${name}`, () =>
        spans.find((span) => span.name === name && (traceId === undefined || span.traceId === traceId)),
      ),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
