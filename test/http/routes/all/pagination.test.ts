// Every list pages: asked for from the tables of operations, so that a list that is added has to stand here too.
import { newRunId, openRunSite } from '../../../support/runs/new-run.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonSchema } from '../../../../src/http/pipeline/schema.ts';
import type { Operation } from '../../../../src/http/pipeline/operation.ts';
import type { TestService, TestUser } from '../../../support/service.ts';
import { rpc } from '../../../support/a2a/client.ts';
import { openReceiver, type Receiver } from '../../../support/peers/webhook-receiver.ts';
import { openToolService, sha256, signed } from '../../../support/client/signed-tools.ts';

let service: TestService;
let receiver: Receiver;
let runId: string;
let taskId: string;
let cronjobId: string;
let okrId: string;
const sessionId = 'session-0';

/** Lists that go on in another way, or are none though a member is an array; each with the reason. */
const others: Readonly<Record<string, string>> = {
  '/v1/agent/tasks/:id/events': 'a log: `after` and `next` are sequence numbers, which streams resume by too',
  '/v1/agent/tasks/:id/output': 'the same log',
  '/v1/ralph/runs/:id': 'one run with its stories and open questions',
  '/v1/ralph/runs/:id/stories': 'the stories of one run, at most a hundred',
  '/v1/ralph/runs/:id/stories/:story_id/attempts': 'the attempts of one story, bounded by its iterations',
  '/v1/ralph/runs/:id/deliveries': 'pages as the deliveries of a task do; a run has a webhook for each of four events',
  '/v1/ralph/runs/:id/events': 'a log, read on from the number of the last event',
  '/v1/ralph/prd/sessions/:id': 'one chat with the ids of its runs',
  '/v1/ralph/prd/sessions/:id/turns': 'the turns of one chat',
  '/v1/ralph/prd/sessions/:id/versions': 'the versions of one chat',
  '/v1/ralph/prd/sessions/:id/versions/:n': 'one version with its document',
  '/v1/okr/:id/key-results': 'the key results of one objective, at most a hundred',
  '/v1/cognition/status': 'one status of the loops that the program has',
  '/v1/automation/deliveries': 'pages as the others; dead-deliveries.test.ts makes its rows and turns its pages',
  '/v1/auth/permissions': 'the matrix of roles, which the program has',
  '/v1/automation/models': 'the catalogue of models, which the configuration has',
  '/v1/monitor/usage': 'at most a thousand groups, those with the highest cost',
  '/v1/monitor/history': 'at most 500 points',
  '/v1/monitor/service-health': 'one status of the parts and replicas that the service has',
  '/v1/agent/workers/:id': 'one worker with its agents',
  '/v1/k8s/status': 'one Deployment with its pods, whose number the operator sets',
  '/v1/audit/verify': 'one verdict; a chain for each replica that ever wrote',
  '/v1/auth/me': 'one caller with its roles',
  '/v1/automation/me': 'one caller with its roles',
  '/v1/tools/manifests/:tool_id': 'one tool with its versions; the list of manifests has each of them',
  '/a2a/rest/tasks': 'the protocol’s own: pageSize and pageToken',
  '/a2a/rest/v1/tasks/:id': 'one task',
  '/a2a/rest/v1/tasks': 'the protocol’s own: pageSize and pageToken',
  '/a2a/rest/tasks/:id/pushNotificationConfigs': 'the protocol’s own: v1.0 has pageSize and pageToken, v0.3 none',
  '/a2a/rest/v1/tasks/:id/pushNotificationConfigs': 'v0.3 has no pages of it; a task has at most 16',
  '/a2a/rest/extendedAgentCard': 'one card',
  '/a2a/rest/v1/extendedAgentCard': 'one card',
  '/a2a/rest/card': 'one card',
  '/a2a/rest/v1/card': 'one card',
  '/.well-known/agent-card.json': 'one card',
  '/v1/agent/tasks/:id/attempts': 'the attempts of one task, at most as many as it may have',
  '/v1/agent/tasks/:id/changes': 'the files of one diff, in its order',
  '/v1/monitor/attention': 'pages as the others; attention.test.ts makes its items and turns its pages',
  '/v1/monitor/threads': 'pages as the others; threads.test.ts makes its rows and turns its pages',
  '/v1/analytics/funnel': 'one funnel with its steps, at most ten',
  '/v1/analytics/attribution/:user_id':
    'one person; `limit` bounds what is returned, and `partial` says that there is more',
  '/v1/agent/tasks/:id/why': 'one explanation, with at most 200 workers',
  '/v1/monitor/waiting': 'at most 200 routes, and says when there are more',
  '/.well-known/oauth-protected-resource': 'one document of RFC 9728',
  '/.well-known/oauth-protected-resource/mcp': 'one document of RFC 9728',
};

