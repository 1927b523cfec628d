// Starts one run of a locked job: its task, or the reason why it has none. In the caller's transaction. platform-3.2.
import {
  type Cronjob,
  type CronjobRun,
  type CronjobTrigger,
  type ScheduleError,
  cronjobTopic,
} from '../model/schedule/cronjob.ts';
import { draftFromTemplate } from '../model/task/task-template.ts';
import type { NewCronjobRun } from '../ports/store/schedules/cronjobs.ts';
import type { Submission } from '../ports/store/queue.ts';
import type { Rows, SubmitRefusal } from '../ports/store/store.ts';
import { cancelTasks, noTaskMoves, submissionOf, type TaskMoves } from '../tasks/change/component-tasks.ts';
import type { CronDeps } from './cron-deps.ts';

export interface RunStart {
  readonly job: Cronjob;
  readonly runId: string;
  /** ISO 8601. */
  readonly dueAt: string;
  readonly trigger: CronjobTrigger;
  /** Milliseconds since 1970, by the clock of the database. */
  readonly now: number;
  /** Whether the owner may still create tasks. */
  readonly ownerMayAct: boolean;
}

export interface StartedRun {
  readonly run: NewCronjobRun;
  /** To announce after the commit. */
  readonly moves: TaskMoves;
}

/** @returns undefined: this due time has a run already */
export async function startRun(deps: CronDeps, rows: Rows, start: RunStart): Promise<StartedRun | undefined> {
  const { job, runId, dueAt, trigger } = start;
  const run = { runId, cronjobId: job.cronjobId, dueAt, trigger, missedCount: null, endedAt: null, error: null };
  const without = async (end: Pick<CronjobRun, 'status' | 'reason' | 'error'>): Promise<StartedRun | undefined> => {
    const ended: NewCronjobRun = { ...run, ...end, taskId: null };
    return (await rows.cronjobs.addRun(ended)) ? { run: ended, moves: noTaskMoves } : undefined;
  };
  if (trigger !== 'manual' && (await rows.cronjobs.hasRunAt(job.cronjobId, dueAt))) return undefined;
  if (!start.ownerMayAct) return without({ status: 'skipped', reason: 'owner_disabled', error: null });
  const open = job.overlap === 'allow' ? [] : await rows.cronjobs.openTasks(job.cronjobId);
  if (open.length > 0 && job.overlap === 'skip') return without({ status: 'skipped', reason: 'overlap', error: null });
  const submission = taskOf(deps, start);
  const [refusal] = (await rows.taskMoves.submit([submission])).values();
  if (refusal !== undefined) {
    return without({ status: 'failed', reason: refusalReason(refusal), error: refusalError(refusal) });
  }
  const started: NewCronjobRun = { ...run, status: 'started', reason: null, taskId: submission.id };
  if (!(await rows.cronjobs.addRun(started))) throw new Error('a due time has a run although its job is locked');
  return { run: started, moves: { created: [submission], cancelled: await supersede(rows, open) } };
}

function taskOf(deps: CronDeps, { job, runId, dueAt, now }: RunStart): Submission {
  const draft = draftFromTemplate(job.taskTemplate, {
    title: job.name,
    metadata: { cronjob_id: job.cronjobId, cronjob_run_id: runId, due_at: dueAt },
    topic: cronjobTopic,
    now,
  });
  return submissionOf(deps, draft, job.createdBy);
}

/** Cancels the tasks of earlier runs and ends these runs. A task that has just ended ends its own run. */
async function supersede(rows: Rows, open: readonly { readonly taskId: string }[]): Promise<TaskMoves['cancelled']> {
  const cancelled = await cancelTasks(
    rows,
    open.map(({ taskId }) => taskId),
    superseded,
    'superseded',
  );
  for (const { taskId } of cancelled) {
    await rows.cronjobs.endRunOf(taskId, { status: 'cancelled', reason: 'superseded', error: null });
  }
  return cancelled;
}

const superseded: ScheduleError = {
  code: 'superseded',
  message: 'The next due time of its cron job came before this task was done.',
};

function refusalReason(refusal: SubmitRefusal): string {
  return refusal === 'no_such_codebase' ? 'codebase_gone' : 'worker_gone';
}

function refusalError(refusal: SubmitRefusal): ScheduleError {
  return refusal === 'no_such_codebase'
    ? { code: 'codebase_gone', message: 'The codebase of this job was removed. Name another one in its task_template.' }
    : { code: 'worker_gone', message: 'The worker of this job was removed. Name another one in its task_template.' };
}
