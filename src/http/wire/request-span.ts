// The trace span of a request, from before the pipeline until the answer. Without a tracer the client's trace is passed on.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { normalizeTraceparent } from '../../lib/trace/traceparent.ts';
import type { Span, Tracer } from '../../lib/trace/tracer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where the request is not traced. */
    span: Span | undefined;
  }
}

/** Operations that workers and probes call all the time. Without an incoming trace they get no span: they would drown the rest. */
const frequentOperations = /^(?:workers\.(?:heartbeat|stream|claim|events)|monitor\.metrics)$/;

export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { operation } = request.routeOptions.config;
    const { url: route = 'unknown' } = request.routeOptions;
    const parent = incomingTraceparent(request);
    if (parent !== undefined || !(frequentOperations.test(operation ?? '') || route === '/health')) {
      request.span = tracer.start({
        name: `${request.method} ${route}`,
        kind: 'server',
        parent,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'switchyard.request_id': request.id,
          ...(operation === undefined ? {} : { 'switchyard.operation': operation }),
        },
      });
    }
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply.raw;
    const attributes = { 'http.response.status_code': statusCode };
    request.span?.end({ attributes, failed: statusCode >= 500 ? String(statusCode) : undefined });
    done();
  });
}

function incomingTraceparent(request: FastifyRequest): string | undefined {
  const { traceparent } = request.headers;
  return typeof traceparent === 'string' ? normalizeTraceparent(traceparent) : undefined;
}

/** The `traceparent` for work that a request starts. */
export function traceparentOf(request: FastifyRequest): string | undefined {
  return request.span?.traceparent ?? incomingTraceparent(request);
}
