// An operator's day: a service with base backups, a mistake, and the installation as it was before it. With the real programs.
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, Program, run, temporaryFolder } from '../../support/process/program.ts';
import { until } from '../../support/until.ts';

const token = 'a-token-of-sixteen-characters-or-more';
let folder: AsyncDisposable & { path: string };
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => folder[Symbol.asyncDispose]());

interface Serving extends AsyncDisposable {
  readonly url: string;
  call(method: string, address: string, body?: unknown): Promise<{ status: number; text: string }>;
}

async function serve(dataDir: string, env: Record<string, string> = {}): Promise<Serving> {
  const port = await freePort();
  const program = new Program({
    args: ['serve', '--data-dir', dataDir],
    cwd: folder.path,
    env: { SERVICE_AUTH_TOKEN: token, PORT: String(port), MCP_PORT: '0', ...env },
  });
  await program.printed(/is running/);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    async call(method, address, body) {
      const response = await fetch(`${url}${address}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

async function cli(args: readonly string[]): Promise<string> {
  const { code, out, err } = await run(args, { cwd: folder.path, env: { SWITCHYARD_TOKEN: token } });
  expect({ args, code, err: code === 0 ? '' : err }).toEqual({ args, code: 0, err: '' });
  return out;
}

describe('an installation', () => {
  it('is restored to before a mistake [platform-6.2.1] [platform-6.2.2] [platform-6.2.7] [platform-6.3.1] [platform-6.3.5]', async () => {
    let id: string;
    let moment: string;
    {
      await using service = await serve('data', { BACKUP_DIR: 'backups' });
      const made = await service.call('POST', '/v1/agent/tasks', {
        title: 'precious',
        prompt: 'p',
        codebase_id: 'global',
      });
      id = JSON.parse(made.text).task.id;
      await until('a base backup is whole', async () => {
        const age = /^switchyard_backup_age_seconds (\S+)/m.exec((await service.call('GET', '/metrics')).text)?.[1];
        return (age !== undefined && age !== '+Inf' && age !== 'Infinity') || undefined;
      });
      expect(JSON.parse((await service.call('GET', '/health')).text)).toMatchObject({ status: 'ok', backup: 'ok' });
      const { loops } = JSON.parse((await service.call('GET', '/v1/cognition/status')).text);
      expect(loops).toContainEqual(expect.objectContaining({ name: 'backup', last_error: null }));
      const kept = await service.call('POST', '/v1/agent/tasks', {
        title: 'later',
        prompt: 'p',
        codebase_id: 'global',
      });
      expect(kept.status).toBe(201);
      moment = JSON.parse(kept.text).task.created_at;
      // A later commit closes the moment: recovery stops at the first one after it.
      expect((await service.call('POST', `/v1/agent/tasks/${id}/cancel`, { reason: 'by mistake' })).status).toBe(200);
    }
    // The service has stopped, and with it the last of its log was stored.
    await cli(['restore', '--from', 'backups', '--to', moment, '--data-dir', 'restored']);
    await rm(path.join(folder.path, 'data'), { recursive: true });
    await using service = await serve('restored');
    expect(JSON.parse((await service.call('GET', `/v1/agent/tasks/${id}`)).text).task.status).toBe('pending');
    expect(JSON.parse((await service.call('GET', '/health')).text)).toMatchObject({ sends: 'held_by_restore' });
    const { chains } = JSON.parse((await service.call('GET', '/v1/audit/verify')).text);
    expect(chains.map(({ ok, checked }: Record<string, unknown>) => [ok, checked])).toEqual([
      [true, 'file'],
      [true, 'file'],
    ]);
    expect(await cli(['audit', 'verify', '--data-dir', 'restored'])).toContain('which was restored');
    expect(await cli(['restore', 'release', '--url', service.url])).toContain('Released');
    expect(JSON.parse((await service.call('GET', '/health')).text)).not.toHaveProperty('sends');
  }, 300_000);
});
