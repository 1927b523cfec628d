// The verbs that create, change and delete cron jobs. platform-3.3.
import { definedMembers } from '../../lib/json/defined-members.ts';
import { changeOwned } from '../access/change-owned.ts';
import { describeActor } from '../access/acting-owner.ts';
import type { Caller } from '../model/access/caller.ts';
import { changedMeanwhile, DomainError, notFound } from '../model/errors.ts';
import type { Cronjob, CronjobSettings } from '../model/schedule/cronjob.ts';
import type { IdempotencyKey } from '../ports/store/queue.ts';
import { keyReused } from '../tasks/submit.ts';
import { checkTaskTemplate, requireTemplateTargets } from '../tasks/routing/check-template.ts';
import type { CronDeps } from './cron-deps.ts';
import { parseCron } from './cron-expression.ts';
import { firstDueAt } from './plan-firing.ts';
import { requireCronjob } from './read-cronjobs.ts';

const maxCronjobs = 1_000;

/**
 * @throws DomainError invalid (`invalid_cron`, `unknown_timezone`, `never_fires`, a field of the template); not_found
 *   (codebase, worker); conflict `too_many_cronjobs`; key_reused
 */
export async function createCronjob(
  deps: CronDeps,
  caller: Caller,
  settings: CronjobSettings,
  idempotency?: IdempotencyKey,
): Promise<{ job: Cronjob; replayed: boolean }> {
  checkSettings(deps, settings);
  const cronjobId = deps.makeId();
  return deps.store.within(caller, async (rows) => {
    if (idempotency !== undefined) {
      const repeat = await rows.repeats.claimKey(cronjobId, caller.subject, idempotency);
      if (repeat.verdict === 'key_reused') throw keyReused();
      if (repeat.verdict === 'repeated') return { job: await requireCronjob(rows, repeat.taskId), replayed: true };
    }
    if ((await rows.cronjobs.countForAdding(maxCronjobs)) >= maxCronjobs) throw tooManyCronjobs();
    await requireTemplateTargets(rows, settings.taskTemplate);
    const dueAt = settings.enabled ? firstDue(settings, await rows.cronjobs.now()) : null;
    const actsAs = await describeActor(rows, caller);
    await rows.cronjobs.insert({ ...settings, cronjobId, createdBy: caller.subject, actsAs, dueAt });
    return { job: await requireCronjob(rows, cronjobId), replayed: false };
  });
}

function tooManyCronjobs(): DomainError {
  return new DomainError(
    'conflict',
    'too_many_cronjobs',
    `This tenant has ${maxCronjobs} cron jobs, which is the most. Delete one first.`,
  );
}

/** A change of a job; undefined fields stay as they are. */
export type CronjobEdit = { readonly [Field in keyof CronjobSettings]?: CronjobSettings[Field] | undefined };

/**
 * Changes a job. A new expression, zone or bound restarts the schedule from now, and so does enabling the job: nothing of
 * the time before is caught up with.
 * @param version the version that the caller has read; undefined: any
 * @throws DomainError as `createCronjob`; forbidden; conflict `changed_meanwhile`
 */
export function updateCronjob(
  deps: CronDeps,
  caller: Caller,
  cronjobId: string,
  edit: CronjobEdit,
  version: number | undefined,
): Promise<Cronjob> {
  return changeOwned(deps, caller, {
    ownerOf: async (rows) => (await requireCronjob(rows, cronjobId)).createdBy,
    change: async (rows) => {
      const locked = await rows.cronjobs.lock(cronjobId);
      if (locked === undefined) throw notFound('cronjob');
      const { job, now } = locked;
      if (version !== undefined && version !== job.version) throw changedMeanwhile('cron job');
      const change = definedMembers(edit);
      const settings: CronjobSettings = { ...job, ...change };
      checkSettings(deps, settings);
      if (change.taskTemplate !== undefined) await requireTemplateTargets(rows, change.taskTemplate);
      const dueAt = restartsSchedule(job, settings) ? { dueAt: settings.enabled ? firstDue(settings, now) : null } : {};
      return rows.cronjobs.update(cronjobId, { ...change, ...dueAt }, true);
    },
  });
}

function restartsSchedule(before: CronjobSettings, after: CronjobSettings): boolean {
  const fields = ['cron', 'timezone', 'startsAt', 'endsAt', 'enabled'] as const;
  return fields.some((field) => before[field] !== after[field]);
}

/** Deletes a job and its runs; their tasks stay. @throws DomainError not_found; forbidden */
export function deleteCronjob(deps: CronDeps, caller: Caller, cronjobId: string): Promise<Cronjob> {
  return changeOwned(deps, caller, {
    ownerOf: async (rows) => (await requireCronjob(rows, cronjobId)).createdBy,
    change: async (rows) => {
      const job = await requireCronjob(rows, cronjobId);
      await rows.cronjobs.delete(cronjobId);
      return job;
    },
  });
}

/** The first due time at or after now and the start. */
function firstDue({ cron, timezone, startsAt, endsAt }: CronjobSettings, now: number): string | null {
  // Due times are whole minutes, so the millisecond before is as good as the time itself.
  const after = startsAt === null ? now : Math.max(now, Date.parse(startsAt) - 1);
  const due = firstDueAt(parseCron(cron, timezone), after, endsAt === null ? undefined : Date.parse(endsAt));
  return due === undefined ? null : new Date(due).toISOString();
}

function checkSettings(deps: CronDeps, settings: CronjobSettings): void {
  parseCron(settings.cron, settings.timezone);
  checkTaskTemplate(deps, settings.taskTemplate);
}
