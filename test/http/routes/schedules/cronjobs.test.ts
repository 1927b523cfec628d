// Cron jobs over HTTP: their verbs, what happens at due times, who may, and what stays apart.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type ApiReply, type TestService, type TestUser } from '../../../support/service.ts';
import { openVerbs } from '../../../support/verbs.ts';
import { retainCronjobRuns } from '../../../../src/domain/schedules/retain-cronjob-runs.ts';
import { until } from '../../../support/until.ts';

let here: TestService;
beforeAll(async () => {
  here = await openService();
});
afterAll(() => here[Symbol.asyncDispose]());

interface Job {
  readonly cronjob_id: string;
  readonly next_due_at: string | null;
  readonly last_run_id: string | null;
  readonly last_error: { readonly code: string } | null;
  readonly run_count: number;
  readonly failure_count: number;
  readonly version: number;
  readonly owner: string;
}
interface Run {
  readonly run_id: string;
  readonly due_at: string;
  readonly trigger: string;
  readonly status: string;
  readonly task_id: string | null;
  readonly reason: string | null;
  readonly missed_count: number | null;
}

const template = { title: 'nightly', prompt: 'do it' };
const create = (fields: Record<string, unknown> = {}, as: TestUser = 'editor'): Promise<ApiReply> =>
  here.call('POST', '/v1/cronjobs', {
    as,
    body: { name: 'a job', cron: '0 3 * * *', task_template: template, ...fields },
  });
async function newJob(fields: Record<string, unknown> = {}, as: TestUser = 'editor'): Promise<Job> {
  const { status, body } = await create(fields, as);
  expect([status, body.detail]).toEqual([201, undefined]);
  return body.cronjob;
}
const change = (id: string, body: Record<string, unknown>, as: TestUser = 'editor'): Promise<ApiReply> =>
  here.call('PUT', `/v1/cronjobs/${id}`, { as, body });
const get = async (id: string): Promise<Job> => (await here.call('GET', `/v1/cronjobs/${id}`)).body.cronjob;
const runsOf = async (id: string, query = ''): Promise<Run[]> =>
  (await here.call('GET', `/v1/cronjobs/${id}/runs${query}`)).body.runs;
const trigger = (id: string, as: TestUser = 'editor', headers: Record<string, string> = {}): Promise<ApiReply> =>
  here.call('POST', `/v1/cronjobs/${id}/trigger`, { as, body: {}, headers });

/** Makes a due time of the past the next one. */
async function makeDue(id: string, secondsAgo: number): Promise<void> {
  await here.db.query(
    `update cronjobs set due_at = date_trunc('second', now()) - make_interval(secs => $2) where cronjob_id = $1`,
    [id, secondsAgo],
  );
}
async function nextRun(id: string, known = 0): Promise<Run> {
  const runs = await until('a run', async () => {
    const found = await runsOf(id);
    return found.length > known && found;
  });
  const [newest] = runs;
  if (newest === undefined) throw new Error('no run');
  return newest;
}
const taskOf = async ({ task_id }: Run) => (await here.call('GET', `/v1/agent/tasks/${String(task_id)}`)).body.task;

