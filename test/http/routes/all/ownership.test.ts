// Things of another subject, in every operation that may change something: only their owner or an operator may change them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../../../src/http/pipeline/operation.ts';
import {
  openService,
  type CallOptions,
  type TestService,
  type ApiReply,
  type TestUser,
} from '../../../support/service.ts';
import { prdDocument } from '../../../support/runs/new-run.ts';
import { fingerprint } from '../../../support/database/fingerprint.ts';
import { pathOf, buildSample } from '../../../support/builders/operation-samples.ts';
import { createTenantData, parameterIdsOf, type TenantData } from '../../../support/builders/tenant-data.ts';

/**
 * How each operation that may change something treats what another subject owns:
 * `refused` with `not_owner`; `hidden`, as a worker of another credential is; `lease`, a foreign one is lost;
 * `own`, it makes something of the caller's own; `shared`, who may use such things uses those of others too; `admin`, its permission is for admins alone; `reads`, it changes
 * nothing; `protocol`, what it is about stands in a body of the protocol's own (below).
 */
type Ruling = 'refused' | 'hidden' | 'lease' | 'own' | 'shared' | 'admin' | 'reads' | 'protocol';

const rulings: Readonly<Record<string, Ruling>> = {
  'tasks.create': 'own',
  'tasks.create_in_codebase': 'own',
  'tasks.cancel': 'refused',
  'tasks.retry': 'refused',
  'tasks.input': 'refused',
  'tasks.update': 'refused',
  'tasks.bulk': 'protocol', // each id has its own verdict: task-bulk.test.ts
  'tasks.why_draft': 'reads',
  'tasks.save_review': 'own',
  'tasks.follow_up': 'own', // a task of the caller's that follows
  'codebases.create': 'refused', // with the worker of another
  'codebases.delete': 'admin',
  'codebases.trigger': 'own',
  'sessions.resume': 'own',
  'sessions.sync': 'refused',
  'sessions.sync_messages': 'refused',
  'workers.register': 'own',
  'workers.heartbeat': 'hidden',
  'workers.unregister': 'refused',
  'workers.drain': 'refused',
  'workers.claim': 'hidden',
  'workers.events': 'lease',
  'workers.release': 'lease',
  'automation.create': 'own',
  'automation.cancel': 'refused',
  'automation.input': 'refused',
  'api_keys.create': 'own',
  'api_keys.revoke': 'refused',
  'sign_in_sessions.create': 'own',
  'sign_in_codes.create': 'own',
  'sign_in_sessions.end': 'refused',
  'users.put': 'admin',
  'k8s.scale': 'admin',
  'k8s.health': 'admin',
  'k8s.reconcile': 'admin',
  'users.delete': 'admin',
  'tenants.create': 'admin',
  'tenants.webhook_secret': 'admin',
  'deliveries.redeliver': 'refused',
  'restore.release': 'shared', // concerns the whole installation
  'monitor.intervene': 'refused',
  'monitor.dismiss': 'protocol', // an item of each kind: attention.test.ts
  'tools.register': 'refused',
  'tools.put_content': 'refused',
  'tools.revoke': 'admin',
  'tools.run': 'shared',
  'cronjobs.create': 'own',
  'cronjobs.update': 'refused',
  'cronjobs.delete': 'admin',
  'cronjobs.trigger': 'refused',
  'cronjobs.validate': 'reads',
  'analytics.track': 'own',
  'analytics.page': 'own',
  'analytics.identify': 'own',
  'analytics.batch': 'own',
  'analytics.put_funnel': 'admin',
  'analytics.delete_funnel': 'admin',
  'analytics.erase': 'admin',
  'okr.create': 'own',
  'okr.update': 'refused',
  'okr.delete': 'admin',
  'okr.add_key_result': 'refused',
  'okr.change_key_result': 'refused',
  'okr.remove_key_result': 'refused',
  'okr.run': 'refused',
  'okr.cancel_run': 'refused',
  'ralph.create': 'own',
  'ralph.retry': 'refused',
  'ralph.delete': 'admin',
  'ralph.cancel': 'refused',
  'ralph.pause': 'refused',
  'ralph.resume': 'refused',
  'ralph.answer': 'refused',
  'ralph.commit': 'refused',
  'ralph.message': 'refused',
  'ralph.change_story': 'refused',
  'ralph.remove_story': 'refused',
  'ralph.redeliver': 'refused',
  'prd.create': 'own',
  'prd.message': 'refused',
  'prd.put': 'refused',
  'prd.restore': 'refused',
  'prd.run': 'own',
  'prd.delete': 'admin',
  'ralph.lint': 'reads',
  'ralph.import': 'reads',
  'audit.query': 'reads',
  'mcp.list_tools': 'reads',
  'mcp.search_tools': 'reads',
  'mcp.call_tool': 'protocol',
  'a2a.send': 'protocol',
  'a2a.stream': 'protocol',
  'a2a.cancel': 'refused',
  'a2a.subscribe': 'reads',
  'a2a.push_set': 'protocol',
  'a2a.push_delete': 'refused',
};

