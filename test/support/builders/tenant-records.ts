// Everything a tenant can have, one of each, created over the API; each under an id that occurs nowhere else.
import { randomUUID } from 'node:crypto';
import type { ManualWorker, TestService, ApiReply, TestUser } from '../service.ts';
import { install } from '../client/signed-tools.ts';
import { newRunId, openRunSite, prdDocument } from '../runs/new-run.ts';
import { scriptStepWorker } from '../runs/scripted-step-worker.ts';
import { until } from '../until.ts';

/** Things that can be named in a request, and their ids. A kind that is missing here is a hole in the test, not in the service. */
export interface TenantRecords {
  readonly tenant: string;
  readonly task: string;
  readonly worker: string;
  readonly codebase: string;
  readonly session: string;
  readonly artifact: string;
  readonly lease: string;
  readonly conversation: string;
  readonly apiKey: string;
  readonly signInSession: string;
  readonly user: string;
  readonly delivery: string;
  readonly pushConfig: string;
  readonly intervention: string;
  readonly idempotencyKey: string;
  readonly requestedBefore: string;
  readonly tool: string;
  readonly run: string;
  readonly question: string;
  readonly runConversation: string;
  readonly runDelivery: string;
  readonly prdSession: string;
  readonly cronjob: string;
  readonly funnel: string;
  readonly person: string;
  readonly visitor: string;
  readonly okr: string;
  readonly keyResult: string;
  readonly okrRun: string;
}
export type Kind = keyof TenantRecords;

export interface Tenant {
  readonly operator: TestUser;
  readonly admin: TestUser;
  readonly tenantId: string;
  /** Stands in every text of theirs, and in no id. */
  readonly canary: string;
}

/** The receiver of webhooks: a name that never resolves to an address. */
const hook = 'https://hooks.invalid/x';

async function expectCreated(reply: Promise<ApiReply>): Promise<ApiReply['body']> {
  const { status, body } = await reply;
  if (status >= 300) throw new Error(`not made: ${JSON.stringify(body)}`);
  return body;
}

/** Gives a tenant one of each; resolves when nothing of it changes any more by itself. */
export async function createTenantRecords(service: TestService, tenant: Tenant): Promise<TenantRecords> {
  const { operator: as, admin, canary: word, tenantId } = tenant;
  const unique = (): string => randomUUID().slice(0, 18);
  const ids = {
    session: randomUUID(),
    conversation: `c-${unique()}`,
    artifact: `a-${unique()}`,
    key: `k-${unique()}`,
  };
  const post = (path: string, body: unknown, who = as, headers = {}): Promise<ApiReply['body']> =>
    expectCreated(service.call('POST', path, { as: who, body, headers }));

  const codebases = [{ name: word, path: `/${word}`, description: word }];
  const worker: ManualWorker = await service.worker(
    { name: word, hostname: word, agents: [word], codebases, slots: 9 },
    as,
  );
  const codebase = worker.registered.codebases[0]?.codebase_id ?? '';
  const fields = {
    title: word,
    prompt: word,
    codebase_id: codebase,
    conversation_id: ids.conversation,
    webhook_url: hook,
  };
  const { task } = await post('/v1/agent/tasks', fields, as, { 'idempotency-key': ids.key });
  const [held] = await worker.claim(1, task.id);
  if (held === undefined) throw new Error('not claimed');
  await worker.report(held, [
    { type: 'output', n: 1, stream: 'agent', text: word },
    { type: 'artifact', n: 2, artifact_id: ids.artifact, name: word, text: word },
  ]);
  const sessions = [{ session_id: ids.session, title: word, agent: word }];
  const messages = [{ message_id: unique(), role: 'user', summary: word }];
  const path = `/v1/agent/codebases/${codebase}/sessions`;
  await post(`${path}/sync`, { worker_id: worker.id, sessions });
  await post(`${path}/${ids.session}/messages/sync`, { worker_id: worker.id, messages });
  const config = await post(`/a2a/rest/tasks/${task.id}/pushNotificationConfigs`, {
    config: { push_notification_config: { id: unique(), url: hook } },
  });
  const intervention = await post('/v1/monitor/intervene', { task_id: task.id, action: 'message', message: word });
  const key = await post('/v1/auth/api-keys', { name: word, scopes: ['tasks:read'] });
  const signedIn = await post('/v1/auth/sessions', {});
  const user = `u-${unique()}`;
  await expectCreated(
    service.call('PUT', `/v1/auth/users/${user}`, { as: admin, body: { name: word, roles: ['viewer'] } }),
  );
  await expectCreated(
    service.call('PUT', `/v1/auth/tenants/${tenantId}/webhook-secret`, {
      as: admin,
      body: { secret: `secret-of-${word}` },
    }),
  );

  const tool = `t-${unique()}`;
  await install(service, {
    tool_id: tool,
    content: `#!/bin/sh\necho ${word}\n`,
    fields: { allowed_resources: [`${word}.example`] },
    as,
  });

  const asking = await askingRun(service, tenant, word);
  const { session } = await post('/v1/ralph/prd/sessions', {
    codebase_id: codebase,
    title: word,
    prd: prdDocument({ project: word, description: word }),
  });

  const { cronjob } = await post('/v1/cronjobs', {
    name: word,
    description: word,
    cron: '@yearly',
    overlap: 'allow',
    task_template: { title: word, prompt: word, codebase_id: codebase },
  });

  const analytics = await createAnalytics(service, tenant);
  const { okr } = await post('/v1/okr', {
    objective: word,
    description: word,
    tags: [word],
    key_results: [{ title: word }],
    task_template: { title: word, prompt: word, codebase_id: codebase },
  });
  await expectCreated(service.call('PUT', `/v1/okr/${okr.okr_id}`, { as, body: { status: 'approved', reason: word } }));
  const started = await post(`/v1/okr/${okr.okr_id}/runs`, { instructions: word });
  // Its run is cancelled, and nothing of it changes any more.
  await expectCreated(service.call('PUT', `/v1/okr/${okr.okr_id}`, { as, body: { status: 'denied', reason: word } }));

  // A finished task with a delivery: the webhook is tried, in vain, until it is given up.
  const done = await post('/v1/agent/tasks', fields);
  const [last] = await worker.claim(1, done.task.id);
  if (last === undefined) throw new Error('not claimed');
  await worker.release(last, { status: 'completed', result: word });
  const deadDelivery = (ofId: string): Promise<string> =>
    until('a delivery that was given up', async () => {
      const rows = await service.db.query<{ delivery_id: string }>(
        `select delivery_id from deliveries where tenant_id = $1 and task_id = $2 and status = 'dead'`,
        [tenantId, ofId],
      );
      return rows[0]?.delivery_id;
    });
  const delivery = await deadDelivery(done.task.id);
  return {
    tenant: tenantId,
    task: task.id,
    worker: worker.id,
    codebase,
    session: ids.session,
    artifact: ids.artifact,
    lease: held.lease_token,
    conversation: ids.conversation,
    apiKey: key.api_key.id,
    signInSession: signedIn.session_id,
    user,
    delivery,
    pushConfig: idOf(config),
    intervention: intervention.intervention.id,
    idempotencyKey: ids.key,
    requestedBefore: done.task.id,
    tool,
    run: asking.runId,
    question: asking.questionId,
    runConversation: asking.conversationId,
    runDelivery: await deadDelivery(asking.runId),
    prdSession: session.id,
    cronjob: cronjob.cronjob_id,
    ...analytics,
    okr: okr.okr_id,
    keyResult: okr.key_results[0].key_result_id,
    okrRun: started.run.run_id,
  };
}