describe('a cron job', () => {
  it('is created, read, listed, changed and deleted; its tasks stay [platform-3.3.1, choices-10.6, choices-10.7]', async () => {
    const job = await newJob({ name: 'life of a job', timezone: 'Europe/Berlin', description: 'what for' });
    expect(await get(job.cronjob_id)).toEqual(job);
    expect(job).toMatchObject({
      enabled: true,
      overlap: 'skip',
      catch_up: 'last',
      catch_up_window_seconds: 86_400,
      jitter_seconds: 0,
      task_template: template,
      run_count: 0,
      failure_count: 0,
      last_run_id: null,
      version: 1,
    });
    const found = await here.call('GET', '/v1/cronjobs?q=LIFE%20of&enabled=true');
    expect(found.body.cronjobs).toEqual([job]);
    const changed = await change(job.cronjob_id, { name: 'another name', description: null, version: 1 });
    expect(changed.body.cronjob).toMatchObject({
      name: 'another name',
      description: null,
      version: 2,
      next_due_at: job.next_due_at,
    });
    const triggered = await trigger(job.cronjob_id);
    expect((await here.call('DELETE', `/v1/cronjobs/${job.cronjob_id}`, { as: 'admin' })).status).toBe(200);
    expect((await here.call('GET', `/v1/cronjobs/${job.cronjob_id}`)).body.code).toBe('cronjob_not_found');
    expect((await here.call('GET', `/v1/agent/tasks/${triggered.body.task_id}`)).status).toBe(200);
  });

  it('is refused when it cannot work [platform-3.3.2]', async () => {
    const codes = async (fields: Record<string, unknown>): Promise<unknown[]> => {
      const { status, body } = await create(fields);
      return [status, body.code];
    };
    expect(await codes({ cron: '* * * *' })).toEqual([400, 'invalid_cron']);
    expect(await codes({ timezone: 'Mars/Olympus' })).toEqual([400, 'unknown_timezone']);
    expect(await codes({ cron: '0 0 31 2 *' })).toEqual([400, 'never_fires']);
    expect(await codes({ task_template: { ...template, codebase_id: 'nowhere' } })).toEqual([
      404,
      'codebase_not_found',
    ]);
    expect(
      await codes({ task_template: { ...template, target_worker_id: '0190a2b0-0000-7000-8000-000000000000' } }),
    ).toEqual([404, 'worker_not_found']);
    for (const fields of [
      { task_template: { title: 'no prompt' } },
      { task_template: { ...template, deadline_at: '2027-01-01T00:00:00Z' } },
      { task_template: { ...template, metadata: { long: 'x'.repeat(16_000) } } },
      { task_template: { ...template, codebase_id: '__pending__' } },
      { task_template: { ...template, webhook_url: 'http://169.254.169.254/' } },
      { catch_up_window_seconds: 59 },
      { jitter_seconds: 3601 },
      { overlap: 'maybe' },
      { name: '' },
      { surprise: 1 },
    ]) {
      expect([fields, (await create(fields)).status]).toEqual([fields, 400]);
    }
  });

  it('is one of at most a thousand of its tenant [platform-3.3.3]', async () => {
    await here.db.query(
      `insert into cronjobs (tenant_id, cronjob_id, name, cron, timezone, enabled, overlap, catch_up, catch_up_window_seconds,
         jitter_seconds, task_template, created_by, acts_as)
       select 'other', gen_random_uuid(), 'j', '@daily', 'UTC', false, 'skip', 'last', 60, 0, '{}', 'x', '{}'
       from generate_series(1, 1000)`,
      [],
    );
    const { status, body } = await create({}, 'other');
    expect([status, body.code]).toEqual([409, 'too_many_cronjobs']);
  });

  it('is created once for an idempotency key', async () => {
    const headers = { 'idempotency-key': 'the same job' };
    const body = { name: 'once', cron: '@daily', task_template: template };
    const first = await here.call('POST', '/v1/cronjobs', { body, headers });
    const again = await here.call('POST', '/v1/cronjobs', { body, headers });
    expect(again.body.cronjob.cronjob_id).toBe(first.body.cronjob.cronjob_id);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('is not changed over somebody else’s change [platform-3.3.4]', async () => {
    const job = await newJob();
    expect((await change(job.cronjob_id, { name: 'first', version: 1 })).status).toBe(200);
    const late = await change(job.cronjob_id, { name: 'second', version: 1 });
    expect([late.status, late.body.code]).toEqual([409, 'changed_meanwhile']);
  });

  it('has its first due time at or after its start, and none after its end [platform-3.2.1]', async () => {
    const starts_at = '2031-01-01T03:00:00.000Z';
    expect(await newJob({ starts_at })).toMatchObject({ next_due_at: starts_at });
    expect(await newJob({ starts_at, ends_at: '2031-01-01T02:59:59Z' })).toMatchObject({ next_due_at: null });
    expect(await newJob({ enabled: false })).toMatchObject({ next_due_at: null });
  });

  it('belongs to its owner: others need the role operator [platform-3.3.5]', async () => {
    const job = await newJob();
    for (const attempt of [
      await change(job.cronjob_id, { name: 'mine now' }, 'editor2'),
      await trigger(job.cronjob_id, 'editor2'),
    ]) {
      expect([attempt.status, attempt.body.code]).toEqual([403, 'not_owner']);
    }
    expect((await change(job.cronjob_id, { name: 'by the operator' }, 'operator')).status).toBe(200);
    expect((await get(job.cronjob_id)).owner).toBe(job.owner);
    for (const path of ['', '/runs']) {
      expect((await here.call('GET', `/v1/cronjobs/${job.cronjob_id}${path}`, { as: 'other' })).body.code).toBe(
        'cronjob_not_found',
      );
    }
  });

  it('needs the permission to create tasks, too [choices-4.65]', async () => {
    const key = await here.call('POST', '/v1/auth/api-keys', {
      as: 'admin',
      body: { name: 'no tasks', scopes: ['cronjobs:read', 'cronjobs:write'] },
    });
    const refused = await here.call('POST', '/v1/cronjobs', {
      token: key.body.key,
      body: { name: 'x', cron: '@daily', task_template: template },
    });
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('tasks:write')]);
  });
});

