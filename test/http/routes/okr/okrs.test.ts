// Objectives over HTTP: their verbs, their moves, who may, and what runs of them do.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openService,
  type ApiReply,
  type ManualWorker,
  type TestService,
  type TestUser,
} from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

let here: TestService;
let worker: ManualWorker;
beforeAll(async () => {
  here = await openService();
  worker = await here.worker({ slots: 50 });
});
afterAll(() => here[Symbol.asyncDispose]());

interface KeyResult {
  readonly key_result_id: string;
  readonly progress: number;
  readonly status: string;
}
interface Okr {
  readonly okr_id: string;
  readonly status: string;
  readonly progress: number;
  readonly owner: string;
  readonly version: number;
  readonly open_run_id: string | null;
  readonly key_results: readonly KeyResult[];
}
interface Item {
  readonly key_result_id: string;
  readonly task_id: string | null;
  readonly status: string;
  readonly summary: string | null;
  readonly evidence: readonly string[];
}
interface Run {
  readonly run_id: string;
  readonly okr_id: string;
  readonly status: string;
  readonly items: readonly Item[];
  readonly ended_at: string | null;
  readonly error: { readonly code: string } | null;
}

type Fields = Record<string, unknown>;
const template = { codebase_id: 'global' };
const create = (fields: Fields = {}, as: TestUser = 'editor'): Promise<ApiReply> =>
  here.call('POST', '/v1/okr', { as, body: { objective: 'Faster checkouts', task_template: template, ...fields } });
async function newOkr(fields: Fields = {}, as: TestUser = 'editor'): Promise<Okr> {
  const { status, body } = await create(fields, as);
  expect([status, body.detail]).toEqual([201, undefined]);
  return body.okr;
}
const put = (id: string, body: Fields, as: TestUser = 'editor'): Promise<ApiReply> =>
  here.call('PUT', `/v1/okr/${id}`, { as, body });
const get = async (id: string): Promise<Okr> => (await here.call('GET', `/v1/okr/${id}`)).body.okr;
const codesOf = ({ status, body }: ApiReply): unknown[] => [status, body.code];
const keyResults = (id: string, kid = ''): string => `/v1/okr/${id}/key-results${kid === '' ? '' : `/${kid}`}`;
const move = (id: string, kid: string, body: Fields, as: TestUser = 'editor'): Promise<ApiReply> =>
  here.call('PUT', keyResults(id, kid), { as, body });

/** An approved objective with a manual key result for each name. */
async function approved(names: readonly string[], fields: Fields = {}): Promise<Okr> {
  const okr = await newOkr({ key_results: names.map((title) => ({ title })), ...fields });
  const { body } = await put(okr.okr_id, { status: 'approved', reason: 'worth it' });
  return body.okr;
}
const start = (
  id: string,
  body: Fields = {},
  as: TestUser = 'editor',
  headers: Record<string, string> = {},
): Promise<ApiReply> => here.call('POST', `/v1/okr/${id}/runs`, { as, body, headers });
async function newRun(id: string, body: Fields = {}): Promise<Run> {
  const reply = await start(id, body);
  expect([reply.status, reply.body.detail]).toEqual([201, undefined]);
  return reply.body.run;
}
const runOf = async ({ okr_id, run_id }: Run): Promise<Run> =>
  (await here.call('GET', `/v1/okr/${okr_id}/runs/${run_id}`)).body.run;
const taskOf = async (item: Item | undefined) =>
  (await here.call('GET', `/v1/agent/tasks/${String(item?.task_id)}`)).body.task;

/** Ends the task of an item as a worker does. */
async function endTask(
  item: Item | undefined,
  artifact?: Fields,
  release: Fields = { status: 'completed' },
): Promise<void> {
  const [held] = await worker.claim(1, String(item?.task_id));
  if (held === undefined) throw new Error('not claimed');
  const artifacts =
    artifact === undefined ? [] : [{ name: 'okr-progress', mime_type: 'application/json', ...artifact }];
  expect((await worker.release(held, { ...release, artifacts })).status).toBe(200);
}
const report = (fields: Fields): Fields => ({
  data: { summary: 'measured', evidence: ['make bench: 12 ms'], ...fields },
});
const ended = (run: Run): Promise<Run> =>
  until('the run has ended', async () => {
    const now = await runOf(run);
    return now.ended_at !== null && now;
  });