interface List {
  /** The member that holds the items. */
  readonly plural: string;
  /** The member that names an item. */
  readonly key: string;
  /** The caller whose list it is; calls of the automation family are counted for each. */
  readonly as?: TestUser;
  /** Items of a page that asks for no number. */
  readonly usual?: number;
  /** True where reading it adds to it. */
  readonly grows?: true;
}

const lists: Readonly<Record<string, List>> = {
  '/v1/agent/tasks': { plural: 'tasks', key: 'id' },
  '/v1/agent/tasks/:id/artifacts': { plural: 'artifacts', key: 'artifact_id' },
  '/v1/agent/codebases': { plural: 'codebases', key: 'codebase_id' },
  '/v1/agent/codebases/:id/sessions': { plural: 'sessions', key: 'session_id' },
  '/v1/agent/codebases/:id/sessions/:sid/messages': { plural: 'messages', key: 'message_id' },
  '/v1/agent/workers': { plural: 'workers', key: 'id' },
  '/v1/monitor/workers': { plural: 'workers', key: 'id' },
  '/v1/monitor/interventions': { plural: 'interventions', key: 'id' },
  '/v1/monitor/agents': { plural: 'agents', key: 'name' },
  '/v1/monitor/messages': { plural: 'messages', key: 'id' },
  '/v1/audit/events': { plural: 'events', key: 'id', as: 'otheradmin', grows: true },
  '/v1/auth/api-keys': { plural: 'api_keys', key: 'id' },
  '/v1/auth/sessions': { plural: 'sessions', key: 'session_id' },
  '/v1/auth/users': { plural: 'users', key: 'user_id' },
  '/v1/auth/tenants': { plural: 'tenants', key: 'tenant_id' },
  '/v1/automation/tasks': { plural: 'tasks', key: 'task_id', as: 'operator' },
  '/v1/automation/tasks/:id/deliveries': { plural: 'deliveries', key: 'delivery_id', as: 'editor' },
  '/v1/tools/manifests': { plural: 'manifests', key: 'version' },
  '/v1/ralph/runs': { plural: 'runs', key: 'run_id' },
  '/v1/ralph/prd/sessions': { plural: 'sessions', key: 'id' },
  '/v1/ralph/runs/:id/learnings': { plural: 'learnings', key: 'id' },
  '/v1/analytics/funnels': { plural: 'funnels', key: 'funnel_id' },
  '/v1/cronjobs': { plural: 'cronjobs', key: 'cronjob_id' },
  '/v1/cronjobs/:id/runs': { plural: 'runs', key: 'run_id' },
  '/v1/okr': { plural: 'okrs', key: 'okr_id' },
  '/v1/okr/:id/runs': { plural: 'runs', key: 'run_id' },
  '/mcp/tools/list': { plural: 'tools', key: 'name', usual: 200 },
};

const planted = 4;
const numbers = Array.from({ length: planted }, (_, i) => i);

