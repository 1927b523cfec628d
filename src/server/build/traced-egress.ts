// Records webhooks and push notifications as spans of the trace that their request belongs to.
import type { Egress } from '../../domain/ports/egress.ts';
import type { Tracer } from '../../lib/trace/tracer.ts';

/** A request without a trace is sent unchanged. */
export function tracedEgress(egress: Egress, tracer: Tracer): Pick<Egress, 'send'> {
  return {
    async send(request) {
      const { traceparent: parent } = request.headers;
      if (parent === undefined) return egress.send(request);
      const span = tracer.start({
        name: 'deliver',
        kind: 'client',
        parent,
        attributes: {
          'http.request.method': request.method,
          // The host alone: path and query may hold secrets of the receiver.
          'server.address': URL.parse(request.url)?.hostname ?? '',
          'switchyard.delivery_id': request.headers['webhook-id'] ?? '',
        },
      });
      const headers = { ...request.headers, traceparent: span.traceparent };
      const answer = await egress.send({ ...request, headers });
      if (answer.outcome === 'answered') {
        const attributes = { 'http.response.status_code': answer.statusCode };
        span.end({ attributes, ...(answer.statusCode >= 400 ? { failed: String(answer.statusCode) } : {}) });
      } else span.end({ failed: answer.outcome });
      return answer;
    },
  };
}