let service: TestService;
let records: TenantData;
let made: Readonly<Record<string, string>>;
beforeAll(async () => {
  service = await openService();
  records = await createTenantData(service, 'operator', 'theirs');
  const key = await service.call('POST', '/v1/auth/api-keys', { as: 'operator', body: { name: 'theirs' } });
  const session = await service.call('POST', '/v1/auth/sessions', { as: 'operator', body: {} });
  made = { api_key: key.body.api_key.id, sign_in_session: session.body.session_id };
});
afterAll(() => service[Symbol.asyncDispose]());

/** The operation on what the operator owns. */
function onTheirs(operation: Operation, options: CallOptions): Promise<ApiReply> {
  const ids = {
    ...parameterIdsOf(records, operation.names),
    id: made[operation.names ?? ''] ?? parameterIdsOf(records, operation.names)['id'],
    prd: prdDocument(),
    ...(operation.name === 'tasks.update' && { priority: 5 }),
    ...(operation.name === 'okr.update' && { tags: ['one'] }),
    ...(operation.name === 'okr.change_key_result' && { progress: 10 }),
  };
  const sample = buildSample(operation, ids);
  const body = sample.body === undefined ? {} : { body: sample.body };
  return service.call(operation.method, pathOf(operation, sample), { ...body, ...options });
}

/** The operations of this name; the protocol's have several paths. */
function named(name: string): Operation[] {
  const found = service.instance.operations.filter(
    (operation) => operation.name === name && operation.method !== 'GET',
  );
  if (found.length === 0) throw new Error(`there is no operation ${name}`);
  return found;
}

function ruled(ruling: Ruling): Operation[] {
  return Object.keys(rulings).flatMap((name) => (rulings[name] === ruling ? named(name) : []));
}

