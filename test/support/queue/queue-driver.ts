// Small moves of the queue's tests: register, submit, claim, report, release as verbs, short enough to read.
import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../src/domain/model/access/caller.ts';
import type { Assignment, Task } from '../../../src/domain/model/task/task.ts';
import type { TaskDraft } from '../../../src/domain/model/task/task-draft.ts';
import { getTask } from '../../../src/domain/tasks/read.ts';
import { submitTask } from '../../../src/domain/tasks/submit.ts';
import { recordHeartbeat, claimTasks } from '../../../src/domain/workers/claim.ts';
import { registerWorker, type DeclaredCodebase } from '../../../src/domain/workers/register.ts';
import { releaseTask, type ReleaseResult, type ReleaseRequest } from '../../../src/domain/workers/release.ts';
import { reportEvents, type ReportedEvent } from '../../../src/domain/workers/report.ts';
import type { WorkerProfile } from '../../../src/domain/model/worker.ts';
import type { Renewal } from '../../../src/domain/ports/store/queue.ts';
import type { TestDatabase } from '../database/database.ts';
import { callerOf, draft, type Verbs } from '../verbs.ts';

export const editor = callerOf('editor');
export const agent = callerOf('agent');

export interface QueueDriver {
  /** A worker with one codebase: of its own, or the one named. */
  worker(
    codebaseId?: string,
    profile?: Partial<WorkerProfile>,
    codebaseFields?: Partial<DeclaredCodebase>,
  ): Promise<{ workerId: string; codebaseId: string }>;
  submit(codebaseId: string | null, fields?: Partial<TaskDraft>): Promise<Task>;
  /** A worker with a codebase of its own, and a task for it that it holds. */
  heldTask(
    fields?: Partial<TaskDraft>,
  ): Promise<{ workerId: string; codebaseId: string; task: Task; held: Assignment }>;
  claim(workerId: string, limit?: number): Promise<readonly Assignment[]>;
  /** The one task there is to claim. @throws when there is none */
  claimOne(workerId: string): Promise<Assignment>;
  heartbeat(workerId: string, held: Assignment): Promise<Renewal>;
  report(held: Assignment, events: readonly ReportedEvent[]): Promise<{ seq: number; cancelRequested: boolean }>;
  release(held: Assignment, request?: Partial<ReleaseRequest>): Promise<ReleaseResult>;
  currentTask(taskId: string): Promise<Task>;
  /** Lets a lease run out: database time decides, so the database's row is moved. */
  expire(taskId: string): Promise<void>;
  /** Lets the holds of releases run out. */
  endHolds(taskId: string): Promise<void>;
  counts(taskId: string): Promise<{ epoch: number; attempt: number }>;
}

export function outputEvent(n: number): ReportedEvent {
  return { type: 'output', n, data: { stream: 'agent', text: `line ${n}` } };
}

export function createQueueDriver(
  verbs: Verbs,
  db: TestDatabase,
  as: { submitter: Caller; workerCaller: Caller } = { submitter: editor, workerCaller: agent },
): QueueDriver {
  const { submitter, workerCaller } = as;
  const driver: QueueDriver = {
    async worker(codebaseId, profile = {}, codebaseFields = {}) {
      const full = {
        name: randomUUID(),
        capabilities: [],
        hostname: '',
        version: '',
        agents: [],
        models: [],
        slots: 4,
      };
      const codebase = {
        codebaseId,
        name: 'code',
        path: '/code',
        description: '',
        exclusive: false,
        ...codebaseFields,
      };
      const { worker, codebases } = await registerWorker(verbs, workerCaller, { ...full, ...profile }, [codebase]);
      return { workerId: worker.workerId, codebaseId: codebases[0]?.codebaseId ?? '' };
    },
    async submit(codebaseId, fields) {
      return (await submitTask(verbs, submitter, draft({ codebaseId, ...fields }))).task;
    },
    async heldTask(fields) {
      const { workerId, codebaseId } = await driver.worker();
      const task = await driver.submit(codebaseId, fields);
      return { workerId, codebaseId, task, held: await driver.claimOne(workerId) };
    },
    claim: (workerId, limit = 1) => claimTasks(verbs, workerCaller, { workerId, limit }),
    async claimOne(workerId) {
      const [held] = await driver.claim(workerId);
      if (held === undefined) throw new Error('there is nothing to claim');
      return held;
    },
    heartbeat: (workerId, held) =>
      recordHeartbeat(
        verbs,
        workerCaller,
        workerId,
        [{ taskId: held.task.id, leaseToken: held.leaseToken }],
        undefined,
      ),
    report: (held, events) => reportEvents(verbs, workerCaller, held.task.id, held.leaseToken, events),
    release: (held, request = {}) =>
      releaseTask(verbs, workerCaller, held.task.id, {
        leaseToken: held.leaseToken,
        status: 'completed',
        artifacts: [],
        ...request,
      }),
    currentTask: (taskId) => getTask(verbs, submitter, taskId),
    async expire(taskId) {
      await db.query(`update tasks set lease_expires_at = now() - interval '1 s' where id = $1`, [taskId]);
    },
    async endHolds(taskId) {
      await db.query(`update task_holds set held_until = now() where task_id = $1 and held_until < 'infinity'`, [
        taskId,
      ]);
    },
    async counts(taskId) {
      const [row] = await db.query<{ epoch: string; attempt: number }>(
        'select epoch, attempt from tasks where id = $1',
        [taskId],
      );
      return { epoch: Number(row?.epoch), attempt: row?.attempt ?? -1 };
    },
  };
  return driver;
}