describe('a due time', () => {
  it('makes one task of the owner, and the run ends as the task does [platform-3.1.1, platform-3.1.2, platform-3.2.2, platform-3.2.3, platform-3.2.16]', async () => {
    const job = await newJob({
      task_template: { ...template, metadata: { mine: 1 }, priority: 7, deadline_seconds: 3600 },
    });
    await makeDue(job.cronjob_id, 5);
    const run = await nextRun(job.cronjob_id);
    expect(run).toMatchObject({ trigger: 'schedule', status: 'started', reason: null });
    const task = await taskOf(run);
    expect(task).toMatchObject({
      title: 'nightly',
      created_by: job.owner,
      priority: 7,
      metadata: { mine: 1, cronjob_id: job.cronjob_id, cronjob_run_id: run.run_id, due_at: run.due_at },
    });
    expect(Date.parse(task.deadline_at)).toBeGreaterThan(Date.now() + 3_500_000);
    expect(await get(job.cronjob_id)).toMatchObject({ run_count: 1, last_run_id: run.run_id, last_due_at: run.due_at });
    await here.call('POST', `/v1/agent/tasks/${task.id}/cancel`, { body: {} });
    await until('the run has ended', async () => (await runsOf(job.cronjob_id))[0]?.status === 'cancelled');
    expect(Date.parse(String((await get(job.cronjob_id)).next_due_at))).toBeGreaterThan(Date.now());
  });

  it('that failed is counted, with its error [platform-3.2.16]', async () => {
    const worker = await here.worker({ name: 'fails', slots: 5 });
    const job = await newJob({ task_template: { ...template, codebase_id: 'global', target_worker_id: worker.id } });
    await makeDue(job.cronjob_id, 1);
    const run = await nextRun(job.cronjob_id);
    const [held] = await worker.claim(1, String(run.task_id));
    if (held === undefined) throw new Error('not claimed');
    await worker.release(held, { status: 'failed', error: { code: 'agent_error', message: 'it broke' } });
    await until('the run has failed', async () => (await runsOf(job.cronjob_id))[0]?.status === 'failed');
    expect(await get(job.cronjob_id)).toMatchObject({
      failure_count: 1,
      last_error: { code: 'agent_error', message: 'it broke' },
    });
  });

  it('is skipped while an earlier task runs, or beside it, or in its place [platform-3.2.13, platform-3.2.14]', async () => {
    const outcomes: Record<string, unknown> = {};
    for (const overlap of ['skip', 'allow', 'cancel_previous']) {
      const job = await newJob({ overlap });
      await makeDue(job.cronjob_id, 30);
      const first = await nextRun(job.cronjob_id);
      await makeDue(job.cronjob_id, 10);
      const second = await nextRun(job.cronjob_id, 1);
      const before = await taskOf(first);
      outcomes[overlap] = [second.status, second.reason, before.status, before.error?.code];
    }
    expect(outcomes).toEqual({
      skip: ['skipped', 'overlap', 'pending', undefined],
      allow: ['started', null, 'pending', undefined],
      cancel_previous: ['started', null, 'cancelled', 'superseded'],
    });
  });

  it('is caught up with after an outage, and the rest is one missed run [platform-3.2.10, platform-3.2.12]', async () => {
    const job = await newJob({ cron: '* * * * *', overlap: 'allow' });
    await here.db.query(
      `update cronjobs set due_at = date_trunc('minute', now()) - interval '10 minutes' where cronjob_id = $1`,
      [job.cronjob_id],
    );
    const runs = await until('the missed times are recorded', async () => {
      const found = await runsOf(job.cronjob_id);
      return found.some(({ trigger: by, status }) => by === 'catch_up' && status === 'started') && found;
    });
    const missed = runs.find(({ status }) => status === 'missed');
    const caughtUp = runs.find(({ trigger: by, status }) => by === 'catch_up' && status === 'started');
    expect(missed).toMatchObject({ trigger: 'catch_up', task_id: null });
    expect(Date.parse(String(caughtUp?.due_at)) - Date.parse(String(missed?.due_at))).toBe(60_000);
    expect(missed?.missed_count).toBeGreaterThanOrEqual(7);
  });

  it('is noticed once by two replicas, and set again it makes no second run [platform-3.2.2, choices-10.8]', async () => {
    await using second = await openService({ db: here.db });
    expect(second.url).not.toBe(here.url);
    const job = await newJob({ overlap: 'allow' });
    await makeDue(job.cronjob_id, 5);
    const run = await nextRun(job.cronjob_id);
    await here.db.query('update cronjobs set due_at = $2 where cronjob_id = $1', [job.cronjob_id, run.due_at]);
    await until('it went on', async () => (await get(job.cronjob_id)).next_due_at !== run.due_at);
    expect(await runsOf(job.cronjob_id)).toEqual([expect.objectContaining({ run_id: run.run_id })]);
  });

  it('fires late by a jitter that stays the same [platform-3.2.15]', async () => {
    const job = await newJob({ jitter_seconds: 3600 });
    const jitter = async (): Promise<number> =>
      Number(
        (
          await here.db.query('select extract(epoch from fire_at - due_at) as s from cronjobs where cronjob_id = $1', [
            job.cronjob_id,
          ])
        )[0]?.['s'],
      );
    const first = await jitter();
    expect(first).toBeGreaterThanOrEqual(0);
    expect(first).toBeLessThanOrEqual(3600);
    await makeDue(job.cronjob_id, -86_400);
    expect(await jitter()).toBe(first);
  });

  it('makes nothing once its codebase is gone, and says so [platform-3.2.18]', async () => {
    await here.call('POST', '/v1/agent/codebases', {
      as: 'admin',
      body: { id: 'to-go', name: 'to go', path: '/nowhere' },
    });
    const worker = await here.worker({ name: 'holder', codebases: [{ path: '/tmp/to-go', name: 'to go' }] });
    const codebase = worker.registered.codebases[0]?.codebase_id ?? '';
    const job = await newJob({ task_template: { ...template, codebase_id: codebase } });
    await here.db.query('delete from codebase_bindings where codebase_id = $1', [codebase]);
    await here.db.query('delete from workspaces where codebase_id = $1', [codebase]);
    await makeDue(job.cronjob_id, 1);
    expect(await nextRun(job.cronjob_id)).toMatchObject({ status: 'failed', reason: 'codebase_gone', task_id: null });
    expect(await get(job.cronjob_id)).toMatchObject({
      failure_count: 1,
      run_count: 0,
      last_error: { code: 'codebase_gone' },
    });
  });

  it('makes nothing once its owner is disabled or its key revoked [platform-3.2.17, choices-4.66]', async () => {
    await here.call('PUT', '/v1/auth/users/ada', { as: 'admin', body: { roles: ['editor'] } });
    const key = (await here.call('POST', '/v1/auth/api-keys', { as: 'admin', body: { name: 'k', user_id: 'ada' } }))
      .body;
    const make = async (): Promise<Job> =>
      (
        await here.call('POST', '/v1/cronjobs', {
          token: key.key,
          body: { name: 'hers', cron: '@daily', task_template: template },
        })
      ).body.cronjob;
    const [disabled, narrowed, revoked] = [await make(), await make(), await make()];
    await makeDue(disabled.cronjob_id, 1);
    expect(await nextRun(disabled.cronjob_id)).toMatchObject({ status: 'started' });
    await here.call('PUT', '/v1/auth/users/ada', { as: 'admin', body: { roles: ['viewer'] } });
    await makeDue(narrowed.cronjob_id, 1);
    expect(await nextRun(narrowed.cronjob_id)).toMatchObject({
      status: 'skipped',
      reason: 'owner_disabled',
      task_id: null,
    });
    await here.call('PUT', '/v1/auth/users/ada', { as: 'admin', body: { roles: ['editor'], status: 'disabled' } });
    const manual = await trigger(disabled.cronjob_id, 'operator');
    expect([manual.status, manual.body.code]).toEqual([409, 'owner_disabled']);
    await here.call('PUT', '/v1/auth/users/ada', { as: 'admin', body: { status: 'active' } });
    await here.call('DELETE', `/v1/auth/api-keys/${key.api_key.id}`, { as: 'admin' });
    await makeDue(revoked.cronjob_id, 1);
    expect(await nextRun(revoked.cronjob_id)).toMatchObject({ status: 'skipped', reason: 'owner_disabled' });
  });

  it('of the time while the job was off is not made up for [platform-3.2.12]', async () => {
    const job = await newJob({ cron: '* * * * *', catch_up: 'all', overlap: 'allow' });
    await change(job.cronjob_id, { enabled: false });
    await here.db.query(`update cronjobs set due_at = now() - interval '1 hour' where cronjob_id = $1`, [
      job.cronjob_id,
    ]);
    const on = (await change(job.cronjob_id, { enabled: true })).body.cronjob;
    expect(Date.parse(on.next_due_at)).toBeGreaterThan(Date.now() - 1000);
    expect((await runsOf(job.cronjob_id)).filter(({ trigger: by }) => by === 'catch_up')).toEqual([]);
  });
});

