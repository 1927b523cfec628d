// Log details of a failed request: they identify it, without its headers, query or body.
import type { FastifyRequest } from 'fastify';
import { parseTraceparent } from '../../lib/trace/traceparent.ts';
import { traceparentOf } from '../wire/request-span.ts';
import { pathOf } from '../pipeline/request.ts';

export interface RequestFailure {
  readonly request_id: string;
  /** Set for a REST call. */
  readonly operation?: string;
  /** Set where the path names a task. */
  readonly task_id?: string;
  /** Set where the request belonged to a trace. */
  readonly trace_id?: string;
  readonly error: unknown;
}

export function describeRequestFailure(request: FastifyRequest, error: unknown): RequestFailure {
  const { operation } = request.routeOptions.config;
  const traceId = parseTraceparent(traceparentOf(request))?.traceId;
  const taskId = taskPath.exec(pathOf(request))?.[1];
  return {
    request_id: request.id,
    operation,
    task_id: taskId,
    trace_id: traceId,
    error,
  };
}

const taskPath = /\/tasks\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:[/:]|$)/i;
