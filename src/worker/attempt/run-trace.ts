// A run as spans of its task's trace: how long its claim took, its agent, its release. Without a tracer the task's own
// `traceparent` is handed on.
import type { Assignment } from '../../contracts/worker.ts';
import { readTraceparent } from '../../lib/trace/traceparent.ts';
import type { SpanAttributes, Tracer } from '../../lib/trace/tracer.ts';

/** Gets the `traceparent` of what it does; undefined outside of any trace. */
type Work<T> = (traceparent: string | undefined) => Promise<T>;

export interface RunTrace {
  readonly traceId: string | undefined;
  /** Does a part of the run as a span of it. */
  during<T>(name: string, work: Work<T>): Promise<T>;
  /** @param status that the run ended with */
  end(status: string): void;
}

/** @param claimedAtMs when the claim began, in milliseconds since 1970 */
export function traceRun(tracer: Tracer | undefined, { task }: Assignment, claimedAtMs: number): RunTrace {
  const parent = task.traceparent;
  const attributes: SpanAttributes = { 'switchyard.task_id': task.id, 'switchyard.attempt': task.attempt };
  const run = tracer?.start({ name: 'run', kind: 'consumer', parent, attributes, startedAtMs: claimedAtMs });
  const within = run?.traceparent ?? parent;
  tracer?.start({ name: 'claim', kind: 'internal', parent: within, startedAtMs: claimedAtMs }).end();
  return {
    traceId: readTraceparent(within)?.traceId,
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
    end: (status) => run?.end({ attributes: { 'switchyard.status': status } }),
  };
}