beforeAll(async () => {
  receiver = await openReceiver();
  service = await openToolService({ config: { egressAllow: ['127.0.0.1'] } });
  const made = async (method: string, path: string, body: unknown, as: TestUser = 'admin'): Promise<void> => {
    const reply = await service.call(method, path, { body, as });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`);
  };
  const worker = await service.worker({ name: 'worker-0' });
  for (const i of numbers) await service.worker({ name: `worker-${i + 1}` });
  for (const i of numbers) {
    const at = { worker_id: worker.id, path: `/srv/${i}`, name: `codebase ${i}` };
    await made('POST', '/v1/agent/codebases', at, 'agent');
    await made('PUT', `/v1/auth/users/user-${i}`, { name: `User ${i}`, roles: ['viewer'] });
    await made('POST', '/v1/auth/tenants', { tenant_id: `tenant-${i}`, name: `Tenant ${i}` });
    await made('POST', '/v1/auth/api-keys', { name: `key ${i}`, scopes: ['tasks:read'] });
    await made('POST', '/v1/auth/sessions', {});
    await made('POST', '/v1/auth/sessions', {}, 'otheradmin');
    const manifest = { tool_id: 'tool', version: `1.0.${i}`, sha256_hash: sha256(`#!/bin/sh\n# ${i}\n`) };
    await made('POST', '/v1/tools/manifests', signed(manifest), 'operator');
    await service.task({ title: `task ${i}` });
  }
  const sessions = numbers.map((i) => ({ session_id: `session-${i}` }));
  const below = '/v1/agent/codebases/global/sessions';
  await made('POST', `${below}/sync`, { worker_id: worker.id, sessions }, 'agent');
  const messages = numbers.map((i) => ({ message_id: `message-${i}`, role: 'user', summary: 'written' }));
  await made('POST', `${below}/${sessionId}/messages/sync`, { worker_id: worker.id, messages }, 'agent');

  const site = await openRunSite(service);
  for (const i of numbers) {
    runId = await newRunId(service, { codebase_id: site.codebaseId, max_iterations: i + 1 });
    await made('POST', `/v1/ralph/runs/${runId}/pause`, {});
  }
  for (const i of numbers) await made('POST', '/v1/ralph/prd/sessions', { title: `chat ${i}` });
  for (const i of numbers) await made('POST', `/v1/ralph/runs/${runId}/messages`, { text: `hint ${i}` });

  for (const i of numbers) {
    const job = { name: `job ${i}`, cron: '@yearly', overlap: 'allow', task_template: { prompt: 'do it' } };
    cronjobId = (await service.call('POST', '/v1/cronjobs', { body: job })).body.cronjob.cronjob_id;
  }
  for (const i of numbers) await made('PUT', `/v1/analytics/funnels/f-${i}`, { name: 'f', steps: [{ event: 'e' }] });
  for (const _ of numbers) await made('POST', `/v1/cronjobs/${cronjobId}/trigger`, {});

  for (const i of numbers) {
    const objective = { objective: `objective ${i}`, key_results: [{ title: 'one' }] };
    okrId = (await service.call('POST', '/v1/okr', { body: objective })).body.okr.okr_id;
  }
  await made('PUT', `/v1/okr/${okrId}`, { status: 'approved' });
  for (const _ of numbers) {
    const { run } = (await service.call('POST', `/v1/okr/${okrId}/runs`, { body: {} })).body;
    await made('POST', `/v1/okr/${okrId}/runs/${run.run_id}/cancel`, {});
  }

  const webhook = `${receiver.url}/`;
  taskId = (await service.task({ codebase_id: 'global', webhook_url: webhook }, 'editor')).id;
  for (const i of numbers) {
    const pushNotificationConfig = { id: `config-${i}`, url: `${webhook}${i}` };
    await rpc(service, 'tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig });
  }
  const [held] = await worker.claim(1, taskId);
  if (held === undefined) throw new Error('nothing claimed');
  for (const i of numbers) {
    await made('POST', '/v1/monitor/intervene', { task_id: taskId, action: 'message', message: `read ${i}` });
  }
  const artifacts = numbers.map((i) => ({
    artifact_id: randomUUID(),
    name: `a${i}`,
    mime_type: 'text/plain',
    text: 'a',
  }));
  await worker.report(
    held,
    artifacts.map((artifact, i) => ({ type: 'artifact', n: i + 1, ...artifact })),
  );
  await worker.release(held, { status: 'completed', result: 'done' });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const isRead = ({ method }: Operation): boolean => method === 'GET';

/** Names of the members of a schema that are arrays. */
function arraysOf({ answers }: Operation): string[] {
  const okSchema = answers[200];
  if (okSchema === undefined) return [];
  const { properties = {}, anyOf } = jsonSchema(okSchema) as {
    properties?: Record<string, { type?: string }>;
    anyOf?: unknown;
  };
  if (anyOf !== undefined) return [];
  return Object.entries(properties).flatMap(([name, { type }]) => (type === 'array' ? [name] : []));
}

const byGroup = (path: string): string | undefined => {
  if (path.includes('/ralph/')) return runId;
  if (path.includes('/okr/')) return okrId;
  return path.includes('/cronjobs/') ? cronjobId : undefined;
};

const pathOf = (path: string): string =>
  path.replace(':sid', sessionId).replace(':id', path.includes('/codebases/') ? 'global' : (byGroup(path) ?? taskId));

it('each read whose answer holds an array is a list that pages, or stands among the others with its reason', () => {
  const found = service.instance.operations.filter((row) => isRead(row) && arraysOf(row).length > 0);
  expect(found.length).toBeGreaterThan(20);
  for (const { path } of found)
    expect([path, path in lists, path in others]).toEqual([path, !(path in others), path in others]);
  const reads = new Set(service.instance.operations.filter(isRead).map(({ path }) => path));
  for (const path of [...Object.keys(lists), ...Object.keys(others)])
    expect([path, reads.has(path)]).toEqual([path, true]);
});

describe.each(Object.entries(lists))('GET %s', (path, { plural, key, as = 'admin', usual = 50, grows = false }) => {
  const page = async (query: Record<string, string>): Promise<{ items: string[]; next: string | null }> => {
    const search = new URLSearchParams(query).toString();
    const { status, body } = await service.call('GET', `${pathOf(path)}?${search}`, { as });
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return { items: body[plural].map((item: Record<string, unknown>) => item[key]), next: body.next_cursor };
  };

  it('takes limit and cursor, and answers next_cursor [choices-3.14, choices-3.15]', () => {
    const row = service.instance.operations.find((each) => isRead(each) && each.path === path);
    if (row?.query === undefined) throw new Error('no query');
    const { properties } = jsonSchema(row.query);
    expect(properties).toMatchObject({
      limit: { type: 'integer', minimum: 1, maximum: 200, default: usual },
      cursor: {},
    });
    expect(jsonSchema(row.answers[200] as never)).toMatchObject({ properties: { next_cursor: {} } });
  });

  it('gives each item exactly once, in the same order, in pages of any size', async () => {
    const fullPage = await page({ limit: '200' });
    expect([fullPage.next, fullPage.items.length >= planted, fullPage.items.includes(undefined as never)]).toEqual([
      null,
      true,
      false,
    ]);
    for (const limit of [1, 2, 3]) {
      const walked: string[] = [];
      let cursor: string | null = null;
      do {
        const { items, next }: Awaited<ReturnType<typeof page>> = await page({
          limit: String(limit),
          ...(cursor === null ? {} : { cursor }),
        });
        expect(items.length).toBeLessThanOrEqual(limit);
        walked.push(...items);
        cursor = next;
      } while (cursor !== null);
      const known = grows ? walked.filter((item) => fullPage.items.includes(item)) : walked;
      expect([limit, known]).toEqual([limit, fullPage.items]);
      expect(new Set(walked).size).toBe(walked.length);
    }
  });

  it('refuses a limit out of its bounds, and a cursor that it never gave', async () => {
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=%25']) {
      expect([query, (await service.call('GET', `${pathOf(path)}?${query}`, { as })).status]).toEqual([query, 400]);
    }
  });
});

// `get_task_updates` goes on by since and next: it is a log.
it('each list of the tool protocol takes limit and cursor too', () => {
  for (const { tool } of service.instance.mcp.tools) {
    const { properties = {} } = jsonSchema(tool.output) as { properties?: Record<string, { type?: string }> };
    const isPage = 'next_cursor' in properties;
    const isList = /^list_|_list_|^discover_|^search_|^get_messages$/.test(tool.name);
    expect([tool.name, isPage]).toEqual([tool.name, isList]);
    if (isPage) expect(jsonSchema(tool.input)['properties']).toMatchObject({ limit: {}, cursor: {} });
  }
});