describe('a trigger', () => {
  it('runs a job now, also one that is off, once for each key [platform-3.3.6]', async () => {
    const job = await newJob({ enabled: false });
    const headers = { 'idempotency-key': 'now' };
    const first = await trigger(job.cronjob_id, 'editor', headers);
    expect([first.status, first.body.status]).toEqual([202, 'started']);
    const again = await trigger(job.cronjob_id, 'editor', headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const open = await trigger(job.cronjob_id);
    expect([open.status, open.body.code]).toEqual([409, 'run_open']);
    expect(await runsOf(job.cronjob_id)).toMatchObject([
      { trigger: 'manual', status: 'started', task_id: first.body.task_id },
    ]);
    expect(await get(job.cronjob_id)).toMatchObject({ next_due_at: null, run_count: 1 });
  });
});

describe('the check of an expression', () => {
  it('tells the next five times, by the clock of the zone too [platform-3.3.7]', async () => {
    const body = { cron: '30 2 * * *', timezone: 'Europe/Berlin', from: '2026-03-28T00:00:00Z' };
    const { body: answer } = await here.call('POST', '/v1/cronjobs/validate', { as: 'viewer', body });
    expect(answer.valid).toBe(true);
    expect(answer.next.length).toBe(5);
    expect(answer.next[1]).toEqual({ at: '2026-03-29T01:00:00.000Z', local: '2026-03-29T03:00:00+02:00' });
    const bad = await here.call('POST', '/v1/cronjobs/validate', { as: 'viewer', body: { cron: 'often' } });
    expect([bad.status, bad.body]).toEqual([
      200,
      { valid: false, error: { code: 'invalid_cron', message: expect.any(String) } },
    ]);
  });

  it('answers any text with the code that creation answers [platform-3.3.9]', async () => {
    for (const [body, code] of [
      [{ cron: '' }, 'invalid_cron'],
      [{ cron: '* '.repeat(5000) }, 'invalid_cron'],
      [{ cron: '@daily', timezone: '' }, 'unknown_timezone'],
      [{ cron: '@daily', timezone: 'x'.repeat(5000) }, 'unknown_timezone'],
      [{ cron: '0 0 31 2 *' }, 'never_fires'],
    ] as const) {
      const checked = await here.call('POST', '/v1/cronjobs/validate', { as: 'viewer', body });
      expect([checked.status, checked.body.valid, checked.body.error?.code]).toEqual([200, false, code]);
      const made = await create(body);
      expect([made.status, made.body.code]).toEqual([400, code]);
    }
  });
});

describe('the loop', () => {
  it('is in the status of the background loops [platform-3.2.19]', async () => {
    const { body } = await here.call('GET', '/v1/cognition/status', { as: 'operator' });
    expect(body.loops).toContainEqual(expect.objectContaining({ name: 'cron', interval_seconds: 1 }));
  });

  it('deletes runs that ended before the retention [platform-3.1.3]', async () => {
    const job = await newJob({ overlap: 'allow' });
    for (const _ of [1, 2]) await trigger(job.cronjob_id);
    await here.db.query(
      `update cronjob_runs set status = 'completed', ended_at = now() - interval '31 days'
       where run_id = (select min(run_id::text)::uuid from cronjob_runs where cronjob_id = $1)`,
      [job.cronjob_id],
    );
    await using verbs = await openVerbs(here.db);
    await retainCronjobRuns(verbs, 30, new AbortController().signal);
    expect(await runsOf(job.cronjob_id)).toMatchObject([{ status: 'started' }]);
  });
});
