// An attempt as spans of its task's trace: the claim, the agent, the release. Without a tracer the task's own
// `traceparent` is passed on.
import type { AssignmentWire } from '../../contracts/worker.ts';
import { parseTraceparent } from '../../lib/trace/traceparent.ts';
import type { SpanAttributes, Tracer } from '../../lib/trace/tracer.ts';

/** Gets the `traceparent` for its requests; undefined outside of any trace. */
type Work<T> = (traceparent: string | undefined) => Promise<T>;

export interface AttemptTrace {
  readonly traceId: string | undefined;
  /** Does a part of the attempt within a span of its own. */
  during<T>(name: string, work: Work<T>): Promise<T>;
  /** @param status the final status of the attempt */
  end(status: string): void;
}

/** @param claimedAtMs when the claim began, in milliseconds since 1970 */
export function traceAttempt(tracer: Tracer | undefined, { task }: AssignmentWire, claimedAtMs: number): AttemptTrace {
  const parent = task.traceparent;
  const attributes: SpanAttributes = { 'switchyard.task_id': task.id, 'switchyard.attempt': task.attempt };
  const attemptSpan = tracer?.start({ name: 'run', kind: 'consumer', parent, attributes, startedAtMs: claimedAtMs });
  const within = attemptSpan?.traceparent ?? parent;
  tracer?.start({ name: 'claim', kind: 'internal', parent: within, startedAtMs: claimedAtMs }).end();
  return {
    traceId: parseTraceparent(within)?.traceId,
    async during(name, work) {
      const span = tracer?.start({ name, kind: 'internal', parent: within });
      try {
        const result = await work(span?.traceparent ?? within);
        span?.end();
        return result;
      } catch (error) {
        span?.end({ failed: error instanceof Error ? error.name : 'error' });
        throw error;
      }
    },
    end: (status) => attemptSpan?.end({ attributes: { 'switchyard.status': status } }),
  };
}