/** A funnel, and a person with a touch and a conversion. */
async function createAnalytics(
  service: TestService,
  { operator: as, admin, canary: word }: Tenant,
): Promise<Pick<TenantRecords, 'funnel' | 'person' | 'visitor'>> {
  const [funnel, person, visitor] = [`f-${randomUUID()}`, `p-${randomUUID()}`, `v-${randomUUID()}`];
  const steps = [{ name: word, event: word, where: { word } }];
  await expectCreated(
    service.call('PUT', `/v1/analytics/funnels/${funnel}`, { as: admin, body: { name: word, steps } }),
  );
  const batch = [
    { type: 'page', anonymous_id: visitor, name: word, campaign: { source: word } },
    { type: 'identify', anonymous_id: visitor, user_id: person, traits: { word } },
    { type: 'track', event: word, user_id: person, value: 1, properties: { word }, message_id: `m-${word}` },
  ];
  await expectCreated(service.call('POST', '/v1/analytics/batch', { as, body: { batch } }));
  return { funnel, person, visitor };
}

/** The id of a push config, in either form of the answer. */
function idOf(config: { name?: string; pushNotificationConfig?: { id?: string } }): string {
  const id = config.pushNotificationConfig?.id ?? config.name?.split('/').at(-1);
  if (id === undefined) throw new Error(`no push config: ${JSON.stringify(config)}`);
  return id;
}

/** Ids of the same form that are nobody's. */
export function nonexistentIdsLike(records: TenantRecords): TenantRecords {
  const isUuid = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text);
  const other = (text: string): string =>
    isUuid(text) ? randomUUID() : `${text.slice(0, 2)}${randomUUID().slice(0, 18)}`;
  return {
    tenant: 'nobodys-tenant',
    task: other(records.task),
    worker: other(records.worker),
    codebase: other(records.codebase),
    session: other(records.session),
    artifact: other(records.artifact),
    lease: other(records.lease),
    conversation: other(records.conversation),
    apiKey: other(records.apiKey),
    signInSession: other(records.signInSession),
    user: other(records.user),
    delivery: other(records.delivery),
    pushConfig: other(records.pushConfig),
    intervention: other(records.intervention),
    idempotencyKey: other(records.idempotencyKey),
    requestedBefore: other(records.requestedBefore),
    tool: other(records.tool),
    run: other(records.run),
    question: other(records.question),
    runConversation: other(records.runConversation),
    runDelivery: other(records.runDelivery),
    prdSession: other(records.prdSession),
    cronjob: other(records.cronjob),
    funnel: other(records.funnel),
    person: other(records.person),
    visitor: other(records.visitor),
    okr: other(records.okr),
    keyResult: other(records.keyResult),
    okrRun: other(records.okrRun),
  };
}

/** A run that asks a question, so that nothing of it changes by itself. */
async function askingRun(
  service: TestService,
  { operator: as }: Tenant,
  word: string,
): Promise<{ runId: string; questionId: string; conversationId: string }> {
  const site = await openRunSite(service, `runs of ${word}`, as);
  const failing = scriptStepWorker(service, site, () => ({ failed: { code: 'setup_failed', message: word } }), as);
  const prd = prdDocument({ project: word, description: word });
  const conversationId = `r-${randomUUID().slice(0, 18)}`;
  const fields = { codebase_id: site.codebaseId, prd, conversation_id: conversationId, webhook_url: hook };
  const runId = await newRunId(service, fields, as);
  const { questions } = await failing.workUntil(runId, 'needs_input');
  return { runId, questionId: questions[0].question_id, conversationId };
}
