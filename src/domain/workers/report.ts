// Appends an agent's events to its task's log, under the lease.
import type { MakeId } from '../../lib/uuid7.ts';
import type { Caller } from '../model/access/caller.ts';
import { DomainError, eventGap, leaseLost } from '../model/errors.ts';
import type { InterventionAnswer } from '../model/intervention.ts';
import type { ArtifactData, TaskEventBody } from '../model/task/task-event.ts';
import type { LeaseEvent, SizedArtifact } from '../ports/store/queue.ts';
import { findOwningSubject, type WorkerDeps } from './deps.ts';
import { measureDiff } from './measure-diff.ts';

/** An artifact as a worker reports it; an id is generated when it has none. */
export type ReportedArtifact = Omit<ArtifactData, 'artifact_id'> & { readonly artifact_id?: string | undefined };

/** An event as a worker reports it, numbered under its lease. */
export type ReportedEvent = { readonly n: number } & (
  | Exclude<TaskEventBody, { type: 'artifact' | 'status' | 'message' }>
  | { readonly type: 'message'; readonly parts: Extract<TaskEventBody, { type: 'message' }>['data']['parts'] }
  | { readonly type: 'artifact'; readonly data: ReportedArtifact }
);

/**
 * Appends events. Events whose number is already known are dropped, so a report can be repeated safely.
 * @throws DomainError conflict: `lease_lost`, `artifacts_full`, or `event_gap` when numbers before these are missing;
 *   invalid when numbers do not rise, an artifact does not have exactly one content, or a checkpoint is too large
 */
export async function reportEvents(
  deps: Pick<WorkerDeps, 'queue' | 'wake' | 'policy' | 'makeId'>,
  caller: Caller,
  taskId: string,
  leaseToken: string,
  reported: readonly ReportedEvent[],
): Promise<{ seq: number; cancelRequested: boolean }> {
  reported.forEach((event, i) => {
    if (i > 0 && event.n <= (reported[i - 1]?.n ?? 0)) {
      throw invalid(`/events/${i}/n`, 'must be greater than the number of the event before');
    }
  });
  const events = reported.map((event, i) => toLeaseEvent(event, deps.makeId, `/events/${i}`));
  const subject = await findOwningSubject(deps.policy, caller);
  const answers = events.flatMap(toInterventionAnswers);
  const changes = measureDiff(events.flatMap((event) => (event.type === 'artifact' ? [event.data] : [])));
  const taken = await deps.queue.report(caller, {
    taskId,
    leaseToken,
    subject,
    events,
    contiguous: true,
    ...(answers.length > 0 && { answers }),
    changes,
  });
  if (taken.verdict === 'event_gap') throw eventGap(taken.expected);
  if (taken.verdict === 'lease_lost') throw leaseLost();
  if (taken.verdict === 'artifacts_full') throw artifactsFull();
  deps.wake.announce({ kind: 'task', tenantId: caller.tenantId, taskId });
  return taken;
}

/** The error for a report or release that was rejected as a whole, because its artifacts exceed the limit. choices-9. */
export function artifactsFull(): DomainError {
  const errorMessage =
    'The artifacts of this task would exceed MAX_TASK_ARTIFACT_BYTES. Send fewer or smaller artifacts.';
  return new DomainError('conflict', 'artifacts_full', errorMessage);
}

function toLeaseEvent(event: ReportedEvent, makeId: MakeId, path: string): LeaseEvent {
  switch (event.type) {
    case 'message':
      return { n: event.n, type: 'message', data: { message_id: makeId(), role: 'agent', parts: event.parts } };
    case 'artifact':
      return { n: event.n, type: 'artifact', ...toSizedArtifact(event.data, makeId, path) };
    case 'checkpoint': {
      const size = Buffer.byteLength(JSON.stringify(event.data.data) ?? '');
      if (size > maxCheckpointBytes)
        throw invalid(`${path}/data`, `must be at most ${maxCheckpointBytes} bytes of JSON`);
      return { ...event, size };
    }
    default:
      return event;
  }
}

/** Each claim of the task carries its last checkpoint; larger data belongs in an artifact. */
const maxCheckpointBytes = 256 * 1024;

function toInterventionAnswers(event: LeaseEvent): InterventionAnswer[] {
  if (event.type !== 'intervention') return [];
  const { intervention_id: id, status, reason } = event.data;
  return [{ id, status, reason }];
}

/** A plain name is used as the id, so that the newest attempt's `diff` can be read as `diff`. */
function idFromName(name: string): string | undefined {
  return /^[A-Za-z0-9._-]{1,200}$/.test(name) ? name : undefined;
}

/** Adds an id and the content's size in bytes. @throws DomainError invalid unless the artifact has exactly one content */
export function toSizedArtifact(artifact: ReportedArtifact, makeId: MakeId, path: string): SizedArtifact {
  const { text, data, bytes, uri } = artifact;
  if ([text, data, bytes, uri].filter((content) => content !== undefined).length !== 1) {
    throw invalid(path, 'must have exactly one of text, data, bytes and uri');
  }
  if (bytes !== undefined && !/^[A-Za-z0-9+/]*={0,2}$/.test(bytes)) throw invalid(`${path}/bytes`, 'must be base64');
  const size =
    bytes === undefined ? Buffer.byteLength(text ?? uri ?? JSON.stringify(data)) : Math.floor((bytes.length * 3) / 4);
  return { data: { ...artifact, artifact_id: artifact.artifact_id ?? idFromName(artifact.name) ?? makeId() }, size };
}

function invalid(path: string, message: string): DomainError {
  return new DomainError('invalid', 'invalid_request', `The request is not valid: ${path} ${message}.`, {
    errors: [{ path, message }],
  });
}