describe('what another subject owns', () => {
  it('has a ruling in every operation that may change something', () => {
    const changing = service.instance.operations.filter(({ method }) => method !== 'GET').map(({ name }) => name);
    expect(changing.filter((name) => rulings[name] === undefined)).toEqual([]);
  });

  it.each(['editor2', 'agent'] satisfies TestUser[])(
    'is not changed by %s, in no operation [core-5.6.5, choices-4.32, core-1.5.4]',
    async (as) => {
      const before = await fingerprint(service.db);
      for (const operation of ruled('refused')) {
        const reply = await onTheirs(operation, { as });
        expect([operation.path, reply.status]).toEqual([operation.path, 403]);
        const codes = ['not_owner', 'permission_missing', ...(operation.personOnly === true ? ['needs_person'] : [])];
        expect(codes).toContain(reply.body.code);
      }
      for (const operation of ruled('hidden')) {
        const { status, body } = await onTheirs(operation, { as });
        expect([operation.path, status === 404 || body.code === 'permission_missing']).toEqual([operation.path, true]);
      }
      for (const operation of ruled('admin')) {
        const reply = await onTheirs(operation, { as });
        expect([operation.path, reply.status, reply.body.code]).toEqual([operation.path, 403, 'permission_missing']);
      }
      expect(await fingerprint(service.db)).toEqual(before);
    },
  );

  it('is refused as not_owner wherever the permission alone would do', async () => {
    const tries: [TestUser, string][] = [
      ...['tasks.cancel', 'tasks.retry', 'tasks.input', 'codebases.create', 'automation.cancel', 'api_keys.revoke'].map(
        (name): [TestUser, string] => ['editor2', name],
      ),
      ...['workers.unregister', 'sessions.sync', 'sessions.sync_messages', 'a2a.cancel', 'a2a.push_delete'].map(
        (name): [TestUser, string] => ['agent', name],
      ),
    ];
    for (const [as, name] of tries) {
      for (const operation of named(name)) {
        const { status, body } = await onTheirs(operation, { as });
        expect([as, operation.path, status, body.code]).toEqual([as, operation.path, 403, 'not_owner']);
      }
    }
  });

  it('is not spoken for under a lease whose token somebody else has learnt: it is lost to him [core-5.6.5, choices-4.32]', async () => {
    const { task, lease_token } = records.running;
    const path = `/v1/worker/tasks/${task.id}`;
    const artifacts = [{ name: 'a', text: 'forged' }];
    const calls: [string, Record<string, unknown>][] = [
      ['events', { events: [{ type: 'output', n: 1, stream: 'agent', text: 'forged' }] }],
      ['release', { status: 'completed', result: 'forged', artifacts }],
      ['release', { status: 'failed' }],
      ['release', { status: 'pending', artifacts }],
      ['release', { status: 'needs_input', message: { text: 'forged' } }],
    ];
    const before = await fingerprint(service.db);
    for (const as of ['editor2', 'agent'] satisfies TestUser[]) {
      for (const [call, body] of calls) {
        const reply = await service.call('POST', `${path}/${call}`, { as, body: { lease_token, ...body } });
        expect([call, body, reply.status, reply.body.code]).toEqual([call, body, 409, 'lease_lost']);
      }
    }
    expect(await fingerprint(service.db)).toEqual(before);
    const [events = ['', {}]] = calls;
    const own = await service.call('POST', `${path}/events`, { as: 'operator', body: { lease_token, ...events[1] } });
    expect(own.status).toBe(200);
  });

  it('is changed by an operator [choices-4.32]', async () => {
    const ours = await service.task({}, 'editor');
    expect((await service.call('POST', `/v1/agent/tasks/${ours.id}/cancel`, { as: 'operator' })).status).toBe(200);
    const worker = await service.worker({ name: 'an agent’s', codebases: [] });
    const path = `/v1/agent/workers/${worker.id}`;
    expect((await service.call('POST', `${path}/heartbeat`, { as: 'operator', body: {} })).status).toBe(200);
    expect((await service.call('POST', `${path}/unregister`, { as: 'operator', body: {} })).status).toBe(200);
  });

  it('over the tools too: nobody else cancels it [core-5.6.5]', async () => {
    const before = await fingerprint(service.db);
    for (const as of ['editor2', 'agent'] satisfies TestUser[]) {
      const params = { name: 'cancel_task', arguments: { task_id: records.tasks.needs_input } };
      const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      for (const [path, body] of [
        ['/mcp/v1/rpc', rpc],
        ['/mcp/tools/call', params],
      ] as const) {
        const refused = await service.call('POST', path, { as, body });
        expect(refused).toMatchObject({ status: 403, body: { code: 'not_owner' } });
      }
    }
    expect(await fingerprint(service.db)).toEqual(before);
  });

  it('over the protocol too: nobody else cancels or answers it [core-5.6.5]', async () => {
    const callRpc = (as: TestUser, method: string, params: unknown): Promise<ApiReply> =>
      service.call('POST', '/a2a/jsonrpc', { as, body: { jsonrpc: '2.0', id: 1, method, params } });
    const before = await fingerprint(service.db);
    const message = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'x' }] };
    const taskId = records.tasks.needs_input;
    for (const as of ['editor2', 'agent'] satisfies TestUser[]) {
      expect(await callRpc(as, 'tasks/cancel', { id: taskId })).toMatchObject({
        status: 403,
        body: { code: 'not_owner' },
      });
      const answer = await callRpc(as, 'message/send', { message: { ...message, taskId } });
      expect(answer).toMatchObject({ status: 403, body: { code: 'not_owner' } });
      const push = { taskId, pushNotificationConfig: { url: 'https://example.com/hook' } };
      const refused = await callRpc(as, 'tasks/pushNotificationConfig/set', push);
      expect(refused).toMatchObject({ status: 403, body: { code: 'not_owner' } });
    }
    expect(await fingerprint(service.db)).toEqual(before);
  });
});
