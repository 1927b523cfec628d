// A tenant that has something of everything that the pages show. Each text that a person, an agent or a path wrote goes
// through one function, so that a test may put other texts into every field.
import type { AssignmentWire } from '../../../src/contracts/worker.ts';
import { postRun, prdDocument } from '../../support/runs/new-run.ts';
import { stepCapabilityLabel } from '../../../src/contracts/step.ts';
import { scriptStepWorker } from '../../support/runs/scripted-step-worker.ts';
import type { ManualWorker, TestService, TestUser } from '../../support/service.ts';
import { seedPatch } from './seed-patch.ts';

export type SeededState = 'pending' | 'running' | 'asking' | 'completed' | 'failed' | 'cancelled' | 'followed';

export interface TenantSeed {
  readonly codebaseId: string;
  /** A worker that the test plays; it holds the running task. */
  readonly worker: ManualWorker;
  readonly running: AssignmentWire;
  /** Ids of tasks by state; `followed` is the follow-up of the completed one, and waits. */
  readonly tasks: Readonly<Record<SeededState, string>>;
  readonly conversationId: string;
  /** A run that asks a question. */
  readonly runId: string;
  readonly prdSessionId: string;
  readonly funnelId: string;
  /** A disabled cron job with runs. */
  readonly cronjobId: string;
  /** A running objective with a run that ended. */
  readonly okrId: string;
  readonly userId: string;
  readonly keyId: string;
}

export interface SeedOptions {
  readonly operator?: TestUser;
  readonly admin?: TestUser;
  /** What a field says, in place of its plain text. */
  readonly text?: (field: string, plain: string) => string;
  /** Where webhooks go: a name that never stands for an address, so that they are soon given up. */
  readonly webhookUrl?: string;
}

type Post = (path: string, body: unknown, as?: TestUser) => Promise<Awaited<ReturnType<TestService['call']>>['body']>;

