// The span of a request: it begins before the hallway and ends with the answer; who has no tracer hands on what came.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { normalizeTraceparent } from '../../lib/trace/traceparent.ts';
import type { Span, Tracer } from '../../lib/trace/tracer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined: nothing is recorded of it. */
    span: Span | undefined;
  }
}

/** What workers and probes ask all the time, in no trace: one of each would bury the rest. */
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
    request.span?.end({ attributes, ...(statusCode >= 500 ? { failed: String(statusCode) } : {}) });
    done();
  });
}

function incomingTraceparent(request: FastifyRequest): string | undefined {
  const { traceparent } = request.headers;
  return typeof traceparent === 'string' ? normalizeTraceparent(traceparent) : undefined;
}

/** The `traceparent` of what a request sets off. */
export function traceparentOf(request: FastifyRequest): string | undefined {
  return request.span?.traceparent ?? incomingTraceparent(request);
}
