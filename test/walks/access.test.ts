// Authentication, permissions, the audit's entries, and signed tools. core-4.1, core-4.7, core-4.8, core-5.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect } from 'vitest';
import { findOpa, OpaServer } from '../support/peers/opa.ts';
import { run, temporaryFolder } from '../support/process/program.ts';
import { openProvider } from '../support/peers/identity-provider.ts';
import { until } from '../support/until.ts';
import { script } from '../support/worker/local-worker.ts';
import type { DeploymentName } from './flows/flow.ts';
import type { WalkContext } from './support/walk-context.ts';
import { installedCommand } from './support/service-process.ts';
import { walks } from './support/walk.ts';

const provider = await openProvider();
const keys = await temporaryFolder('switchyard walks keys ');
afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await keys[Symbol.asyncDispose]();
});

/** An operator trusts the identity provider, and the key that signs tools. */
const toolKey = path.join(keys.path, 'tool-key.pem');
const made = await run(['tools', 'keygen', '--json', '--out', toolKey, '--name', 'release'], {
  command: installedCommand,
  cwd: keys.path,
});
const opaProgram = findOpa();
const opa = opaProgram === undefined ? undefined : await OpaServer.start(opaProgram);
afterAll(() => opa?.[Symbol.asyncDispose]());

/** On the replicas a policy server decides, where there is one; else the service itself. */
function settings(name: DeploymentName): Promise<Record<string, string>> {
  return Promise.resolve({
    TOOL_TRUSTED_KEYS: JSON.parse(made.out).trusted_key,
    OIDC_ISSUER_URL: provider.issuer,
    OIDC_AUDIENCE: provider.audience,
    ...(name === 'replicas' && opa !== undefined && { POLICY_URL: new URL(opa.url).origin }),
  });
}

interface Entry {
  readonly actor: string;
  readonly action: string;
  readonly resource: string;
  readonly outcome: string;
}

async function entries(on: WalkContext, filters: Record<string, unknown>): Promise<Entry[]> {
  return (await on.must(200, 'POST', '/v1/audit/query', { as: 'admin', body: filters })).events;
}

