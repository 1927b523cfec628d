// The commands `key`, `user` and `tenant`: what they print, what they end with. choices-1.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../../src/cli/core/exit-codes.ts';
import { openService, type TestService } from '../../support/service.ts';
import { command, type Outcome } from '../../support/process/cli-io.ts';
import { expectUnauthenticated, me } from '../../support/client/credentials.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

function cli(args: string[], token = service.token('admin')): Promise<Outcome> {
  return command(args, { env: { SWITCHYARD_URL: service.url, SWITCHYARD_TOKEN: token } });
}

describe('switchyard key', () => {
  it('makes a key whose text is all of standard output, lists it and revokes it [choices-1.10]', async () => {
    const args = ['key', 'create', 'ci', '--scope', 'tasks:read', '--scope', 'a2a:*', '--expires-in-days', '7'];
    const made = await cli(args, service.token('editor'));
    expect(made.code).toBe(exitCodes.ok);
    expect(made.out).toMatch(/^ct_[\w-]{43}\n$/);
    expect(made.err).toMatch(/^key \S+ \(ci\) of token:editor, expires in 7 d; it is shown only once\n$/);
    const key = made.out.trim();
    expect((await me(service, key)).body.scopes).toEqual(['tasks:read', 'a2a:*']);
    const listed = await cli(['key', 'list'], service.token('editor'));
    expect(listed.out).toContain(`${key.slice(0, 10)}…`);
    expect(listed.out).not.toContain(key);
    const json = JSON.parse((await cli(['key', 'list', '--all', '--json'])).out);
    const { id } = json.api_keys[0];
    const revoked = await cli(['key', 'revoke', id], service.token('editor'));
    expect([revoked.code, revoked.out]).toEqual([exitCodes.ok, `revoked ${id}  ci\n`]);
    expectUnauthenticated(await me(service, key));
    expect((await cli(['key', 'list'], service.token('editor'))).out).toContain('revoked');
  });

  it('prints the answer of the service with --json', async () => {
    const made = JSON.parse((await cli(['key', 'create', 'x', '--json'])).out);
    expect(made.key).toMatch(/^ct_/);
    expect(made.api_key.user_id).toBe('token:admin');
  });

  it.each([
    [['key', 'create', 'x', '--scope', 'users:read'], 'editor', exitCodes.refused, 'scopes_too_wide'],
    [['key', 'create', 'x', '--scope', 'nonsense'], 'editor', exitCodes.usage, 'invalid_request'],
    [['key', 'create', 'x', '--user', 'nobody'], 'admin', exitCodes.notFound, 'user_not_found'],
    [['key', 'list', '--all'], 'editor', exitCodes.refused, 'permission_missing'],
    [['key', 'revoke', 'nonsense'], 'editor', exitCodes.notFound, 'api_key_not_found'],
    [['user', 'show', 'nobody'], 'admin', exitCodes.notFound, 'user_not_found'],
    [['user', 'set', 'x', '--role', 'viewer'], 'editor', exitCodes.refused, 'permission_missing'],
    [['tenant', 'create', 'default'], 'admin', exitCodes.conflict, 'tenant_exists'],
    [['tenant', 'create', 'Not An Id'], 'admin', exitCodes.usage, 'invalid_request'],
  ] as const)('%j as %s ends with %i (%s)', async (args, who, code, word) => {
    const outcome = await cli([...args, '--json'], service.token(who));
    expect(outcome.code).toBe(code);
    expect(JSON.parse(outcome.err).error.code).toBe(word);
  });

  it('takes whole days alone', async () => {
    expect((await cli(['key', 'create', 'x', '--expires-in-days', 'soon'])).code).toBe(exitCodes.usage);
  });
});

describe('switchyard user and tenant', () => {
  it('make a tenant, a user in it, and a key of that user [choices-1.10]', async () => {
    expect((await cli(['tenant', 'create', 'acme', '--name', 'Acme'])).out).toBe('acme  Acme\n');
    expect((await cli(['tenant', 'list'])).out).toMatch(/^acme +\S+ +Acme$/m);
    expect(JSON.parse((await cli(['tenant', 'list', '--json'])).out).tenants[0].tenant_id).toBe('acme');
    const there = ['--tenant', 'acme'];
    const set = await cli(['user', 'set', 'ada', '--name', 'Ada', '--role', 'operator', '--role', 'agent', ...there]);
    expect(set.out).toMatch(/^roles +operator agent$/m);
    const key = (await cli(['key', 'create', 'hers', '--user', 'ada', ...there])).out.trim();
    expect((await me(service, key)).body).toMatchObject({
      subject: 'ada',
      tenant_id: 'acme',
      roles: ['operator', 'agent'],
    });
    expect((await cli(['user', 'list', ...there])).out).toMatch(/^ada +active +admin +operator agent +Ada$/m);
    expect((await cli(['user', 'set', 'ada', '--status', 'disabled', ...there])).out).toMatch(/^status +disabled$/m);
    expectUnauthenticated(await me(service, key));
    expect((await cli(['user', 'show', 'ada', '--json', ...there])).out).toContain('"status":"disabled"');
    expect((await cli(['user', 'rm', 'ada', ...there])).out).toBe('deleted ada\n');
    expect((await cli(['user', 'show', 'ada', ...there])).code).toBe(exitCodes.notFound);
  });
});