/** Creates everything over the API. Nothing of it changes by itself afterwards, but for the webhooks, which die. */
export async function seedTenant(service: TestService, options: SeedOptions = {}): Promise<TenantSeed> {
  const { operator = 'operator', admin = 'admin', text = (_, plain) => plain } = options;
  const post: Post = async (path, body, as = operator) => {
    const reply = await service.call('POST', path, { as, body });
    if (reply.status >= 300) throw new Error(`${path} was refused: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const worker = await seedWorker(service, operator, text);
  const codebaseId = worker.registered.codebases[0]?.codebase_id ?? '';
  const seeded = await seedTasks(post, worker, { text, codebaseId, ...options });
  await post(`/v1/agent/codebases/${codebaseId}/sessions/sync`, {
    worker_id: worker.id,
    sessions: [{ session_id: 'session-1', title: text('session.title', 'Login tests'), agent: 'claude' }],
  });
  await post(`/v1/agent/codebases/${codebaseId}/sessions/session-1/messages/sync`, {
    worker_id: worker.id,
    messages: [
      { message_id: 'message-1', role: 'user', summary: text('session.message', 'Why does the login test fail?') },
    ],
  });
  const key = await post('/v1/auth/api-keys', { name: text('key.name', 'ci of web-app'), scopes: ['tasks:read'] });
  const userId = 'maria';
  await service.call('PUT', `/v1/auth/users/${userId}`, {
    as: admin,
    body: { name: text('user.name', 'Maria'), roles: ['editor'] },
  });
  const runId = await seedRun(service, operator, text);
  const prd = prdDocument({ project: text('prd.project', 'shop'), description: text('prd.description', 'A shop.') });
  const { session } = await post('/v1/ralph/prd/sessions', {
    codebase_id: codebaseId,
    title: text('prd.title', 'A shop'),
    prd,
  });
  const funnelId = await seedFunnel(service, { operator, admin, text });
  const plans = await seedPlans(service, post, { text, codebaseId, operator });
  return {
    ...seeded,
    ...plans,
    codebaseId,
    worker,
    runId,
    prdSessionId: session.id,
    funnelId,
    userId,
    keyId: key.api_key.id,
  };
}

type TextOf = NonNullable<SeedOptions['text']>;

/** A funnel of three steps that ten people began and four ended. */
async function seedFunnel(
  service: TestService,
  { operator, admin, text }: { readonly operator: TestUser; readonly admin: TestUser; readonly text: TextOf },
): Promise<string> {
  const funnelId = 'shop';
  const short = (field: string, plain: string): string => text(field, plain).slice(0, 200).toWellFormed() || plain;
  const events = ['visit', 'basket', 'paid'].map((name) => short('funnel.event', name));
  const steps = events.map((event, i) => ({ name: short('funnel.step', ['Visit', 'Basket', 'Paid'][i] ?? ''), event }));
  const body = { name: short('funnel.name', 'Shop'), steps, window_hours: 24 };
  const written = await service.call('PUT', `/v1/analytics/funnels/${funnelId}`, { as: admin, body });
  if (written.status !== 200) throw new Error(`the funnel was refused: ${JSON.stringify(written.body)}`);
  const at = (minutes: number): string => new Date(Date.now() - 3_600_000 + minutes * 60_000).toISOString();
  const batch = Array.from({ length: 10 }, (_, person) =>
    events
      .slice(0, person < 4 ? 3 : person < 7 ? 2 : 1)
      .map((event, i) => ({ type: 'track', event, user_id: `person-${person}`, timestamp: at(i) })),
  ).flat();
  const { status } = await service.call('POST', '/v1/analytics/batch', { as: operator, body: { batch } });
  if (status !== 200) throw new Error(`the events were answered ${status}`);
  return funnelId;
}

function seedWorker(service: TestService, operator: TestUser, text: TextOf): Promise<ManualWorker> {
  const codebases = [
    {
      name: text('codebase.name', 'web-app'),
      path: text('codebase.path', '/srv/web-app'),
      description: text('codebase.description', 'The web shop'),
    },
  ];
  return service.worker(
    {
      name: text('worker.name', 'build-7'),
      hostname: text('worker.hostname', 'build-7.example'),
      version: '1.2.0',
      agents: ['claude', 'codex'],
      models: ['one:small'],
      os: 'Linux',
      agents_missing: [{ name: 'pi', reason: text('worker.missing', 'The program pi is not on the path.') }],
      slots: 4,
      codebases,
    },
    operator,
  );
}

interface TaskSeedContext extends SeedOptions {
  readonly text: TextOf;
  readonly codebaseId: string;
}

async function seedTasks(
  post: Post,
  worker: ManualWorker,
  { text, codebaseId, webhookUrl = 'https://hooks.invalid/x' }: TaskSeedContext,
): Promise<Pick<TenantSeed, 'tasks' | 'running' | 'conversationId'>> {
  const conversationId = 'login-tests';
  const create = async (title: string, prompt: string, fields: Record<string, unknown> = {}): Promise<string> => {
    const body = {
      title: text('task.title', title),
      prompt: text('task.prompt', prompt),
      codebase_id: codebaseId,
      conversation_id: conversationId,
      ...fields,
    };
    return (await post('/v1/agent/tasks', body)).task.id;
  };
  const hold = async (id: string): Promise<AssignmentWire> => {
    const [held] = await worker.claim(1, id);
    if (held === undefined) throw new Error(`The task ${id} was not claimed.`);
    return held;
  };
  const output = (n: number, plain: string) => ({
    type: 'output',
    n,
    stream: 'agent',
    text: text('output', plain),
  });

  const completed = await create('Fix the login test', 'The login test fails on Safari.\n\nFind out why and fix it.', {
    webhook_url: webhookUrl,
  });
  const done = await hold(completed);
  await worker.report(done, [
    output(1, 'I read the test.\n[shell] npm test -- login\n\u001B[32m14 passed\u001B[0m\n'),
    { type: 'output', n: 2, stream: 'stderr', text: text('output', 'npm warn old lockfile\n') },
    { type: 'message', n: 3, role: 'agent', parts: [{ text: text('message', 'The cookie was the cause.') }] },
    { type: 'artifact', n: 4, name: 'diff', mime_type: 'text/x-diff', text: seedPatch(text) },
    { type: 'artifact', n: 5, name: text('artifact.name', 'report.txt'), text: text('artifact.text', 'All is well.') },
  ]);
  await worker.release(done, {
    status: 'completed',
    result: text('result', 'The login test passes again.'),
    usage: { input_tokens: 12_000, output_tokens: 900, cost_usd: 0.12, duration_ms: 41_000 },
  });

  const failed = await create('Rename the API', 'Rename /v1/items to /v1/things.');
  const broken = await hold(failed);
  await worker.report(broken, [output(1, 'error TS2304: Cannot find name things\n')]);
  await worker.release(broken, {
    status: 'failed',
    error: { code: 'agent_failed', message: text('error.message', 'The agent ended with exit code 1.') },
  });

  const asking = await create('Support Safari', 'Make the session cookie work in Safari.');
  const question = await hold(asking);
  await worker.report(question, [output(1, 'The test uses a cookie that Safari drops.\n')]);
  await worker.release(question, {
    status: 'needs_input',
    message: {
      text: text('question.text', 'Change the **test**, or change the server?'),
      options: [
        { value: 'test', label: text('option.label', 'Change the test') },
        { value: 'server', label: text('option.label', 'Change the server') },
      ],
    },
  });

  const runningId = await create('Add retries', 'Retry failed uploads three times.');
  const running = await hold(runningId);
  await worker.report(running, [
    output(1, 'I look for the upload code.\n[shell] grep -rn upload src\nsrc/upload.ts:12: upload(file)\n'),
    { type: 'progress', n: 2, percent: 40, message: text('progress', 'two of five files') },
  ]);
  await post('/v1/monitor/intervene', {
    task_id: runningId,
    action: 'message',
    message: text('intervention', 'Three times is enough.'),
  });

  const cancelled = await create('Draw a logo', 'Draw a logo for the shop.');
  await post(`/v1/agent/tasks/${cancelled}/cancel`, {});
  const pending = await create('Write the changelog', 'Write the changelog of this week.', {
    required_capabilities: [text('capability', 'macos')],
  });
  const { task: follow } = await post(`/v1/agent/tasks/${completed}/follow-up`, {
    message: text('follow-up', 'Add a test for the http case.'),
  });
  const tasks = { pending, running: runningId, asking, completed, failed, cancelled, followed: follow.id };
  return { tasks, running, conversationId };
}

/** A run of three stories whose set-up failed, so that it asks what to do. */
async function seedRun(service: TestService, as: TestUser, text: TextOf): Promise<string> {
  const worker = await service.worker(
    {
      name: text('worker.name', 'runner-1'),
      codebases: [{ name: text('codebase.name', 'shop'), path: '/srv/shop' }],
      capabilities: [stepCapabilityLabel],
      agents: ['claude'],
    },
    as,
  );
  const codebaseId = worker.registered.codebases[0]?.codebase_id ?? '';
  const failing = { failed: { code: 'setup_failed', message: text('run.failure', 'npm ci ended with exit code 1.') } };
  const steps = scriptStepWorker(service, { worker, codebaseId }, () => failing, as);
  const prd = prdDocument({
    project: text('run.project', 'shop'),
    description: text('run.description', 'Login for the shop.'),
  });
  const { status, body } = await postRun(service, { codebase_id: codebaseId, prd }, { as });
  if (status !== 201) throw new Error(`The run was refused: ${JSON.stringify(body)}`);
  await steps.workUntil(body.run_id, 'needs_input');
  return body.run_id;
}

/** A schedule and an objective with what their runs left behind. Their tasks are not made: nothing changes by itself. */
async function seedPlans(
  service: TestService,
  post: Post,
  { text, codebaseId, operator }: { readonly text: TextOf; readonly codebaseId: string; readonly operator: TestUser },
): Promise<Pick<TenantSeed, 'cronjobId' | 'okrId'>> {
  const { cronjob } = await post('/v1/cronjobs', {
    name: text('cronjob.name', 'Nightly tests'),
    description: text('cronjob.description', 'What broke since yesterday?'),
    cron: '0 3 * * *',
    timezone: 'Europe/Berlin',
    enabled: false,
    task_template: { prompt: text('cronjob.prompt', 'Run the tests, and say what broke.'), codebase_id: codebaseId },
  });
  const error = { code: 'agent_failed', message: text('cronjob.error', 'Two tests fail.') };
  await service.db.query(
    `insert into cronjob_runs (tenant_id, cronjob_id, due_at, run_id, trigger, status, reason, missed_count, ended_at, error)
     select tenant_id, cronjob_id, now() - make_interval(days => n),
       ('00000000-0000-7000-8000-00000000000' || 9 - n)::uuid, 'schedule',
       (array['failed', 'completed', 'skipped', 'missed'])[n], (array['agent_failed', null, 'overlap', 'missed'])[n],
       case when n = 4 then 3 end, now(), case when n = 1 then $2::jsonb end
     from cronjobs cross join generate_series(1, 4) n where cronjob_id = $1`,
    [cronjob.cronjob_id, JSON.stringify(error)],
  );
  await service.db.query(
    `update cronjobs set last_error = $2, failure_count = 1, run_count = 2, last_due_at = now() - interval '1 day'
     where cronjob_id = $1`,
    [cronjob.cronjob_id, JSON.stringify(error)],
  );
  const { okr } = await post('/v1/okr', {
    objective: text('okr.objective', 'Checkouts are fast'),
    description: text('okr.description', 'Most complaints are about it.'),
    owner: text('okr.owner', 'Checkout team'),
    tags: ['speed'],
    target_date: '2031-03-31',
    key_results: [
      {
        title: text('okr.key_result', 'Median below 200 ms'),
        measure: { kind: 'number', start: 800, target: 200, unit: 'ms' },
        current: 500,
      },
      { title: 'Load test in the pipeline', measure: { kind: 'milestone' }, weight: 2 },
      { title: 'No timeouts', status: 'blocked', status_reason: text('okr.status_reason', 'No access to the logs.') },
    ],
  });
  const path = `/v1/okr/${okr.okr_id}`;
  for (const body of [{ status: 'approved', reason: text('okr.reason', 'Worth it.') }, { status: 'running' }]) {
    await service.call('PUT', path, { as: operator, body });
  }
  const items = [
    {
      keyResultId: okr.key_results[0].key_result_id,
      taskId: null,
      status: 'completed',
      summary: text('okr.summary', 'Cached the price list.'),
      evidence: [text('okr.evidence', 'make bench: median 500 ms')],
      progressBefore: 0,
      progressAfter: 50,
    },
    {
      keyResultId: okr.key_results[1].key_result_id,
      taskId: null,
      status: 'unreported',
      summary: 'The task left no artifact okr-progress.',
      evidence: [],
      progressBefore: 0,
      progressAfter: 0,
    },
  ];
  await service.db.query(
    `insert into okr_runs (tenant_id, okr_id, run_id, status, mode, items, created_by, acts_as, ended_at)
     select tenant_id, okr_id, gen_random_uuid(), 'completed', 'parallel', $2, created_by, '{}', now() from okrs where okr_id = $1`,
    [okr.okr_id, JSON.stringify(items)],
  );
  return { cronjobId: cronjob.cronjob_id, okrId: okr.okr_id };
}