describe('an objective', () => {
  it('is created, read, listed, changed and deleted with its key results [platform-4.1, platform-4.18, platform-4.20, choices-10.2, core-4.10.3]', async () => {
    const okr = await newOkr({
      objective: 'Life of an objective',
      description: 'why',
      target_date: '2031-03-31',
      tags: ['speed'],
      owner: 'Checkout team',
      key_results: [
        { title: 'median below 200 ms', measure: { kind: 'number', start: 800, target: 200, unit: 'ms' }, weight: 3 },
        { title: 'audit passed', measure: { kind: 'milestone' } },
      ],
    });
    expect(await get(okr.okr_id)).toEqual(okr);
    expect(okr).toMatchObject({
      status: 'draft',
      owner: 'Checkout team',
      target_date: '2031-03-31',
      tags: ['speed'],
      task_template: template,
      progress: 0,
      open_run_id: null,
      decided_by: null,
      version: 1,
      key_results: [
        { title: 'median below 200 ms', position: 0, weight: 3, current: null, progress: 0, status: 'not-started' },
        { title: 'audit passed', position: 1, weight: 1, measure: { kind: 'milestone' } },
      ],
    });
    const found = await here.call('GET', '/v1/okr?q=LIFE%20of&owner=Checkout%20team&status=draft', { as: 'viewer' });
    expect(found.body.okrs).toEqual([okr]);
    expect((await here.call('GET', '/v1/okr?q=LIFE%20of&status=denied')).body.okrs).toEqual([]);
    const changed = await put(okr.okr_id, {
      objective: 'Another life',
      description: null,
      target_date: null,
      version: 1,
    });
    expect(changed.body.okr).toMatchObject({
      objective: 'Another life',
      description: null,
      target_date: null,
      version: 2,
    });
    expect(codesOf(await put(okr.okr_id, { objective: 'late', version: 1 }))).toEqual([409, 'changed_meanwhile']);
    expect((await here.call('DELETE', `/v1/okr/${okr.okr_id}`, { as: 'admin' })).status).toBe(200);
    expect((await here.call('GET', `/v1/okr/${okr.okr_id}`)).body.code).toBe('okr_not_found');
    expect(await here.db.query('select from okr_key_results where okr_id = $1', [okr.okr_id])).toEqual([]);
  });

  it('is refused with what cannot be [platform-4.20]', async () => {
    for (const fields of [
      { objective: '' },
      { objective: 'x'.repeat(2001) },
      { key_results: Array.from({ length: 21 }, () => ({ title: 'one' })) },
      { key_results: [{ title: 'x', weight: 101 }] },
      { key_results: [{ title: 'x', measure: { kind: 'number', start: 1 } }] },
      { key_results: [{ title: 'x', measure: { kind: 'guess' } }] },
      { key_results: [{ title: 'x', current: 4 }] },
      { target_date: 'soon' },
      { task_template: { conversation_id: 'mine' } },
      { task_template: { webhook_url: 'http://169.254.169.254/' } },
      { status: 'approved' },
      { surprise: 1 },
    ]) {
      expect([fields, (await create(fields)).status]).toEqual([fields, 400]);
    }
    expect(codesOf(await create({ task_template: { codebase_id: 'nowhere' } }))).toEqual([404, 'codebase_not_found']);
    expect(codesOf(await create({ key_results: [{ title: 'x', measure: { kind: 'tasks' }, progress: 3 }] }))).toEqual([
      409,
      'measured',
    ]);
  });

  it('moves from status to status by its table, and keeps the decision [platform-4.10, platform-4.15, platform-4.16, choices-10.4]', async () => {
    const okr = await newOkr();
    expect(codesOf(await put(okr.okr_id, { status: 'running' }))).toEqual([409, 'invalid_transition']);
    expect(codesOf(await put(okr.okr_id, { objective: 'x', reason: 'why' }))).toEqual([400, 'invalid_request']);
    const yes = await put(okr.okr_id, { status: 'approved', reason: 'worth it' });
    expect(yes.body.okr).toMatchObject({ status: 'approved', decision_reason: 'worth it', decided_by: 'token:editor' });
    expect(yes.body.okr.decided_at).toMatch(/^\d{4}-.*Z$/);
    expect((await put(okr.okr_id, { status: 'approved' })).body.okr.decision_reason).toBe('worth it');
    expect((await put(okr.okr_id, { status: 'running' })).body.okr.status).toBe('running');
    expect(codesOf(await put(okr.okr_id, { status: 'approved' }))).toEqual([409, 'invalid_transition']);
    const no = await put(okr.okr_id, { status: 'denied', reason: 'too dear' }, 'operator');
    expect(no.body.okr).toMatchObject({ status: 'denied', decision_reason: 'too dear', decided_by: 'token:operator' });
    for (const status of ['draft', 'approved', 'running', 'completed']) {
      expect(codesOf(await put(okr.okr_id, { status }))).toEqual([409, 'invalid_transition']);
    }
    expect((await put((await newOkr()).okr_id, { status: 'denied' })).body.okr.status).toBe('denied');
  });

  it('is completed when its key results are, by itself or by hand [platform-4.11, platform-4.12, platform-4.6]', async () => {
    const okr = await approved(['one', 'two']);
    const [one, two] = okr.key_results.map(({ key_result_id }) => key_result_id);
    expect((await move(okr.okr_id, String(one), { status: 'completed' })).body.key_result.progress).toBe(100);
    await put(okr.okr_id, { status: 'running' });
    expect(codesOf(await put(okr.okr_id, { status: 'completed' }))).toEqual([409, 'key_results_open']);
    expect(await get(okr.okr_id)).toMatchObject({ status: 'running', progress: 50 });
    await move(okr.okr_id, String(two), { progress: 100 });
    expect(await get(okr.okr_id)).toMatchObject({ status: 'completed', progress: 100 });
    expect(codesOf(await move(okr.okr_id, String(two), { progress: 10 }))).toEqual([409, 'invalid_transition']);
    const empty = await approved([]);
    await put(empty.okr_id, { status: 'running' });
    expect((await put(empty.okr_id, { status: 'completed' })).body.okr.status).toBe('completed');
  });

  it('belongs to its creator and its owner: others need the role operator [platform-4.38]', async () => {
    const okr = await newOkr({ key_results: [{ title: 'x' }], owner: 'token:editor2' });
    expect((await put(okr.okr_id, { tags: ['theirs'] }, 'editor2')).status).toBe(200);
    expect((await put(okr.okr_id, { owner: 'somebody' })).status).toBe(200);
    expect(codesOf(await put(okr.okr_id, { tags: [] }, 'editor2'))).toEqual([403, 'not_owner']);
    expect(
      codesOf(await move(okr.okr_id, String(okr.key_results[0]?.key_result_id), { progress: 1 }, 'editor2')),
    ).toEqual([403, 'not_owner']);
    expect((await put(okr.okr_id, { tags: [] }, 'operator')).status).toBe(200);
    for (const path of ['', '/key-results', '/runs']) {
      expect((await here.call('GET', `/v1/okr/${okr.okr_id}${path}`, { as: 'other' })).body.code).toBe('okr_not_found');
    }
  });

  it('is counted by status [platform-4.19]', async () => {
    expect((await here.call('GET', '/v1/okr/stats', { as: 'other' })).body).toEqual({
      total: 0,
      by_status: { draft: 0, approved: 0, running: 0, completed: 0, denied: 0 },
      completion_rate: null,
    });
    for (const status of ['draft', 'draft', 'completed']) {
      await here.db.query(
        `insert into okrs (tenant_id, okr_id, objective, status, owner, created_by) values ('other', gen_random_uuid(), 'x', $1, 'a', 'a')`,
        [status],
      );
    }
    const { body } = await here.call('GET', '/v1/okr/stats', { as: 'other' });
    expect([body.total, body.by_status.completed, body.completion_rate]).toEqual([3, 1, 0.3333]);
  });
});