walks('access', { on: ['embedded', 'replicas'], settings }, (walk) => {
  walk(['policy-decides', 'role-refused'], 'each role may what the policy says, whoever decides it', async (on) => {
    const isSidecar = on.deployment.name === 'replicas' && opa !== undefined;
    const { policy } = await on.must(200, 'GET', '/v1/auth/status', { as: 'viewer' });
    expect(policy).toEqual({ mode: isSidecar ? 'sidecar' : 'local' });
    const { worker, codebaseId } = await on.workplace();
    const statuses = async (method: string, where: string, body?: unknown): Promise<number[]> =>
      Promise.all(
        (['viewer', 'agent', 'editor', 'operator', 'admin'] as const).map(
          async (as) => (await on.call(method, where, { as, ...(body !== undefined && { body }) })).status,
        ),
      );
    expect(await statuses('GET', '/v1/agent/tasks')).toEqual([200, 200, 200, 200, 200]);
    const task = { title: 'who may', prompt: script('echo may'), codebase_id: codebaseId };
    expect(await statuses('POST', '/v1/agent/tasks', task)).toEqual([403, 201, 201, 201, 201]);
    expect(await statuses('GET', '/v1/audit/events')).toEqual([403, 403, 403, 200, 200]);
    expect(await statuses('GET', '/v1/auth/tenants')).toEqual([403, 403, 403, 403, 200]);
    expect(await statuses('GET', `/v1/agent/workers/${worker.id}`)).toEqual([200, 200, 200, 200, 200]);
    const others = await on.task(codebaseId, ['sleep 600']);
    expect((await on.call('POST', `/v1/agent/tasks/${others}/cancel`, { as: 'viewer' })).status).toBe(403);
    expect((await on.call('POST', `/v1/agent/tasks/${others}/cancel`, { as: 'operator' })).status).toBe(200);
  });

  walk(['health'], 'health is answered to anybody', async (on) => {
    for (const at of [0, 1]) {
      expect(await on.must(200, 'GET', '/health', { token: null, at })).toMatchObject({ status: 'ok' });
      await on.must(200, 'GET', '/health?ready', { token: null, at });
    }
  });

  walk(['refused-without-token'], 'without a valid bearer every endpoint answers 401 in JSON', async (on) => {
    const places = [
      '/v1/agent/tasks',
      '/v1/monitor/workers',
      '/v1/automation/tasks',
      '/v1/audit/events',
      '/v1/nothing',
      '/.well-known/agent-card.json',
    ];
    for (const place of places) {
      for (const token of [null, 'not-a-token-of-this-service']) {
        const refused = await on.call('GET', place, { token });
        expect([place, refused.status, refused.headers.get('www-authenticate')]).toEqual([
          place,
          401,
          expect.stringMatching(/^Bearer/),
        ]);
        expect(refused.body).toMatchObject({ status: 401, code: expect.any(String) });
      }
    }
    expect((await on.call('POST', '/', { token: null, body: {} })).status).toBe(401);
    expect((await on.call('POST', '/mcp/v1/rpc', { token: null, body: {}, tools: true })).status).toBe(401);
  });

  walk(
    ['api-key-scopes', 'role-refused'],
    'a narrowed key reads and does not write, and a revoked one does nothing',
    async (on) => {
      const { codebaseId } = await on.workplace();
      const { id, token } = await on.key(['tasks:read']);
      expect(token).toMatch(/^ct_/);
      expect(await on.must(200, 'GET', '/v1/auth/me', { token })).toMatchObject({
        roles: ['editor'],
        scopes: ['tasks:read'],
        credential: 'api_key',
      });
      const done = await on.task(codebaseId, ['echo for the key']);
      await on.completed(done);
      expect((await on.must(200, 'GET', `/v1/agent/tasks/${done}/output`, { token })).output[0].text).toContain(
        'for the key',
      );
      const body = { title: 'no', prompt: 'no', codebase_id: codebaseId };
      expect((await on.call('POST', '/v1/agent/tasks', { token, body })).status).toBe(403);
      expect((await on.call('POST', '/v1/agent/tasks', { as: 'viewer', body })).status).toBe(403);
      const wider = { name: 'wider', scopes: ['audit:read'] };
      expect((await on.call('POST', '/v1/auth/api-keys', { body: wider })).status).toBe(403);
      await on.must(200, 'DELETE', `/v1/auth/api-keys/${id}`);
      await until('no replica takes the key', async () => {
        const tried = await Promise.all([0, 1].map((at) => on.call('GET', '/v1/auth/me', { token, at })));
        return tried.every(({ status }) => status === 401);
      });
    },
  );

  walk(
    ['tenant-isolation'],
    'another tenant finds nothing of ours, and its worker runs nothing of ours',
    async (on) => {
      const { codebaseId } = await on.workplace();
      const task = await on.task(codebaseId, ['echo ours']);
      await on.completed(task);
      const folder = await on.repository('of another tenant');
      const stranger = await on.worker({ as: 'otheragent', global: folder });
      const paths = [
        `/v1/agent/tasks/${task}`,
        `/v1/agent/tasks/${task}/artifacts/diff`,
        `/v1/agent/codebases/${codebaseId}`,
        `/v1/agent/workers/${stranger.id}`,
      ];
      for (const where of paths) {
        expect([
          where,
          (await on.call('GET', where, { as: where.endsWith(stranger.id) ? 'admin' : 'other' })).status,
        ]).toEqual([where, 404]);
      }
      const { tasks } = await on.must(200, 'GET', '/v1/agent/tasks', { as: 'other' });
      expect(JSON.stringify(tasks)).not.toContain(task);
      expect(
        (await on.call('GET', `/v1/agent/tasks/${task}`, { as: 'other', headers: { 'x-tenant-id': 'default' } }))
          .status,
      ).toBe(403);
      const ours = await on.task('global', ['echo never at a stranger']);
      [on.user] = ['other'];
      const theirs = await on.task('global', ['echo theirs']);
      expect((await on.completed(theirs)).worker_id).toBe(stranger.id);
      [on.user] = ['editor'];
      expect(await on.get(ours)).toMatchObject({ status: 'pending', worker_id: null });
      await on.must(200, 'POST', `/v1/agent/tasks/${ours}/cancel`);
    },
  );

  walk(['identity-provider'], 'a token of the client-credentials grant creates a task in its tenant', async (on) => {
    const { repository, codebaseId } = await on.workplace();
    provider.clients.set('robot', {
      secret: 'secret-of-the-robot',
      claims: { roles: ['editor'], tenant_id: 'default' },
    });
    const token = await provider.grant('robot');
    const body = { title: 'by a robot', prompt: script('echo robot > made.txt') };
    const { task } = await on.must(201, 'POST', `/v1/agent/codebases/${codebaseId}/tasks`, { token, body });
    expect(await on.made(task.id, repository, 'made.txt')).toBe('robot\n');
    expect(task.created_by).toBe('oidc:robot');
    provider.clients.set('nobody', { secret: 'secret-of-nobody', claims: { roles: [], tenant_id: 'default' } });
    expect((await on.call('GET', '/v1/agent/tasks', { token: await provider.grant('nobody') })).status).toBe(403);
  });

  walk(['audit-entry'], 'what was done, refused and not found is in the audit, which is whole', async (on) => {
    const { codebaseId } = await on.workplace();
    const from = new Date(Date.now() - 60_000).toISOString();
    const task = await on.task(codebaseId, ['echo audited']);
    await on.completed(task);
    await on.call('POST', `/v1/agent/tasks/${task}/cancel`, { as: 'viewer' });
    const about = await until('the audit has both', async () => {
      const found = await entries(on, { resource: `/v1/agent/tasks/${task}/cancel`, from });
      return found.length > 0 && found;
    });
    expect(about).toMatchObject([{ actor: 'token:viewer', action: 'tasks.cancel', outcome: 'denied' }]);
    const created = await until('the creation', async () => {
      const found = await entries(on, { actor: 'token:editor', action: 'tasks.create', from });
      return found.find((entry) => JSON.stringify(entry).includes(task));
    });
    expect(created).toMatchObject({ outcome: 'success', ip: '127.0.0.1' });
    expect((await on.call('GET', '/v1/audit/events')).status).toBe(403);
    for (const at of [0, 1]) {
      expect(await on.must(200, 'GET', '/v1/audit/verify', { as: 'admin', at })).toMatchObject({ ok: true });
    }
    const tail = await on.cli('admin', 'audit', 'tail', '-n', '5');
    expect([tail.code, tail.out.trim().split('\n')]).toEqual([
      0,
      expect.arrayContaining([expect.stringMatching(/\w+\.\w+/)]),
    ]);
    const exported = await on.cli('admin', 'audit', 'export', '--action', 'tasks.create', '--from', from);
    expect([exported.code, exported.out]).toEqual([0, expect.stringContaining(task)]);
  });

  walk(
    ['signed-tool'],
    'a signed tool runs in the sandbox; one that was signed by another or changed does not',
    async (on) => {
      const name = path.basename(on.folder);
      const [tool, manifest, signed] = ['greet', 'greet.json', 'greet.signed.json'].map((file) =>
        path.join(on.folder, file),
      );
      await writeFile(tool ?? '', '#!/bin/sh\necho "hello $(cat)"\n');
      await writeFile(manifest ?? '', JSON.stringify({ tool_id: name, version: '1.0.0', max_memory_mb: 64 }));
      const sign = (key: string) =>
        on.cli(
          'operator',
          'tools',
          'sign',
          'greet.json',
          '--key',
          key,
          '--content',
          'greet',
          '--out',
          'greet.signed.json',
        );
      await on.cli('operator', 'tools', 'keygen', '--out', 'other.pem', '--name', 'other');
      expect((await sign('other.pem')).code).toBe(0);
      expect((await on.cli('operator', 'tools', 'register', 'greet.signed.json')).code).not.toBe(0);
      expect((await sign(toolKey)).code).toBe(0);
      const registered = await on.cli('operator', 'tools', 'register', signed ?? '');
      expect([registered.code, registered.err]).toEqual([0, '']);
      await writeFile(path.join(on.folder, 'changed'), '#!/bin/sh\necho changed\n');
      expect((await on.cli('operator', 'tools', 'upload', name, 'changed')).code).not.toBe(0);
      expect((await on.cli('operator', 'tools', 'upload', name, 'greet')).code).toBe(0);
      const ran = await on.cli('editor', 'tools', 'run', name, '--arguments', '{"you": 1}');
      expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('hello {"you":1}')]);
      expect((await on.cli('viewer', 'tools', 'run', name)).code).toBe(4);
      expect((await on.cli('admin', 'tools', 'revoke', `${name}@1.0.0`)).code).toBe(0);
      expect((await on.cli('editor', 'tools', 'run', name)).code).not.toBe(0);
    },
  );

  walk(['background-loops'], 'the background loops have their leader and their last tick', async (on) => {
    const { loops } = await until('leases are looked after', async () => {
      const status = await on.must(200, 'GET', '/v1/cognition/status', { as: 'viewer' });
      const reaper = status.loops.find(({ name }: { name: string }) => name === 'reaper');
      return reaper?.leader !== null && reaper?.ticks > 1 && status;
    });
    expect(loops.every(({ last_error }: { last_error: string | null }) => last_error === null)).toBe(true);
  });
});
