// The queue's hot paths on PostgreSQL: each call becomes a row of the next group commit.
import type pg from 'pg';
import type { TenantScope } from '../../../domain/model/access/caller.ts';
import type {
  Finish,
  LeaseEvent,
  Renewal,
  SubmitVerdict,
  StartableQueue,
  TaskQueue,
} from '../../../domain/ports/store/queue.ts';
import { GroupCommitter } from './group-committer.ts';
import { submissionRow } from '../codec/submission-row.ts';
import { intentToJson } from '../codec/audit-intents.ts';
import { assignmentsOf } from './commit-batch.ts';
import type { CommitAnswers, CommitRows } from './commit-rows.ts';
import { translated } from '../connection/pg-errors.ts';
import { isoTime, sentInterventionFromRow, type SentInterventionJson } from '../codec/task-json.ts';

export interface QueueOptions {
  readonly pool: pg.Pool;
  readonly connections: number;
  /** A clock that is never set back. */
  readonly elapsedMs: () => number;
  readonly leaseSeconds: number;
  readonly idempotencyHours: number;
  /** The most bytes of artifacts that one task may have in sum. */
  readonly maxTaskArtifactBytes: number;
}

export function postgresQueue(options: QueueOptions): StartableQueue {
  const committer = new GroupCommitter(options);
  return {
    async submit(tenant, submission) {
      const row = submissionRow(submission);
      const weight = submission.draft.prompt.length + (submission.draft.message === null ? 0 : 1000);
      const { tenantId, intent } = tenant;
      const answer = await committer.run(tenantId, 'submit', row, { taskId: submission.id, weight, intent });
      const verdict = submitVerdict(answer);
      if (intent !== undefined) intent.trace.taskId = verdict.verdict === 'replayed' ? verdict.taskId : submission.id;
      return verdict;
    },
    async claim(tenant, request) {
      const row = {
        worker_id: request.workerId,
        limit: request.limit,
        task_id: request.taskId,
        subject: request.subject,
      };
      return assignmentsOf(await committer.run(tenant.tenantId, 'claim', row, { weight: 0, intent: tenant.intent }));
    },
    async report(tenant, report) {
      const { taskId: task_id, leaseToken: lease_token, subject, events, contiguous, answers, changes } = report;
      const bound = events.some(({ type }) => type === 'artifact') ? options.maxTaskArtifactBytes : undefined;
      const row = { task_id, lease_token, subject, events, contiguous, answers, changes, most_artifact_bytes: bound };
      const about = { taskId: report.taskId, weight: eventsWeight(report.events), intent: tenant.intent };
      const answer = await committer.run(tenant.tenantId, 'report', row, about);
      if (answer.verdict === 'event_gap') return { verdict: 'event_gap', expected: answer.expected ?? 1 };
      return { verdict: answer.verdict, seq: answer.seq ?? 0, cancelRequested: answer.cancel_requested };
    },
    async finish(tenant, finish) {
      const about = { taskId: finish.taskId, weight: finishWeight(finish), intent: tenant.intent };
      const answer = await committer.run(
        tenant.tenantId,
        'finish',
        finishRow(finish, options.maxTaskArtifactBytes),
        about,
      );
      return { verdict: answer.verdict, seq: answer.seq ?? 0 };
    },
    async renew(tenant, request) {
      const { workerId, subject, running, checkWaiting } = request;
      if (running.length === 0) {
        const row = { worker_id: workerId, subject, intent: tenant.intent?.id, check_waiting: checkWaiting };
        const { verdict, waiting = false } = await committer.run(tenant.tenantId, 'heartbeat', row, {
          weight: 0,
          intent: tenant.intent,
        });
        // A statement of its own can wait for the worker's row.
        if (verdict !== 'row_held') return { known: verdict === 'taken', ...noLeases, tasksWaiting: waiting };
      }
      try {
        return await renew(options, tenant, request);
      } catch (error) {
        throw translated(error);
      }
    },
    start: (participants) => committer.start(participants),
  };
}

/** The renewal of a worker that names no lease. */
const noLeases = { renewed: [], lost: [], cancel: [], interventions: [] };

function submitVerdict(answer: CommitAnswers['submit']): SubmitVerdict {
  switch (answer.verdict) {
    case 'created':
      return { verdict: 'created', createdAt: answer.created_at ?? '' };
    case 'replayed':
      return { verdict: 'replayed', taskId: answer.task_id ?? '' };
    default:
      return { verdict: answer.verdict };
  }
}

function finishRow(finish: Finish, maxTaskArtifactBytes: number): CommitRows['finish'] {
  const { artifacts } = finish;
  return {
    task_id: finish.taskId,
    lease_token: finish.leaseToken,
    subject: finish.subject,
    status: finish.status,
    result: finish.result,
    error: finish.error ?? undefined,
    usage: finish.usage ?? undefined,
    digest: finish.digest,
    artifacts,
    ...(artifacts.length > 0 && {
      artifact_bytes: bytesOf(artifacts),
      most_artifact_bytes: maxTaskArtifactBytes,
      changes: finish.changes ?? undefined,
    }),
  };
}

function finishWeight(finish: Finish): number {
  return (finish.result?.length ?? 0) + bytesOf(finish.artifacts);
}

function bytesOf(artifacts: Finish['artifacts']): number {
  return artifacts.reduce((sum, artifact) => sum + artifact.size, 0);
}

function eventsWeight(events: readonly LeaseEvent[]): number {
  return events.reduce((sum, event) => {
    if (event.type === 'output') return sum + event.data.text.length;
    return sum + (event.size ?? 200);
  }, 0);
}

interface RenewAnswer {
  readonly known: boolean;
  readonly renewed: { readonly task_id: string; readonly lease_expires_at: string }[];
  readonly lost: string[];
  readonly cancel: string[];
  readonly interventions: readonly SentInterventionJson[];
  readonly tasks_waiting: boolean;
}

/** One round trip: the function sets the tenant itself. */
async function renew(
  options: QueueOptions,
  { tenantId, intent }: TenantScope,
  request: Parameters<TaskQueue['renew']>[1],
): Promise<Renewal> {
  intent?.trace.rows.push({ tenantId, id: intent.id, pending: 1 });
  const result = await options.pool.query<{ answer: RenewAnswer }>({
    name: 'worker_renew',
    text: 'select worker_renew($1, $2, $3, $4::jsonb, make_interval(secs => $5), $6, $7, $8, $9) as answer',
    values: [
      tenantId,
      request.workerId,
      request.subject ?? null,
      JSON.stringify(request.running.map((lease) => ({ task_id: lease.taskId, lease_token: lease.leaseToken }))),
      options.leaseSeconds,
      intent?.id ?? null,
      intent?.chain ?? null,
      intent === undefined ? null : JSON.stringify([intentToJson(intent)]),
      request.checkWaiting,
    ],
  });
  const answer = result.rows[0]?.answer;
  if (answer === undefined) throw new Error('the database returned no result for a renewal');
  return {
    known: answer.known,
    renewed: answer.renewed.map((r) => ({ taskId: r.task_id, leaseExpiresAt: isoTime(r.lease_expires_at) })),
    lost: answer.lost,
    cancel: answer.cancel,
    interventions: answer.interventions.map(sentInterventionFromRow),
    tasksWaiting: answer.tasks_waiting,
  };
}