describe('key results', () => {
  it('are added, listed in their order, changed and removed until the objective runs [platform-4.14, platform-4.2, choices-10.3]', async () => {
    const okr = await newOkr({ key_results: [{ title: 'first' }] });
    const added = await here.call('POST', keyResults(okr.okr_id), {
      body: { title: 'second', measure: { kind: 'number', start: 0, target: 4 }, current: 1 },
    });
    expect([added.status, added.body.key_result]).toMatchObject([
      201,
      { position: 1, progress: 25, status: 'in-progress' },
    ]);
    const id = added.body.key_result.key_result_id;
    expect(
      (await move(okr.okr_id, id, { position: 0, weight: 2, measure: { kind: 'number', start: 0, target: 2 } })).body
        .key_result,
    ).toMatchObject({ progress: 50, weight: 2 });
    const first = okr.key_results[0]?.key_result_id ?? '';
    await move(okr.okr_id, first, { position: 7 });
    const list = (await here.call('GET', keyResults(okr.okr_id))).body.key_results;
    expect(list.map(({ title }: { title: string }) => title)).toEqual(['second', 'first']);
    expect((await here.call('GET', keyResults(okr.okr_id, id))).body.key_result).toEqual(list[0]);
    expect(codesOf(await here.call('GET', keyResults(okr.okr_id, okr.okr_id)))).toEqual([404, 'key_result_not_found']);
    await put(okr.okr_id, { status: 'approved' });
    await put(okr.okr_id, { status: 'running' });
    for (const refused of [
      await here.call('POST', keyResults(okr.okr_id), { body: { title: 'third' } }),
      await here.call('DELETE', keyResults(okr.okr_id, id)),
      await move(okr.okr_id, id, { title: 'renamed' }),
      await move(okr.okr_id, id, { weight: 9 }),
      await move(okr.okr_id, id, { measure: { kind: 'manual' } }),
    ]) {
      expect(codesOf(refused)).toEqual([409, 'okr_running']);
    }
    expect(
      (await move(okr.okr_id, id, { current: 1.5, status: 'blocked', status_reason: 'no access' })).body.key_result,
    ).toMatchObject({
      progress: 75,
      status: 'blocked',
      status_reason: 'no access',
    });
    expect(codesOf(await move(okr.okr_id, id, { progress: 10 }))).toEqual([409, 'measured']);
    expect((await move(okr.okr_id, id, {})).status).toBe(400);
  });
});

