// What the log says of a request that broke: which it was, never a header, a query or a body of it.
import type { FastifyRequest } from 'fastify';
import { parseTraceparent } from '../../lib/trace/traceparent.ts';
import { traceparentOf } from '../pipeline/request-span.ts';
import { pathOf } from './rest.ts';

export interface RequestFailure {
  readonly request_id: string;
  /** Of a REST call. */
  readonly operation?: string;
  /** Where the path names one. */
  readonly task_id?: string;
  /** Of the trace that it was part of. */
  readonly trace_id?: string;
  readonly error: unknown;
}

export function describeRequestFailure(request: FastifyRequest, error: unknown): RequestFailure {
  const { operation } = request.routeOptions.config;
  const traceId = parseTraceparent(traceparentOf(request))?.traceId;
  const taskId = taskPath.exec(pathOf(request))?.[1];
  return {
    request_id: request.id,
    ...(operation === undefined ? {} : { operation }),
    ...(taskId === undefined ? {} : { task_id: taskId }),
    ...(traceId === undefined ? {} : { trace_id: traceId }),
    error,
  };
}

const taskPath = /\/tasks\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:[/:]|$)/i;