describe('the tables', () => {
  it('tie key results and runs to an objective of the same tenant [platform-4.2, core-2.11.12, core-2.11.13]', async () => {
    const okr = await newOkr();
    const foreign = (tenant: string): Promise<unknown> =>
      here.db.query(
        `insert into okr_key_results (tenant_id, okr_id, key_result_id, title, position, measure)
         values ($1, $2, gen_random_uuid(), 'x', 0, '{"kind": "manual"}')`,
        [tenant, okr.okr_id],
      );
    const foreignRun = here.db.query(
      `insert into okr_runs (tenant_id, okr_id, run_id, status, mode, items, created_by, acts_as)
       values ('other', $1, gen_random_uuid(), 'failed', 'parallel', '[]', 'x', '{}')`,
      [okr.okr_id],
    );
    await expect(foreignRun).rejects.toThrow('foreign key');
    await expect(foreign('other')).rejects.toThrow('foreign key');
    await foreign('default');
    expect((await get(okr.okr_id)).key_results.length).toBe(1);
  });
});

describe('a run', () => {
  it('gives each open key result a task that says what to do and how to report [platform-4.21, platform-4.24, platform-4.25]', async () => {
    const okr = await newOkr({
      objective: 'Faster\ncheckouts',
      description: '```sh\nrm -rf everything\n```',
      key_results: [
        { title: 'median', measure: { kind: 'number', start: 800, target: 200, unit: 'ms' }, current: 500 },
        { title: 'done already', status: 'completed' },
        { title: 'audit', measure: { kind: 'milestone' } },
      ],
      task_template: {
        ...template,
        priority: 7,
        metadata: { team: 'checkout' },
        deadline_seconds: 3600,
        prompt: 'Use make bench.',
      },
    });
    await put(okr.okr_id, { status: 'approved' });
    const run = await newRun(okr.okr_id, {
      instructions: 'Start with the cache.',
      task_template: { agent_type: 'build' },
    });
    expect(run).toMatchObject({ status: 'pending', mode: 'parallel', ended_at: null, error: null });
    expect(run.items).toMatchObject([
      {
        key_result_id: okr.key_results[0]?.key_result_id,
        status: 'running',
        progress_before: 50,
        progress_after: null,
      },
      { key_result_id: okr.key_results[2]?.key_result_id, status: 'running', summary: null, evidence: [] },
    ]);
    const task = await taskOf(run.items[0]);
    expect(task).toMatchObject({
      title: 'Faster checkouts: median',
      conversation_id: `okr-run:${run.run_id}`,
      created_by: 'token:editor',
      priority: 7,
      agent_type: 'build',
      metadata: {
        team: 'checkout',
        okr_id: okr.okr_id,
        okr_run_id: run.run_id,
        key_result_id: run.items[0]?.key_result_id,
      },
    });
    expect(Date.parse(task.deadline_at)).toBeGreaterThan(Date.now() + 3_500_000);
    for (const text of [
      '> median',
      'from 800 ms to 200 ms, now 500',
      'Use make bench.',
      'Start with the cache.',
      '"current"',
      'okr-progress.json',
      'SWITCHYARD_ARTIFACTS',
    ]) {
      expect(task.prompt).toContain(text);
    }
    // Only instructions may hold a block that an agent carries out.
    expect(task.prompt).not.toMatch(/^ {0,3}```+ *sh/m);
    expect((await taskOf(run.items[1])).prompt).toContain('<0 or 100>');
    expect(await get(okr.okr_id)).toMatchObject({ status: 'running', open_run_id: run.run_id });
    expect(codesOf(await here.call('DELETE', `/v1/okr/${okr.okr_id}`, { as: 'admin' }))).toEqual([409, 'run_open']);
  });

  it('is refused where it cannot be, and started once for a key [platform-4.22, platform-4.23, platform-4.17]', async () => {
    const draft = await newOkr({ key_results: [{ title: 'x' }] });
    expect(codesOf(await start(draft.okr_id))).toEqual([409, 'okr_not_approved']);
    const empty = await approved([]);
    expect(codesOf(await start(empty.okr_id))).toEqual([409, 'nothing_to_do']);
    const okr = await approved(['one', 'two']);
    const [one] = okr.key_results;
    expect(codesOf(await start(okr.okr_id, { key_result_ids: [draft.key_results[0]?.key_result_id] }))).toEqual([
      404,
      'key_result_not_found',
    ]);
    expect(codesOf(await start(okr.okr_id, { task_template: { codebase_id: 'nowhere' } }))).toEqual([
      404,
      'codebase_not_found',
    ]);
    expect((await get(okr.okr_id)).status).toBe('approved');
    const key = await here.call('POST', '/v1/auth/api-keys', {
      as: 'admin',
      body: { name: 'no tasks', scopes: ['okr:read', 'okr:write'] },
    });
    const scoped = (method: string, path: string, body: Fields): Promise<ApiReply> =>
      here.call(method, path, { token: key.body.key, body });
    expect((await scoped('POST', `/v1/okr/${okr.okr_id}/runs`, {})).body.detail).toContain('tasks:write');
    expect((await scoped('PUT', `/v1/okr/${okr.okr_id}`, { task_template: template })).body.detail).toContain(
      'tasks:write',
    );
    expect((await scoped('PUT', `/v1/okr/${okr.okr_id}`, { tags: ['fine'] })).status).toBe(200);
    const headers = { 'idempotency-key': 'once' };
    const body = { key_result_ids: [one?.key_result_id] };
    const first = await start(okr.okr_id, body, 'editor', headers);
    expect([first.status, first.body.run.items.length]).toEqual([201, 1]);
    const again = await start(okr.okr_id, body, 'editor', headers);
    expect([again.body.run.run_id, again.headers.get('idempotency-replayed')]).toEqual([first.body.run.run_id, 'true']);
    expect((await start(okr.okr_id, {}, 'editor', headers)).status).toBe(422);
    expect(codesOf(await start(okr.okr_id))).toEqual([409, 'run_open']);
    const listed = await here.call('GET', `/v1/okr/${okr.okr_id}/runs?status=pending`);
    expect(listed.body).toEqual({ runs: [first.body.run], next_cursor: null });
  });

  it('moves key results by reports alone, and is completed when its tasks are [platform-4.26, platform-4.27, platform-4.30, platform-4.32, platform-4.36]', async () => {
    const okr = await newOkr({
      key_results: [
        { title: 'number', measure: { kind: 'number', start: 0, target: 10 } },
        { title: 'silent' },
        { title: 'bad report' },
        { title: 'measured', measure: { kind: 'number', start: 0, target: 10 } },
        { title: 'as text' },
      ],
    });
    await put(okr.okr_id, { status: 'approved' });
    const run = await newRun(okr.okr_id);
    const [number, silent, bad, measured, text] = run.items;
    await endTask(number, report({ current: 4 }));
    await until('it is running', async () => (await runOf(run)).status === 'running');
    await endTask(silent);
    await endTask(bad, { data: { summary: 'x', evidence: 'none', progress: 40 } });
    await endTask(measured, report({ progress: 90 }));
    await endTask(text, { text: JSON.stringify({ summary: 'stuck', evidence: [], progress: 20, status: 'blocked' }) });
    const after = await ended(run);
    expect(after.status).toBe('completed');
    expect(after.items).toMatchObject([
      {
        status: 'completed',
        summary: 'measured',
        evidence: ['make bench: 12 ms'],
        progress_before: 0,
        progress_after: 40,
      },
      { status: 'unreported', summary: expect.stringContaining('left no artifact'), progress_after: 0 },
      { status: 'unreported', summary: expect.stringContaining('evidence'), evidence: [] },
      { status: 'unreported', summary: expect.stringContaining('computed from its current value') },
      { status: 'completed', summary: 'stuck', progress_after: 20 },
    ]);
    expect((await get(okr.okr_id)).key_results).toMatchObject([
      { progress: 40, current: 4, status: 'in-progress' },
      { progress: 0, status: 'not-started' },
      { progress: 0 },
      { progress: 0 },
      { progress: 20, status: 'blocked', status_reason: 'stuck' },
    ]);
    // The run does not complete the objective, and the next one reads what was reported.
    expect(await get(okr.okr_id)).toMatchObject({ status: 'running', open_run_id: null });
    const next = await newRun(okr.okr_id, { key_result_ids: [okr.key_results[0]?.key_result_id] });
    const { prompt } = await taskOf(next.items[0]);
    expect(prompt).toContain('# Earlier reports');
    expect(prompt).toContain('> measured\n> evidence: make bench: 12 ms');
    const entries = await until('the folds are audited', async () => {
      const { body } = await here.call('POST', '/v1/audit/query', { as: 'operator', body: { action: 'okr.fold' } });
      return body.events.length > 0 && body.events;
    });
    expect(entries[0]).toMatchObject({ actor: 'service:okr_director', action: 'okr.fold' });
    const metrics = String((await here.call('GET', '/metrics', { as: 'operator' })).body);
    expect(metrics).toMatch(/^switchyard_okr_items_total\{status="unreported"\} [3-9]/m);
    const { body: cognition } = await here.call('GET', '/v1/cognition/status', { as: 'operator' });
    expect(cognition.loops).toContainEqual(expect.objectContaining({ name: 'okr_director', interval_seconds: 2 }));
  });

  it('completes the objective when its reports complete the last key result [platform-4.11]', async () => {
    const okr = await approved(['only']);
    const run = await newRun(okr.okr_id);
    await endTask(run.items[0], report({ progress: 100 }));
    expect((await ended(run)).status).toBe('completed');
    expect((await get(okr.okr_id)).status).toBe('completed');
  });

  it('takes failed and cancelled tasks as they are, and moves nothing [platform-4.28, platform-4.30]', async () => {
    const okr = await approved(['fails', 'is cancelled', 'completes']);
    const run = await newRun(okr.okr_id);
    const [fails, cancelled, completes] = run.items;
    await endTask(fails, report({ progress: 80 }), {
      status: 'failed',
      error: { code: 'agent_error', message: 'it broke' },
    });
    await here.call('POST', `/v1/agent/tasks/${String(cancelled?.task_id)}/cancel`, { body: {} });
    await endTask(completes, report({ progress: 50 }));
    expect(await ended(run)).toMatchObject({
      status: 'failed',
      items: [
        { status: 'failed', summary: 'it broke', progress_after: 0 },
        { status: 'cancelled' },
        { status: 'completed' },
      ],
    });
    expect((await get(okr.okr_id)).key_results).toMatchObject([{ progress: 0 }, { progress: 0 }, { progress: 50 }]);
  });

  it('goes on one after the other, after a failed one too, and leaves out what is completed meanwhile [platform-4.21, platform-4.29]', async () => {
    const okr = await approved(['one', 'two', 'three']);
    const run = await newRun(okr.okr_id, { mode: 'sequential' });
    expect(run.items.map(({ status, task_id }) => [status, task_id !== null])).toEqual([
      ['running', true],
      ['pending', false],
      ['pending', false],
    ]);
    await endTask(run.items[0], undefined, { status: 'failed', error: { code: 'agent_error', message: 'it broke' } });
    const second = await until('the second begins', async () => {
      const [, item] = (await runOf(run)).items;
      return item?.status === 'running' && item;
    });
    await move(okr.okr_id, String(okr.key_results[2]?.key_result_id), { status: 'completed' });
    await endTask(second, report({ progress: 30 }));
    expect(await ended(run)).toMatchObject({
      status: 'failed',
      items: [
        { status: 'failed' },
        { status: 'completed' },
        { status: 'completed', task_id: null, summary: 'Completed before its turn.' },
      ],
    });
  });

  it('measures by its tasks, over all runs, whatever they report [platform-4.5]', async () => {
    const okr = await newOkr({ key_results: [{ title: 'share', measure: { kind: 'tasks' } }, { title: 'other' }] });
    await put(okr.okr_id, { status: 'approved' });
    const share = async (release: Fields): Promise<number> => {
      const run = await newRun(okr.okr_id, { key_result_ids: [okr.key_results[0]?.key_result_id] });
      await endTask(run.items[0], undefined, release);
      await ended(run);
      return Number((await get(okr.okr_id)).key_results[0]?.progress);
    };
    const failed = { status: 'failed', error: { code: 'agent_error', message: 'it broke' } };
    expect(await share(failed)).toBe(0);
    expect(await share({ status: 'completed' })).toBe(50);
    expect(await share({ status: 'completed' })).toBe(66.67);
  });

  it('is cancelled with its tasks; a task that has ended keeps its end [platform-4.34]', async () => {
    const okr = await approved(['open', 'ended']);
    const run = await newRun(okr.okr_id);
    await endTask(run.items[1], report({ progress: 60 }));
    const cancel = (): Promise<ApiReply> =>
      here.call('POST', `/v1/okr/${okr.okr_id}/runs/${run.run_id}/cancel`, { body: {} });
    const cancelled = await cancel();
    expect(cancelled.body.run).toMatchObject({
      status: 'cancelled',
      items: [{ status: 'cancelled' }, { status: 'completed' }],
    });
    expect((await taskOf(run.items[0])).status).toBe('cancelled');
    expect((await cancel()).body.run).toEqual(cancelled.body.run);
    expect((await get(okr.okr_id)).key_results).toMatchObject([{ progress: 0 }, { progress: 60 }]);
    const other = await approved(['x']);
    const done = await newRun(other.okr_id);
    await endTask(done.items[0], report({ progress: 10 }));
    await ended(done);
    expect(
      codesOf(await here.call('POST', `/v1/okr/${other.okr_id}/runs/${done.run_id}/cancel`, { body: {} })),
    ).toEqual([409, 'invalid_transition']);
  });

  it('is cancelled when its objective is denied [platform-4.13]', async () => {
    const okr = await approved(['open']);
    const run = await newRun(okr.okr_id);
    expect((await put(okr.okr_id, { status: 'denied' })).body.okr).toMatchObject({
      status: 'denied',
      open_run_id: null,
    });
    expect(await runOf(run)).toMatchObject({ status: 'cancelled', items: [{ status: 'cancelled' }] });
    expect((await taskOf(run.items[0])).status).toBe('cancelled');
  });

  it('makes no further task once its creator is disabled [platform-4.33, choices-4.66]', async () => {
    await here.call('PUT', '/v1/auth/users/bea', { as: 'admin', body: { roles: ['editor'] } });
    const { key } = (await here.call('POST', '/v1/auth/api-keys', { as: 'admin', body: { name: 'k', user_id: 'bea' } }))
      .body;
    const made = await here.call('POST', '/v1/okr', {
      token: key,
      body: { objective: 'hers', key_results: [{ title: 'a' }, { title: 'b' }], task_template: template },
    });
    const { okr_id: id } = made.body.okr;
    await here.call('PUT', `/v1/okr/${id}`, { token: key, body: { status: 'approved' } });
    const { run } = (await here.call('POST', `/v1/okr/${id}/runs`, { token: key, body: { mode: 'sequential' } })).body;
    await here.call('PUT', '/v1/auth/users/bea', { as: 'admin', body: { roles: ['editor'], status: 'disabled' } });
    await endTask(run.items[0], report({ progress: 30 }));
    expect(await ended(run)).toMatchObject({
      status: 'failed',
      error: { code: 'owner_disabled' },
      items: [{ status: 'completed' }, { status: 'cancelled', task_id: null }],
    });
  });
});
